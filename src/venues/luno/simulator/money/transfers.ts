/** The transfers that came into an account from outside, and that went out of it. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { limits } from '../../api/limits.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Handlers } from '../core/handler.ts';
import type { Transfer } from '../core/money-state.ts';
import { refuse } from '../core/refusal.ts';

/** Adds a transfer with the current time to the list of an account. Returns its id. */
export function addTransfer(
  exchange: Exchange,
  account: Account,
  terms: Omit<Transfer, 'id' | 'createdMs'>,
): string {
  const { transfers } = exchange.state.money;
  const list = transfers.get(account.id) ?? [];
  transfers.set(account.id, list);
  const id = exchange.nextId();
  list.push({ ...terms, id, createdMs: exchange.timeMs });
  return id;
}

export const transferHandlers: Pick<Handlers, 'listTransfers'> = {
  listTransfers: (parameters, { exchange, user }) => {
    const { account_id: accountId, before, limit = limits.listLimitDefault } = parameters;
    if (exchange.state.accounts.get(accountId)?.userId !== user().id)
      return refuse('ErrAccountNotFound', 'Account not found');
    const transfers = (exchange.state.money.transfers.get(accountId) ?? [])
      .filter(({ createdMs }) => before === undefined || createdMs < before)
      .slice(-limit)
      .reverse();
    return {
      transfers: transfers.map((transfer) => ({
        id: transfer.id,
        amount: formatWireAmount(transfer.amount),
        fee: formatWireAmount(transfer.fee),
        created_at: transfer.createdMs,
        inbound: transfer.isInbound,
        transaction_id: transfer.transactionId,
      })),
    };
  },
};
