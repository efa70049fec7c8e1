/** The options of uPlot for our charts: colours of the theme, axes in UTC, gestures of ours. */
import uPlot from 'uplot';
import type { Ink } from '../format/ink.ts';
import { timeLabels, valueLabels } from './chart-axes.ts';
import type { ChartSeries } from './chart-series.ts';

export type ChartFrame = {
  readonly width: number;
  readonly height: number;
  readonly series: readonly ChartSeries[];
  readonly colourOf: (ink: Ink) => string;
  /** Whether zero is always in view, as for a profit. */
  readonly hasZero: boolean;
  /** Returns the lowest and the highest value that is marked in the shown range. */
  readonly marked: () => readonly [number, number] | undefined;
  readonly draw: (plot: uPlot) => void;
  readonly moveCursor: (plot: uPlot) => void;
};

const font = '11px system-ui, sans-serif';

export function chartOptions(frame: ChartFrame): uPlot.Options {
  const { width, height, series, colourOf, hasZero, marked } = frame;
  const grid = { stroke: colourOf('line'), width: 1 };
  const axis = { stroke: colourOf('soft'), font, grid, ticks: { show: false } };
  return {
    width,
    height,
    ms: 1,
    tzDate: (ms) => uPlot.tzDate(new Date(ms), 'UTC'),
    legend: { show: false },
    padding: [8, 12, 0, 0],
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      points: { size: 6 },
      bind: { dblclick: () => null },
    },
    scales: {
      x: { time: true },
      y: { range: (_, min, max) => valueRange(min, max, hasZero, marked()) },
    },
    axes: [
      {
        ...axis,
        size: 38,
        space: 70,
        values: (_plot, times, _axis, _space, stepMs) => timeLabels(times, stepMs),
      },
      { ...axis, size: axisWidth, gap: 6, values: (_, values) => valueLabels(values) },
    ],
    series: [{}, ...series.map((one) => seriesOptions(one, colourOf))],
    hooks: { draw: [frame.draw], setCursor: [frame.moveCursor] },
  };
}

/** Charts below each other with short labels begin at the same place. */
const axisWidthMin = 64;

/** Returns the width of the value axis: what its longest label takes. */
function axisWidth(plot: uPlot, labels: readonly string[] | null): number {
  if (labels === null || labels.length === 0) return axisWidthMin;
  plot.ctx.save();
  plot.ctx.font = font;
  const widest = Math.max(...labels.map((label) => plot.ctx.measureText(label).width));
  plot.ctx.restore();
  return Math.max(axisWidthMin, Math.ceil(widest) + 14);
}

/** Leaves room above and below; values that are all the same get a range around them. */
function valueRange(
  min: number | null,
  max: number | null,
  hasZero: boolean,
  marked: readonly number[] = [],
): [number | null, number | null] {
  const all = [...[min, max].filter((value) => value !== null), ...marked];
  if (all.length === 0) return [0, 1];
  if (hasZero) all.push(0);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (high - low) * 0.08 || Math.abs(high) * 0.001 || 1;
  return [low - room, high + room];
}

function seriesOptions(one: ChartSeries, colourOf: (ink: Ink) => string): uPlot.Series {
  const stroke = colourOf(one.ink);
  return {
    label: one.label,
    stroke,
    width: one.width ?? 1.25,
    points: { show: false },
    ...(one.isDashed === true ? { dash: [4, 3] } : {}),
    ...(one.shape === 'area' ? { fill: withAlpha(stroke, 0.14), fillTo: 0 } : {}),
    ...(one.shape === 'line' ? {} : { paths: steps }),
  };
}

const steps = uPlot.paths.stepped?.({ align: 1 }) ?? (() => null);

/** Computed colours are `rgb(r, g, b)`. */
function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/u, `rgba($1, ${alpha})`);
}
