/** Executes the entries of the agenda that are due. */
import type { Exchange } from '../core/exchange.ts';
import type { AgendaEntry } from '../core/exchange-state.ts';
import { confirmArrival } from '../money/arrivals.ts';
import { advanceMove } from '../money/moves.ts';
import { completeSend } from '../money/sends.ts';
import { advanceWithdrawal } from '../money/withdrawals.ts';

const actions = {
  move: advanceMove,
  send: completeSend,
  withdrawal: advanceWithdrawal,
  arrival: confirmArrival,
} satisfies Record<AgendaEntry['kind'], (exchange: Exchange, id: string) => void>;

/** Executes the first entry, which must be due. */
export function runDue(exchange: Exchange): void {
  const entry = exchange.state.agenda.shift();
  if (entry !== undefined) actions[entry.kind](exchange, entry.id);
}
