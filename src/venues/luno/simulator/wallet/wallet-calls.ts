/**
 * Creates and renames wallets, and moves money between them, by the rules of accounts and moves.
 */
import { amountOf, formatWireAmount } from '../../../../domain/amount.ts';
import { assert } from '../../../../domain/errors.ts';
import type { WalletTransferRecord } from '../../api/wallet/operations/account-wallet-operations.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Handlers } from '../core/handler.ts';
import { type Move, moneyOf } from '../core/money-state.ts';
import type { CallContext, Calls, Plan } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { accountCalls } from '../money/account-calls.ts';
import { moveCalls } from '../money/moves.ts';
import { mapPlan } from './map-plan.ts';
import { inRange, pageOf, refusalOfRange } from './selection.ts';
import { walletOf, walletRecordOf } from './wallet-handlers.ts';

export const walletCalls: Pick<Calls, 'createWallet' | 'updateWallet' | 'createWalletTransfer'> = {
  createWallet: ({ name, currency }, context) =>
    mapPlan(accountCalls.createAccount({ name, currency }, context), ({ id }) =>
      walletRecordOf(context.exchange.accountOf(id), context.user),
    ),

  updateWallet: ({ walletId, name }, context) =>
    mapPlan(accountCalls.renameAccount({ id: walletId, name }, context), () =>
      walletRecordOf(context.exchange.accountOf(walletId), context.user),
    ),

  createWalletTransfer: (parameters, context): Plan<WalletTransferRecord> => {
    const { exchange, user } = context;
    const { walletId, toWalletId, amount, clientTransferId } = parameters;
    if (amountOf(amount) === 0n)
      return refuse('ErrAmountTooSmall', 'The amount must be more than zero');
    // A wallet that does not exist is answered like another user's, so that nobody can find out
    // which exist.
    if ('code' in walletOf(exchange, user, walletId))
      return refuse('ErrDebitAccountNotOwnedByUser', 'The wallet to debit is not yours');
    if ('code' in walletOf(exchange, user, toWalletId))
      return refuse('ErrResourceNotFound', 'The wallet to credit was not found');
    const blocked = refusalOf(exchange.state, 'blocked-user', user.id);
    if (blocked !== undefined) return blocked;
    const move = {
      amount,
      debit_account_id: walletId,
      credit_account_id: toWalletId,
      client_move_id: clientTransferId,
    };
    return mapPlan(moveCalls.createMove(move, context), ({ id }) => madeTransfer(context, id));
  },
};

export const walletTransferHandlers: Pick<Handlers, 'listWalletTransfers'> = {
  listWalletTransfers: ({ walletId, ...query }, { exchange, user }) => {
    const wallet = walletOf(exchange, user(), walletId);
    if ('code' in wallet) return wallet;
    const refusal = refusalOfRange(query);
    if (refusal !== undefined) return refusal;
    const { money } = exchange.state;
    const moves = moneyOf(money, user().id)
      .moveIds.map((id) => money.moves.get(id))
      .filter((move) => move !== undefined)
      .filter((move) => [move.debitAccountId, move.creditAccountId].includes(wallet.id));
    const newestFirst = inRange(moves, query, ({ createdMs }) => createdMs).toReversed();
    return {
      transfers: pageOf(newestFirst, query).map((move) => transferRecordOf(move, exchange)),
    };
  },
};

function madeTransfer({ exchange }: CallContext, id: string): WalletTransferRecord {
  const move = exchange.state.money.moves.get(id);
  assert(move !== undefined, `move ${id} must have been created`);
  return transferRecordOf(move, exchange);
}

function transferRecordOf(move: Move, exchange: Exchange): WalletTransferRecord {
  return {
    id: move.id,
    walletId: move.debitAccountId,
    toWalletId: move.creditAccountId,
    currency: exchange.accountOf(move.debitAccountId).currency,
    amount: formatWireAmount(move.amount),
    ...(move.clientMoveId === '' ? {} : { clientTransferId: move.clientMoveId }),
    status: move.status,
    createdAt: move.createdMs,
    updatedAt: move.updatedMs,
  };
}
