/**
 * The agenda: what the exchange will do by itself later. Moves, sends and withdrawals advance, and
 * deposits are confirmed. `run-due.ts` executes the entries.
 *
 * Invariant: entries are sorted by time. Entries with the same time keep the order in which they
 * were added, so a replay executes them in the same order.
 */
import type { Exchange } from './exchange.ts';
import type { AgendaEntry } from './exchange-state.ts';

/** Adds an entry that is due `delayMs` from now. */
export function schedule(
  exchange: Exchange,
  delayMs: number,
  entry: Omit<AgendaEntry, 'micros'>,
): void {
  const { agenda, timeMicros } = exchange.state;
  const micros = timeMicros + delayMs * 1000;
  let index = agenda.length;
  while (index > 0 && (agenda[index - 1] as AgendaEntry).micros > micros) index -= 1;
  agenda.splice(index, 0, { ...entry, micros });
}
