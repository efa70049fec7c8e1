/**
 * A chart over time. Charts with the same link zoom, pan and show their cursor together.
 *
 * Invariant: what it draws it also says: the read-out has every value at the cursor, the text of
 * the mark there, and the time.
 */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { colourChanges } from '../browser/theme.ts';
import { keyHelp, pressKey } from './chart-gestures.ts';
import type { ChartLink } from './chart-link.ts';
import { type ChartContent, type ChartPlot, createPlot } from './chart-plot.ts';
import { ChartReadout } from './chart-readout.tsx';
import type { ChartMark, ChartSeries, ChartSpan } from './chart-series.ts';

export type ChartProps = {
  readonly title: string;
  readonly link: ChartLink;
  /** Sorted, in milliseconds. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  /** In order of time. */
  readonly marks?: readonly ChartMark[];
  /** Drawn behind the marks. */
  readonly spans?: readonly ChartSpan[];
  readonly onMark?: (mark: ChartMark) => void;
  readonly height?: number;
  /** Whether zero is always in view, as for a profit. */
  readonly hasZero?: boolean;
  /** Shown while there is no point. */
  readonly empty?: string;
};

const noMarks: readonly ChartMark[] = [];
const noSpans: readonly ChartSpan[] = [];

export function Chart(props: ChartProps): JSX.Element {
  const {
    title,
    link,
    times,
    series,
    marks = noMarks,
    spans = noSpans,
    onMark,
    height = 220,
  } = props;
  const { hasZero = false, empty = 'Nothing to show yet.' } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<ChartPlot | null>(null);
  const content = useRef<ChartContent>({ times, series, marks, spans, onMark });
  content.current = { times, series, marks, spans, onMark };
  const near = useSignal<ChartMark | undefined>(undefined);
  // A plot is made anew for other lines or colours, and only drawn again for other values.
  const lines = series.map(({ label, ink, shape }) => `${label} ${ink} ${shape}`).join();
  const colours = colourChanges.value;
  useEffect(() => {
    if (place.current === null) return;
    const options = { link, height, hasZero, near, content: () => content.current };
    const made = createPlot(place.current, options);
    plot.current = made;
    return () => {
      plot.current = null;
      made.end();
    };
  }, [link, height, hasZero, near, lines, colours]);
  useEffect(() => plot.current?.draw(), [times, series, marks, spans]);

  return (
    <figure class="chart">
      <ChartReadout title={title} link={link} times={times} series={series} near={near} />
      <div
        class="chart-plot"
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys zoom, pan and move the cursor.
        tabIndex={0}
        role="application"
        aria-label={`Chart of ${title}. ${keyHelp}`}
        onKeyDown={(event) => {
          if (pressKey(event, link, content.current.times)) event.preventDefault();
        }}
      />
      {times.length === 0 && <p class="chart-empty">{empty}</p>}
    </figure>
  );
}
