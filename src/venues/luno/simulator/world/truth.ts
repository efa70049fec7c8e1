/**
 * The true orders, trades and accounts of a user, against which a bot is checked, and consistency
 * checks of the exchange itself.
 */
import { type Amount, formatWireAmount } from '../../../../domain/amount.ts';
import type { Side } from '../../../../domain/market.ts';
import { noLots } from '../../../../domain/ticks-and-lots.ts';
import {
  payerIdOf,
  remainingOf,
  reservationOf,
} from '../../../../exchange-accounts/account-order.ts';
import { isTriggered } from '../../../../exchange-accounts/stop-book.ts';
import type { TransactionEntry } from '../../api/operations/account-operations.ts';
import type { OrderRecord } from '../../api/operations/order-operations.ts';
import { stringifyWireJson } from '../../api/wire-json.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { ExecutedTrade } from '../core/exchange-state.ts';
import { transactionEntriesOf } from '../core/ledger-records.ts';
import { restingOrders } from '../core/market-updates.ts';
import { orderRecordOf } from '../core/order-records.ts';
import { moneyRecordFaults, reservedByMoney } from '../money/money-faults.ts';

export type Truth = {
  /** In order of creation. */
  readonly orders: readonly OrderRecord[];
  /** In order of execution. */
  readonly trades: readonly ExecutedTrade[];
  readonly accounts: readonly {
    readonly id: string;
    readonly currency: string;
    readonly balance: string;
    readonly reserved: string;
    readonly rows: readonly TransactionEntry[];
  }[];
};

/** Returns everything that belongs to a recorded user. Throws if there is no such user. */
export function truthOf(exchange: Exchange, userId: string): Truth {
  const user = exchange.userOf(userId);
  const accounts = [...exchange.state.accounts.values()].filter(
    (account) => account.userId === userId,
  );
  return {
    orders: user.orderIds.flatMap((id) => {
      const order = exchange.orderOf(userId, id);
      return order === undefined
        ? []
        : [orderRecordOf(order, exchange.marketOf(order.pair).market)];
    }),
    trades: [...user.trades],
    accounts: accounts.map((account) => {
      // There are many rows and they never change, so they are formatted only when they are read.
      const rows = [...(account.rows ?? [])];
      const marketOf = (pair: string) => exchange.marketOf(pair).market;
      return {
        id: account.id,
        currency: account.currency,
        balance: formatWireAmount(account.balance),
        reserved: formatWireAmount(account.reserved),
        get rows() {
          return transactionEntriesOf(account, rows, marketOf);
        },
      };
    }),
  };
}

/** How many records of a truth are written as one piece of text. */
const pieceRecords = 500;

/**
 * Returns the truth of a user as the pieces of one JSON text, so that a long one never exists as a
 * whole. It is the truth of this moment, however late a piece is read: what changes, the open
 * orders, is copied now; finished orders, trades and rows never change.
 */
export function truthPiecesOf(exchange: Exchange, userId: string): Iterable<string> {
  const user = exchange.userOf(userId);
  const marketOf = (pair: string) => exchange.marketOf(pair).market;
  const orders = user.orderIds.flatMap((id) => {
    const order = exchange.orderOf(userId, id);
    if (order === undefined) return [];
    return [order.status === 'COMPLETE' ? order : { ...order }];
  });
  const trades = [...user.trades];
  const accounts = [...exchange.state.accounts.values()]
    .filter((account) => account.userId === userId)
    .map((account) => ({ ...account, rows: [...(account.rows ?? [])] }));
  return (function* () {
    yield '{"orders":';
    yield* listPieces(orders, (order) => orderRecordOf(order, marketOf(order.pair)));
    yield ',"trades":';
    yield* listPieces(trades, (trade) => trade);
    yield ',"accounts":[';
    for (const [index, account] of accounts.entries()) {
      const { id, currency, balance, reserved, rows } = account;
      const head = stringifyWireJson({
        id,
        currency,
        balance: formatWireAmount(balance),
        reserved: formatWireAmount(reserved),
      });
      yield `${index === 0 ? '' : ','}${head.slice(0, -1)},"rows":`;
      yield* listPieces(rows, (row) => transactionEntriesOf(account, [row], marketOf)[0] as object);
      yield '}';
    }
    yield ']}';
  })();
}

function* listPieces<T>(list: readonly T[], recordOf: (one: T) => object): Generator<string> {
  yield '[';
  for (let start = 0; start < list.length; start += pieceRecords) {
    const records = list.slice(start, start + pieceRecords).map(recordOf);
    yield `${start === 0 ? '' : ','}${stringifyWireJson(records).slice(1, -1)}`;
  }
  yield ']';
}

