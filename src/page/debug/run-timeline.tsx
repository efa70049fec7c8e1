/** The run's time from left to right, with what happened when; a click goes there. */
import type { JSX } from 'preact';
import type { MarkKind, TimelineBucket } from '../../bot/debug/event-facts.ts';
import { Card } from '../components/card.tsx';
import { dateTimeText, exactTimeText } from '../format/times.ts';
import type { DebugState } from './debug-state.ts';

/** From the ground up. */
const kinds: readonly MarkKind[] = ['incident', 'refusal', 'fill', 'order', 'decision'];

export function RunTimeline({ state }: { readonly state: DebugState }): JSX.Element | null {
  const run = state.run.value;
  if (run === undefined) return null;
  const { firstMs, lastMs, timeline, counts } = run;
  const length = Math.max(1, lastMs - firstMs);
  const placeOf = (ms: number): string => `${((ms - firstMs) / length) * 100}%`;
  const largest = Math.max(1, ...timeline.map(sumOf));
  const shown = state.event.value;
  return (
    <Card title="Run" name="timeline" aside={<Legend counts={counts} />}>
      <div class="debug-timeline">
        {timeline.map((bucket) => (
          <button
            key={bucket.fromMs}
            type="button"
            tabIndex={-1}
            class="debug-bucket"
            style={{ left: placeOf(bucket.fromMs) }}
            data-tip={bucketText(bucket)}
            onClick={() => state.show(bucket.number)}
          >
            {kinds.map((kind) => (
              <span
                key={kind}
                class={`is-${kind}`}
                style={{ height: `${(bucket.counts[kind] / largest) * 100}%` }}
              />
            ))}
          </button>
        ))}
        {shown !== undefined && <div class="debug-now" style={{ left: placeOf(shown.atMs) }} />}
      </div>
      <div class="debug-times soft">
        <time>{dateTimeText(firstMs)}</time>
        <time>{dateTimeText(lastMs)}</time>
      </div>
    </Card>
  );
}

function Legend({ counts }: { readonly counts: TimelineBucket['counts'] }): JSX.Element {
  return (
    <>
      {[...kinds].reverse().map((kind) => (
        <span key={kind} class={`debug-legend is-${kind}`} data-count={counts[kind]}>
          {kind} {counts[kind]}
        </span>
      ))}
    </>
  );
}

function sumOf({ counts }: TimelineBucket): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function bucketText({ fromMs, counts }: TimelineBucket): string {
  const parts = kinds.flatMap((kind) => (counts[kind] > 0 ? [`${kind} ${counts[kind]}`] : []));
  return `${exactTimeText(fromMs)}\n${parts.join(', ')}`;
}
