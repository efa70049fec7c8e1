/** Steps to other events: by one, by kind and strategy, to an order or a time. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { MarkKind, RunFacts } from '../../bot/debug/event-facts.ts';
import { keysText } from './debug-keys.ts';
import type { DebugState } from './debug-state.ts';

type ControlProps = { readonly state: DebugState; readonly hasDebugger: boolean };

const kinds: readonly MarkKind[] = ['decision', 'order', 'fill', 'refusal', 'incident'];

export function DebugControls({ state, hasDebugger }: ControlProps): JSX.Element {
  const { kind, strategy, event, run } = state;
  const find = (isBackward: boolean) => () => state.find(kind.value, isBackward);
  return (
    <section class="card debug-controls" aria-label="Steps" data-panel="steps">
      <div class="panel-tools">
        <button type="button" onClick={() => state.step(-1)} data-step="previous">
          ← Event
        </button>
        <span class="debug-place">
          <b data-shown={event.value?.number}>{event.value?.number ?? '–'}</b>
          <span class="soft"> of {run.value?.events}</span>
        </span>
        <button type="button" onClick={() => state.step(1)} data-step="next">
          Event →
        </button>
      </div>
      <div class="panel-tools">
        <button type="button" onClick={find(true)} data-find="previous">
          ← Previous
        </button>
        <KindChoice state={state} counts={run.value?.counts} />
        <label>
          <span class="unseen">Strategy</span>
          <select
            value={strategy.value ?? ''}
            onChange={({ currentTarget }) => {
              strategy.value = currentTarget.value || undefined;
            }}
          >
            <option value="">every strategy</option>
            {run.value?.strategies.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <button type="button" onClick={find(false)} data-find="next">
          Next →
        </button>
      </div>
      <Jump onJump={state.jump} />
      {hasDebugger && (
        <button type="button" onClick={state.stop} data-stop="here">
          Stop the debugger here
        </button>
      )}
      <p class="soft debug-keys">{keysText}</p>
    </section>
  );
}

type KindProps = { readonly state: DebugState; readonly counts: RunFacts['counts'] | undefined };

function KindChoice({ state: { kind }, counts }: KindProps): JSX.Element {
  return (
    <label>
      <span class="unseen">Kind of event</span>
      <select
        value={kind.value ?? ''}
        onChange={({ currentTarget }) => {
          kind.value = kinds.find((one) => one === currentTarget.value);
        }}
      >
        <option value="">anything marked</option>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {one} ({counts?.[one] ?? 0})
          </option>
        ))}
      </select>
    </label>
  );
}

function Jump({ onJump }: { readonly onJump: (at: string) => void }): JSX.Element {
  const at = useSignal('');
  return (
    <form
      class="panel-tools"
      onSubmit={(event) => {
        event.preventDefault();
        if (at.value.trim() !== '') onJump(at.value.trim());
      }}
    >
      <label>
        <span class="unseen">Order or time</span>
        <input
          id="jump"
          value={at.value}
          placeholder="order id or time"
          onInput={({ currentTarget }) => {
            at.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit">Go</button>
    </form>
  );
}