/** Returns a sentence for every broken invariant of the exchange; empty if there is none. */
export function faultsOf(exchange: Exchange): string[] {
  return [
    ...moneyFaults(exchange),
    ...[...exchange.state.accounts.values()].flatMap(ledgerFaults),
    ...reservationFaults(exchange),
    ...moneyRecordFaults(exchange),
    ...bookFaults(exchange),
  ];
}

function moneyFaults(exchange: Exchange): string[] {
  const sums = new Map<string, Amount>();
  for (const { currency, balance } of exchange.state.accounts.values())
    sums.set(currency, (sums.get(currency) ?? 0n) + balance);
  return [...sums].flatMap(([currency, sum]) => {
    const deposited = exchange.state.deposited.get(currency) ?? 0n;
    if (sum === deposited) return [];
    return [
      `${currency}: balances add up to ${formatWireAmount(sum)}, but net deposits are ${formatWireAmount(deposited)}`,
    ];
  });
}

function ledgerFaults(account: Account): string[] {
  const faults: string[] = [];
  const report = (fault: string): unknown => faults.push(`account ${account.id}: ${fault}`);
  if (account.reserved < 0n) report('the reserved amount is below zero');
  if (account.rows === undefined) return faults;
  if (account.balance < account.reserved) report('the available balance is below zero');
  const [oldest] = account.rows;
  const dropped = account.rowCount - account.rows.length;
  if (dropped < 0) report('there are more rows than were written');
  let balance = dropped === 0 || oldest === undefined ? 0n : oldest.balance - oldest.balanceDelta;
  let available =
    dropped === 0 || oldest === undefined ? 0n : oldest.available - oldest.availableDelta;
  for (const [index, row] of account.rows.entries()) {
    const number = dropped + index + 1;
    balance += row.balanceDelta;
    available += row.availableDelta;
    if (row.rowIndex !== number) report(`row ${number} is numbered ${row.rowIndex}`);
    if (row.balance !== balance) report(`row ${row.rowIndex} has the wrong balance`);
    if (row.available !== available) report(`row ${row.rowIndex} has the wrong available balance`);
  }
  if (balance !== account.balance) report('the balance is not the sum of its rows');
  if (available !== account.balance - account.reserved)
    report('the available balance is not the sum of its rows');
  return faults;
}

function reservationFaults(exchange: Exchange): string[] {
  const sums = reservedByMoney(exchange);
  const faults: string[] = [];
  for (const order of exchange.state.orders.values()) {
    const { market } = exchange.marketOf(order.pair);
    const { spend: _, ...terms } = order;
    const left = order.status === 'COMPLETE' ? noLots : remainingOf(order);
    if (order.reserved !== reservationOf({ ...terms, volume: left }, market))
      faults.push(
        `order ${order.id} reserves ${formatWireAmount(order.reserved)}, which is not what it needs`,
      );
    const payer = payerIdOf(order);
    sums.set(payer, (sums.get(payer) ?? 0n) + order.reserved);
  }
  for (const account of exchange.state.accounts.values()) {
    const sum = sums.get(account.id) ?? 0n;
    if (sum !== account.reserved)
      faults.push(
        `account ${account.id}: orders and payments reserve ${formatWireAmount(sum)}, but the account reserves ${formatWireAmount(account.reserved)}`,
      );
  }
  return faults;
}

function bookFaults(exchange: Exchange): string[] {
  const faults: string[] = [];
  let resting = 0;
  for (const { market } of exchange.state.markets.values()) {
    const book = exchange.bookOf(market.pair);
    if (book.book.isCrossed()) faults.push(`${market.pair}: the book is crossed`);
    for (const side of ['BID', 'ASK'] satisfies Side[])
      for (const slot of restingOrders(book, side)) {
        resting += 1;
        const order = exchange.state.orders.get(book.idOf(slot));
        if (order?.status !== 'PENDING' || remainingOf(order) !== book.book.volumeOf(slot))
          faults.push(
            `${market.pair}: the resting order ${book.idOf(slot)} is not pending with this volume`,
          );
      }
  }
  const orders = [...exchange.state.orders.values()];
  for (const { id, status, stop, pair } of orders) {
    const last = exchange.marketOf(pair).lastTradePrice;
    if (status !== 'AWAITING' || last === undefined || stop === undefined) continue;
    if (isTriggered(stop, { low: last, high: last }))
      faults.push(
        `${pair}: stop order ${id} was not triggered by the last trade, at ${last} ticks`,
      );
  }
  const pending = orders.filter(({ status }) => status === 'PENDING');
  if (pending.length !== resting)
    faults.push(`${pending.length} orders are pending, but ${resting} rest in the books`);
  return faults;
}
