/** The buttons of linked charts: zoom, all, and ranges that end now. */
import type { JSX } from 'preact';
import { dateTimeText, durationText } from '../format/times.ts';
import { tipOf } from '../format/tip.ts';
import { keyHelp } from './chart-gestures.ts';
import { type ChartLink, choose } from './chart-link.ts';
import { lengthOf, zoomed } from './time-range.ts';

type ToolbarProps = {
  readonly link: ChartLink;
  /** Lengths to choose from, in milliseconds, if they are shorter than everything. */
  readonly lengths?: readonly number[];
};

export function ChartToolbar({ link, lengths = [] }: ToolbarProps): JSX.Element {
  const [shown, full] = [link.shown.value, link.full.value];
  const zoom = (factor: number): void =>
    choose(link, zoomed(shown, factor, (shown.fromMs + shown.toMs) / 2, full));
  const last = (length: number): void =>
    choose(link, { fromMs: full.toMs - length, toMs: full.toMs });
  const isLast = (length: number): boolean =>
    Math.abs(lengthOf(shown) - length) < length / 100 && full.toMs - shown.toMs < length / 100;
  return (
    <div class="chart-toolbar" role="toolbar" aria-label="Range of the charts">
      {lengths
        .filter((length) => length < lengthOf(full))
        .map((length) => (
          <button
            key={length}
            type="button"
            aria-pressed={isLast(length)}
            onClick={() => last(length)}
          >
            {durationText(length)}
          </button>
        ))}
      <button
        type="button"
        aria-pressed={link.chosen.value === null}
        onClick={() => choose(link, null)}
      >
        All
      </button>
      <button type="button" aria-label="Zoom in" onClick={() => zoom(0.5)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => zoom(2)}>
        −
      </button>
      <span class="soft chart-range">
        {dateTimeText(shown.fromMs)} to {dateTimeText(shown.toMs)} UTC
      </span>
      <span class="tip-mark soft" {...tipOf(keyHelp)}>
        ?
      </span>
    </div>
  );
}
