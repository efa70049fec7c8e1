/** Does what is on the agenda when its time has come. */
import type { Exchange } from '../core/exchange.ts';
import type { AgendaEntry } from '../core/exchange-state.ts';
import { confirmArrival } from '../money/arrivals.ts';
import { goOnWithMove } from '../money/moves.ts';
import { completeSend } from '../money/sends.ts';
import { goOnWithWithdrawal } from '../money/withdrawals.ts';

const actions = {
  move: goOnWithMove,
  send: completeSend,
  withdrawal: goOnWithWithdrawal,
  arrival: confirmArrival,
} satisfies Record<AgendaEntry['kind'], (exchange: Exchange, id: string) => void>;

/** Does the first entry, which must be due. */
export function runDue(exchange: Exchange): void {
  const entry = exchange.state.agenda.shift();
  if (entry !== undefined) actions[entry.kind](exchange, entry.id);
}
