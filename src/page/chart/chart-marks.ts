/** Draws marks on a chart and finds the one under the pointer. Any number of marks is fine. */
import type uPlot from 'uplot';
import type { Ink } from '../format/ink.ts';
import { type ChartMark, countBefore, type MarkShape } from './chart-series.ts';
import type { TimeRange } from './time-range.ts';

const size = 5;
/** Marks nearer to each other than this look like one, so one of them is drawn. */
const cell = 3;
const reach = 14;

/** Returns the marks that are in the shown range, as the first index and the one after the last. */
function shownPart(marks: readonly ChartMark[], { scales }: uPlot): readonly [number, number] {
  const { min, max } = scales['x'] ?? {};
  if (typeof min !== 'number' || typeof max !== 'number') return [0, 0];
  return [
    countBefore(marks.length, (index) => (marks[index]?.atMs ?? 0) < min),
    countBefore(marks.length, (index) => (marks[index]?.atMs ?? 0) <= max),
  ];
}

/** Returns the lowest and the highest value that is marked in `range`; undefined without one. */
export function markedRange(
  marks: readonly ChartMark[],
  { fromMs, toMs }: TimeRange,
): readonly [number, number] | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const start = countBefore(marks.length, (index) => (marks[index]?.atMs ?? 0) < fromMs);
  for (let index = start; index < marks.length; index++) {
    const { atMs, value } = marks[index] as ChartMark;
    if (atMs > toMs) break;
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? undefined : [low, high];
}

export function drawMarks(
  plot: uPlot,
  marks: readonly ChartMark[],
  colourOf: (ink: Ink) => string,
): void {
  const [first, end] = shownPart(marks, plot);
  const { left, top, width, height } = plot.bbox;
  const ratio = window.devicePixelRatio;
  const taken = new Set<number>();
  const paths = new Map<string, { readonly mark: ChartMark; readonly path: Path2D }>();
  const columns = Math.ceil(width / (cell * ratio)) + 1;
  for (let index = first; index < end; index++) {
    const mark = marks[index];
    if (mark === undefined) continue;
    const x = plot.valToPos(mark.atMs, 'x', true);
    const y = yOf(plot, mark, true);
    const place =
      Math.floor((y - top) / (cell * ratio)) * columns + Math.floor((x - left) / (cell * ratio));
    if (taken.has(place)) continue;
    taken.add(place);
    const key = `${mark.shape} ${mark.ink}`;
    const group = paths.get(key) ?? { mark, path: new Path2D() };
    paths.set(key, group);
    addShape(group.path, mark.shape, x, y, size * ratio);
  }
  const { ctx } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const { mark, path } of paths.values()) {
    ctx.lineWidth = 1.5 * ratio;
    ctx.strokeStyle = mark.shape === 'cross' ? colourOf(mark.ink) : colourOf('panel');
    ctx.fillStyle = colourOf(mark.ink);
    ctx.stroke(path);
    if (mark.shape !== 'cross') ctx.fill(path);
  }
  ctx.restore();
}

function yOf(plot: uPlot, { value }: ChartMark, isCanvas: boolean): number {
  if (value !== null) return plot.valToPos(value, 'y', isCanvas);
  const ratio = window.devicePixelRatio;
  const bottom = plot.bbox.height - 10 * ratio;
  return isCanvas ? plot.bbox.top + bottom : bottom / ratio;
}

function addShape(path: Path2D, shape: MarkShape, x: number, y: number, r: number): void {
  if (shape === 'dot') {
    path.moveTo(x + r * 0.7, y);
    path.arc(x, y, r * 0.7, 0, 2 * Math.PI);
  } else if (shape === 'cross') {
    path.moveTo(x - r * 0.7, y - r * 0.7);
    path.lineTo(x + r * 0.7, y + r * 0.7);
    path.moveTo(x + r * 0.7, y - r * 0.7);
    path.lineTo(x - r * 0.7, y + r * 0.7);
  } else if (shape === 'flag') {
    path.rect(x - r * 0.6, y - r * 0.6, r * 1.2, r * 1.2);
  } else {
    // The tip is at the price.
    const base = shape === 'up' ? y + 1.6 * r : y - 1.6 * r;
    path.moveTo(x, y);
    path.lineTo(x - r, base);
    path.lineTo(x + r, base);
    path.closePath();
  }
}

/** Returns the mark nearest to a place of the plotting area, if one is near. */
export function markNear(
  plot: uPlot,
  marks: readonly ChartMark[],
  place: { readonly left: number; readonly top: number },
): ChartMark | undefined {
  return nearest(plot, marks, place.left, (mark) => {
    const y = yOf(plot, mark, false);
    const centre = mark.shape === 'up' ? y + size : mark.shape === 'down' ? y - size : y;
    return Math.hypot(plot.valToPos(mark.atMs, 'x') - place.left, centre - place.top);
  });
}

/** Returns the mark nearest to a moment, for a cursor that the keyboard moves. */
export function markBeside(
  plot: uPlot,
  marks: readonly ChartMark[],
  left: number,
): ChartMark | undefined {
  return nearest(plot, marks, left, (mark) => Math.abs(plot.valToPos(mark.atMs, 'x') - left));
}

function nearest(
  plot: uPlot,
  marks: readonly ChartMark[],
  left: number,
  distanceOf: (mark: ChartMark) => number,
): ChartMark | undefined {
  const [fromMs, toMs] = [plot.posToVal(left - reach, 'x'), plot.posToVal(left + reach, 'x')];
  const start = countBefore(marks.length, (index) => (marks[index]?.atMs ?? 0) < fromMs);
  let best: ChartMark | undefined;
  let bestDistance = reach;
  for (let index = start; index < marks.length; index++) {
    const mark = marks[index];
    if (mark === undefined || mark.atMs > toMs) break;
    const distance = distanceOf(mark);
    if (distance >= bestDistance) continue;
    best = mark;
    bestDistance = distance;
  }
  return best;
}
