/**
 * What the exchange does by itself at a later time: moves, sends and withdrawals go on, deposits
 * get confirmed. `run-due.ts` does it.
 *
 * Invariant: the agenda is sorted by time, and entries of one time keep the order in which they
 * were made; so a replay does the same in the same order.
 */
import type { Exchange } from './exchange.ts';
import type { AgendaEntry } from './exchange-state.ts';

/** Puts an entry on the agenda, `delayMs` from now. */
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
