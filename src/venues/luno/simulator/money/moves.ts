/**
 * Moves between two accounts of one user. The durations are ours.
 *
 *     CREATED ──▶ MOVING ──▶ SUCCESSFUL
 *        └──────▶ FAILED     if the debit account no longer has the amount
 */
import { amountOf, formatWireAmount } from '../../../../domain/amount.ts';
import { limits } from '../../api/limits.ts';
import type { MoveRecord } from '../../api/operations/move-operations.ts';
import { schedule } from '../core/agenda.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Handlers } from '../core/handler.ts';
import { type Move, moneyOf, mutableMoneyOf } from '../core/money-state.ts';
import { type Calls, change } from '../core/plan.ts';
import { refuse, refuseArguments } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { accountTypeFault, canPay, ownAccount, shortageMessage } from './account-access.ts';

const createdForMs = 100;
const movingForMs = 400;

export const moveCalls: Pick<Calls, 'createMove'> = {
  createMove: (parameters, context) => {
    const { exchange, user } = context;
    const clientMoveId = parameters.client_move_id ?? '';
    const amount = amountOf(parameters.amount);
    if (amount === 0n) return refuse('ErrInvalidAmount', 'The amount must be more than zero');
    // Checked before the balance, so that repeating a request whose answer was lost gives 409.
    const { moveIdByClientMoveId } = moneyOf(exchange.state.money, user.id);
    if (clientMoveId !== '' && moveIdByClientMoveId.has(clientMoveId))
      return refuse('ErrDuplicateClientMoveID', 'Duplicate client move id');
    const debit = ownAccount(context, parameters.debit_account_id);
    if (debit.kind === 'refused') return debit;
    const credit = ownAccount(context, parameters.credit_account_id);
    if (credit.kind === 'refused') return credit;
    const fault = accountTypeFault(debit.account, credit.account);
    if (fault !== undefined) return fault;
    if (debit.account.currency !== credit.account.currency)
      return refuse('ErrDifferentCurrencies', 'The accounts have different currencies');
    const refusal = refusalOf(exchange.state, 'migrating-accounts', user.id);
    if (refusal !== undefined) return refusal;
    if (!canPay(debit.account, amount))
      return refuse('ErrInsufficientFunds', shortageMessage(debit.account, amount));
    return change(() => {
      const move: Move = {
        id: exchange.nextId(),
        userId: user.id,
        clientMoveId,
        amount,
        debitAccountId: debit.account.id,
        creditAccountId: credit.account.id,
        createdMs: exchange.timeMs,
        updatedMs: exchange.timeMs,
        status: 'CREATED',
      };
      exchange.state.money.moves.set(move.id, move);
      const money = mutableMoneyOf(exchange.state.money, user.id);
      money.moveIds.push(move.id);
      if (clientMoveId !== '') money.moveIdByClientMoveId.set(clientMoveId, move.id);
      schedule(exchange, createdForMs, { kind: 'move', id: move.id });
      return { id: move.id, status: move.status };
    });
  },
};

export const moveHandlers: Pick<Handlers, 'getMove' | 'listMoves'> = {
  getMove: ({ id, client_move_id: clientMoveId }, { exchange, user }) => {
    if ((id === undefined) === (clientMoveId === undefined))
      return refuseArguments(
        ['id', 'client_move_id'],
        'Exactly one of id and client_move_id must be given',
      );
    const { money } = exchange.state;
    const moveId = id ?? moneyOf(money, user().id).moveIdByClientMoveId.get(clientMoveId ?? '');
    const move = moveId === undefined ? undefined : money.moves.get(moveId);
    if (move === undefined || move.userId !== user().id)
      return refuse('ErrFundsMoveNotFound', 'Funds move not found');
    return moveRecordOf(move);
  },

  listMoves: ({ before, limit = limits.listLimitDefault }, { exchange, user }) => {
    const { money } = exchange.state;
    const ids = moneyOf(money, user().id).moveIds;
    const moves: MoveRecord[] = [];
    for (let i = ids.length - 1; i >= 0 && moves.length < limit; i--) {
      const move = money.moves.get(ids[i] as string);
      if (move !== undefined && (before === undefined || move.createdMs < before))
        moves.push(moveRecordOf(move));
    }
    return { moves };
  },
};

/** Advances a move by one step. */
export function advanceMove(exchange: Exchange, id: string): void {
  const move = exchange.state.money.moves.get(id);
  if (move === undefined) return;
  const debit = exchange.accountOf(move.debitAccountId);
  const credit = exchange.accountOf(move.creditAccountId);
  const entry = { kind: 'TRANSFER' as const, reference: move.id };
  move.updatedMs = exchange.timeMs;
  if (move.status === 'MOVING') {
    move.status = 'SUCCESSFUL';
    exchange.record(debit, {
      ...entry,
      balanceDelta: -move.amount,
      reservedDelta: -move.amount,
      description: `Moved to ${credit.name}`,
    });
    exchange.record(credit, {
      ...entry,
      balanceDelta: move.amount,
      description: `Moved from ${debit.name}`,
    });
  } else if (canPay(debit, move.amount)) {
    move.status = 'MOVING';
    exchange.record(debit, {
      ...entry,
      reservedDelta: move.amount,
      description: 'Reserved for a move',
    });
    schedule(exchange, movingForMs, { kind: 'move', id });
  } else {
    move.status = 'FAILED';
  }
}

function moveRecordOf(move: Move): MoveRecord {
  return {
    id: move.id,
    client_move_id: move.clientMoveId,
    amount: formatWireAmount(move.amount),
    debit_account_id: move.debitAccountId,
    credit_account_id: move.creditAccountId,
    status: move.status,
    created_at: move.createdMs,
    updated_at: move.updatedMs,
  };
}
