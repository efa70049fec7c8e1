/** The events around the one that is shown. */
import type { JSX } from 'preact';
import { Badge } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import type { DebugState } from './debug-state.ts';

export function EventList({ state }: { readonly state: DebugState }): JSX.Element {
  const shown = state.event.value?.number;
  return (
    <Card title="Events" name="events" help="Everything that reached the engine, in order.">
      <ol class="debug-events">
        {state.list.value.map(({ number, time, text, marks }) => (
          <li key={number} class={number === shown ? 'is-shown' : ''}>
            <button
              type="button"
              aria-current={number === shown}
              data-event={number}
              onClick={() => state.show(number)}
            >
              <span class="soft">{time.slice(11, 26)}</span> {text}{' '}
              {marks.map((kind) => (
                <Badge key={kind} text={kind} tone={kind === 'refusal' ? 'warn' : 'plain'} />
              ))}
            </button>
          </li>
        ))}
      </ol>
    </Card>
  );
}
