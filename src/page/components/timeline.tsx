/** Events in order of time with what happened, such as the story of an order. */
import type { JSX } from 'preact';
import { clockText, dateText, durationText, exactTimeText } from '../format/times.ts';
import { tipOf } from '../format/tip.ts';

export type TimelineEvent = {
  readonly atMs: number;
  /** One word: the kind of the event. */
  readonly kind: string;
  readonly text: string;
  /** Whose clock `atMs` is by. */
  readonly clock?: string;
  /** Lines below the text. */
  readonly details?: readonly string[] | undefined;
};

export function Timeline({ events }: { readonly events: readonly TimelineEvent[] }): JSX.Element {
  return (
    <ol class="timeline">
      {events.map((event, index) => {
        const before = events[index - 1];
        const isNewDay = before === undefined || dateText(before.atMs) !== dateText(event.atMs);
        const tip = `${exactTimeText(event.atMs)}${
          event.clock === undefined ? '' : `, clock of the ${event.clock}`
        }`;
        return (
          // Events have no id, and their order never changes.
          <li key={index} class={`timeline-event is-${event.kind}`}>
            {isNewDay && <div class="timeline-day">{dateText(event.atMs)}</div>}
            <time {...tipOf(tip)}>{timeText(event.atMs)}</time>
            <span class="timeline-kind">{event.kind}</span>
            <span class="timeline-text">
              {event.text}
              {before !== undefined && event.atMs > before.atMs && (
                <small class="soft"> +{durationText(event.atMs - before.atMs)}</small>
              )}
              {event.details?.map((line) => (
                <small key={line} class="timeline-detail soft">
                  {line}
                </small>
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function timeText(ms: number): string {
  return `${clockText(ms)}.${String(Math.floor(ms) % 1_000).padStart(3, '0')}`;
}
