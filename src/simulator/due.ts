/** Does what is on the agenda when its time has come. */
import type { AgendaEntry } from './agenda.ts';
import { confirmArrival } from './arrivals.ts';
import type { Exchange } from './exchange.ts';
import { goOnWithMove } from './moves.ts';
import { completeSend } from './sends.ts';
import { goOnWithWithdrawal } from './withdrawals.ts';

const deeds = {
  move: goOnWithMove,
  send: completeSend,
  withdrawal: goOnWithWithdrawal,
  arrival: confirmArrival,
} satisfies Record<AgendaEntry['kind'], (exchange: Exchange, id: string) => void>;

/** Does the first entry, which must be due. */
export function runDue(exchange: Exchange): void {
  const entry = exchange.state.agenda.shift();
  if (entry !== undefined) deeds[entry.kind](exchange, entry.id);
}
