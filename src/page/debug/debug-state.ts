/** The state of the debug page: the run, the event that is shown, and what is looked for. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EventFacts, MarkKind, RunFacts } from '../../bot/debug/event-facts.ts';
import { requestJson } from '../browser/request.ts';

export type ListedEvent = Pick<EventFacts, 'number' | 'time' | 'text' | 'marks'>;

export type DebugState = {
  readonly run: ReadonlySignal<RunFacts | undefined>;
  readonly event: ReadonlySignal<EventFacts | undefined>;
  readonly list: ReadonlySignal<readonly ListedEvent[]>;
  readonly problem: ReadonlySignal<string | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** What the previous and next buttons look for; undefined: anything. */
  readonly kind: Signal<MarkKind | undefined>;
  readonly strategy: Signal<string | undefined>;
  readonly show: (number: number) => void;
  /** Shows the next or previous event, by one. */
  readonly step: (by: 1 | -1) => void;
  /** Shows the next or previous event of a kind, of the chosen strategy. */
  readonly find: (kind: MarkKind | undefined, isBackward: boolean) => void;
  /** Shows the event of an order or a time. */
  readonly jump: (at: string) => void;
  /** Stops the debugger in the strategy at the event that is shown. */
  readonly stop: () => void;
  readonly start: () => void;
};

type Place = { readonly number: number } | { readonly number: null; readonly problem: string };

const listedAround = 12;

export function createDebugState(first: number): DebugState {
  const run = signal<RunFacts | undefined>(undefined);
  const event = signal<EventFacts | undefined>(undefined);
  const list = signal<readonly ListedEvent[]>([]);
  const problem = signal<string | undefined>(undefined);
  const isBusy = signal(false);
  const kind = signal<MarkKind | undefined>(undefined);
  const strategy = signal<string | undefined>(undefined);

  /** Only the last wish counts: whoever holds a key down sees where it ends. */
  let wished = first;
  const read = async <Answer>(path: string, method: 'GET' | 'POST' = 'GET') => {
    const reply = await requestJson<Answer>(path, { method });
    if (reply.isOk) return reply.answer;
    problem.value =
      reply.status === 0
        ? 'No answer. If a debugger holds the strategy, go on there; otherwise `millrace debug` has ended.'
        : reply.text;
    return undefined;
  };
  const load = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = undefined;
    while (event.value?.number !== wished && problem.value === undefined) {
      const number = wished;
      const facts = await read<EventFacts>(`api/event?number=${number}`);
      if (facts === undefined) break;
      event.value = facts;
      const from = Math.max(1, number - listedAround);
      const around = await read<readonly ListedEvent[]>(
        `api/events?from=${from}&to=${number + listedAround}`,
      );
      if (around !== undefined) list.value = around;
    }
    isBusy.value = false;
  };
  const show = (number: number): void => {
    const last = run.value?.events ?? number;
    wished = Math.min(last, Math.max(1, number));
    void load();
  };
  const find = async (wanted: MarkKind | undefined, isBackward: boolean): Promise<void> => {
    const query = new URLSearchParams({ from: String(wished), backward: String(isBackward) });
    if (wanted !== undefined) query.set('kind', wanted);
    if (strategy.value !== undefined) query.set('strategy', strategy.value);
    const found = await read<{ readonly number: number | null }>(`api/find?${query}`);
    if (found === undefined) return;
    if (found.number !== null) show(found.number);
    else problem.value = `No ${isBackward ? 'earlier' : 'later'} ${wanted ?? 'mark'} in this run.`;
  };
  return {
    ...{ run, event, list, problem, isBusy, kind, strategy, show },
    step: (by) => show(wished + by),
    find: (wanted, isBackward) => void find(wanted, isBackward),
    async jump(at) {
      problem.value = undefined;
      const query = new URLSearchParams({ at });
      const found = await read<Place>(`api/place?${query}`);
      if (found === undefined) return;
      if (found.number === null) problem.value = found.problem;
      else show(found.number);
    },
    async stop() {
      problem.value = undefined;
      await read(`api/stop?number=${wished}`, 'POST');
    },
    async start() {
      run.value = await read<RunFacts>('api/run');
      if (run.value !== undefined) show(first);
    },
  };
}
