/** The line above a chart: each value at the cursor, without one the newest, and the mark there. */
import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { numberText } from '../format/figures.ts';
import { exactTimeText } from '../format/times.ts';
import type { ChartLink } from './chart-link.ts';
import { type ChartMark, type ChartSeries, indexAt } from './chart-series.ts';

type ReadoutProps = {
  readonly title: string;
  readonly link: ChartLink;
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly near: ReadonlySignal<ChartMark | undefined>;
};

export function ChartReadout({ title, link, times, series, near }: ReadoutProps): JSX.Element {
  const cursorMs = link.cursorMs.value;
  const index = cursorMs === null ? times.length - 1 : indexAt(times, cursorMs);
  const mark = near.value;
  return (
    <figcaption class="chart-readout">
      <b>{title}</b>
      {series.map(({ label, ink, isDashed, values, text = numberText }) => {
        const value = values[index];
        return (
          <span key={label} class="chart-key">
            <i class={`chart-swatch ink-${ink} ${isDashed === true ? 'is-dashed' : ''}`} />
            {label} <output>{value === null || value === undefined ? '–' : text(value)}</output>
          </span>
        );
      })}
      {/* It lies over the chart: what moved the chart would move it away from the pointer. */}
      <div class="chart-hover">
        {cursorMs !== null && <time class="chart-time">{exactTimeText(cursorMs)}</time>}
        {mark !== undefined && (
          <span class={`chart-mark-text ink-${mark.ink}`}>
            {exactTimeText(mark.atMs)}: {mark.text}
          </span>
        )}
      </div>
    </figcaption>
  );
}
