/** Deposits and withdrawals that an operator of the simulated exchange makes directly. */
import { amountOf } from '../../../../domain/amount.ts';
import type { Exchange } from '../core/exchange.ts';
import { addTransfer } from './transfers.ts';

/** Adds `amount`, a decimal, to an account from outside, or removes it if it is negative. */
export function deposit(exchange: Exchange, accountId: string, amount: string): void {
  const account = exchange.accountOf(accountId);
  const balanceDelta = amountOf(amount);
  exchange.countDeposit(account.currency, balanceDelta);
  exchange.record(account, { balanceDelta, kind: 'TRANSFER', description: 'Deposit' });
  const isInbound = balanceDelta > 0n;
  const size = isInbound ? balanceDelta : -balanceDelta;
  addTransfer(exchange, account, { amount: size, fee: 0n, isInbound, transactionId: '' });
}
