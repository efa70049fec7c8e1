/** A plot of uPlot in an element: it follows the size of the element, its link and the mouse. */
import { effect, type Signal } from '@preact/signals';
import uPlot from 'uplot';
import { oncePerFrame } from '../browser/browser-time.ts';
import { coloursAt } from '../browser/theme.ts';
import { connectGestures } from './chart-gestures.ts';
import type { ChartLink } from './chart-link.ts';
import { drawMarks, markBeside, markedRange, markNear } from './chart-marks.ts';
import { chartOptions } from './chart-options.ts';
import type { ChartMark, ChartSeries, ChartSpan } from './chart-series.ts';
import { drawSpans, spanNear } from './chart-spans.ts';

/** What is drawn now. */
export type ChartContent = {
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly marks: readonly ChartMark[];
  readonly spans: readonly ChartSpan[];
  readonly onMark: ((mark: ChartMark) => void) | undefined;
};

export type ChartPlot = {
  readonly draw: () => void;
  readonly end: () => void;
};

type PlotOptions = {
  readonly link: ChartLink;
  readonly height: number;
  readonly hasZero: boolean;
  /** Returns the content; it is asked again at each drawing. */
  readonly content: () => ChartContent;
  /** The mark under the pointer. */
  readonly near: Signal<ChartMark | undefined>;
};

const widthMin = 120;

export function createPlot(element: HTMLElement, options: PlotOptions): ChartPlot {
  const { link, height, hasZero, content, near } = options;
  const colourOf = coloursAt(element);
  const widthOf = (): number => Math.max(widthMin, element.clientWidth);
  const plot = new uPlot(
    chartOptions({
      width: widthOf(),
      height,
      hasZero,
      colourOf,
      series: content().series,
      marked: () => markedRange(content().marks, link.shown.peek()),
      draw: (one) => {
        drawSpans(one, content().spans, colourOf);
        drawMarks(one, content().marks, colourOf);
      },
      moveCursor: (one) => {
        // Without an event the cursor was moved by the link.
        if (one.cursor.event === undefined || one.cursor.event === null) return;
        const { left = -1, top = -1 } = one.cursor;
        link.cursorMs.value = left < 0 ? null : one.posToVal(left, 'x');
        const place = { left, top };
        near.value =
          left < 0
            ? undefined
            : (markNear(one, content().marks, place) ?? spanNear(one, content().spans, place));
      },
    }),
    dataOf(content()),
    element,
  );
  const showRange = (): void => {
    const { fromMs, toMs } = link.shown.value;
    plot.setScale('x', { min: fromMs, max: Math.max(toMs, fromMs + 1) });
  };
  const resize = oncePerFrame(() => {
    if (widthOf() !== plot.width) plot.setSize({ width: widthOf(), height });
  });
  const sizes = new ResizeObserver(resize);
  sizes.observe(element);
  const ends = [
    effect(showRange),
    effect(() => {
      const ms = link.cursorMs.value;
      if (plot.over.matches(':hover')) return;
      const left = ms === null ? -1 : plot.valToPos(ms, 'x');
      plot.setCursor({ left, top: ms === null ? -1 : 0 }, false);
      near.value = ms === null ? undefined : markBeside(plot, content().marks, left);
    }),
    connectGestures(plot, link, (clicked) => {
      const { marks, onMark } = content();
      const mark = markNear(plot, marks, clicked);
      if (mark !== undefined) onMark?.(mark);
    }),
    () => sizes.disconnect(),
    () => plot.destroy(),
  ];
  return {
    draw: () =>
      plot.batch(() => {
        plot.setData(dataOf(content()), false);
        showRange();
      }),
    end: () => {
      for (const end of ends) end();
    },
  };
}

function dataOf({ times, series }: ChartContent): uPlot.AlignedData {
  // uPlot does not change what it is given.
  return [times, ...series.map(({ values }) => values)] as uPlot.AlignedData;
}
