/**
 * What the exchange shows of our namespace and a database does not know, as records: orders with
 * new numbers, fills, and the rows of ledgers.
 *
 * Invariant: an order is final only if its fills add up to the exchange's record of it; the others
 * are settled by the run that follows, and what is open is cancelled, since nobody remembers what
 * it was for.
 */
import { isBuy } from '../../audit/compare-fills.ts';
import type { ExchangeRecord } from '../../audit/reconciliation.ts';
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { assert } from '../../domain/errors.ts';
import {
  formatLots,
  formatTicks,
  type Market,
  parseLots,
  parseTicks,
} from '../../domain/market.ts';
import { Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import type { OrderState } from '../../domain/order.ts';
import {
  type FillRow,
  type OrderRow,
  type StoreRecord,
  takenOverKey,
} from '../../domain/records.ts';
import type { OrderRecord, UserTrade } from '../../exchange-api/operations/order-operations.ts';
import { fillKeyOf } from '../../execution/fills/fill-book.ts';
import { fillRowOf } from '../../execution/fills/fill-row.ts';
import { AccountLedger } from '../../execution/reconcile/account-ledger.ts';
import type { StoreReports } from '../../store/store-reports.ts';

export type TakeOverOptions = {
  readonly reports: StoreReports;
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[];
  /** Account id per currency. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly markets: ReadonlyMap<string, Market>;
  readonly isUnknown: (clientOrderId: string) => boolean;
  readonly nowMs: number;
};

export type TakenOver = {
  readonly records: readonly StoreRecord[];
  readonly orders: readonly OrderRow[];
  readonly fills: number;
  readonly ledgerRows: number;
  /** Ids of orders that no order of a bot can be: of a form that Millrace does not place. */
  readonly unfit: readonly string[];
};

const takenOver = 'taken over from the exchange: the database did not know it';

/** Returns what is missing, in an order in which it can be written. */
export function recordsTakenOver(exchange: ExchangeRecord, options: TakeOverOptions): TakenOver {
  const { nowMs } = options;
  const trades = Map.groupBy(exchange.trades, (trade) => trade.client_order_id);
  const { orders, unfit } = ordersOf(exchange.orders, trades, options);
  const fills = fillsOf(exchange.trades, orders, options.reports);
  const rows = ledgerRowsOf(exchange, options);
  const records: StoreRecord[] = [
    ...orders.flatMap((row): StoreRecord[] => [
      { kind: 'order', row },
      {
        kind: 'evidence',
        intentId: row.intentId,
        atMs: nowMs,
        state: row.state,
        proof: takenOver,
      },
    ]),
    ...fills.flatMap((row): StoreRecord[] => [
      { kind: 'fill', row },
      {
        kind: 'witness',
        pair: row.pair,
        sequence: row.sequence,
        orderId: row.orderId,
        witness: 'list-of-trades',
      },
    ]),
    ...rows,
  ];
  return { records, orders, fills: fills.length, ledgerRows: rows.length, unfit };
}

type FoundOrder = Omit<OrderRow, 'intentId' | 'strategyId' | 'key' | 'reason'>;

function ordersOf(
  listed: readonly OrderRecord[],
  trades: ReadonlyMap<string, readonly UserTrade[]>,
  options: TakeOverOptions,
): Pick<TakenOver, 'orders' | 'unfit'> {
  const { isUnknown } = options;
  const found: FoundOrder[] = [];
  const unfit: string[] = [];
  for (const record of listed.filter((one) => isUnknown(one.client_order_id)))
    if (record.type === 'LIMIT')
      found.push(orderOf(record, trades.get(record.client_order_id) ?? [], options));
    else unfit.push(record.client_order_id);
  // Orders that ended long ago are listed no more; of those the trades tell.
  const listedIds = new Set(listed.map((record) => record.client_order_id));
  for (const [clientOrderId, own] of trades)
    if (!listedIds.has(clientOrderId) && isUnknown(clientOrderId))
      found.push(orderOfTrades(own, options));
  found.sort((a, b) => a.createdMs - b.createdMs);
  return { orders: numbered(found, options), unfit };
}

/** An order that the database has, and that never left as far as it knew, keeps what it was. */
function numbered(
  found: readonly FoundOrder[],
  { reports, strategies }: TakeOverOptions,
): readonly OrderRow[] {
  let intentIdNext = (reports.recentOrders(1).at(-1)?.intentId ?? 0) + 1;
  return found.map((order) => {
    const { clientOrderId, pair, state, orderId, cancelRequestedMs, completedMs } = order;
    const { base, counter, feeBase, feeCounter } = order;
    const sums = { base, counter, feeBase, feeCounter };
    const known = reports.findOrder({ clientOrderId });
    if (known !== undefined)
      return { ...known, ...sums, state, orderId, cancelRequestedMs, completedMs };
    // On a pair that nobody trades any more it still needs an owner.
    const owner = strategies.find(({ pairs }) => pairs.includes(pair)) ?? strategies[0];
    return {
      ...order,
      intentId: intentIdNext++,
      strategyId: owner?.id ?? '',
      key: takenOverKey(clientOrderId),
      reason: takenOver,
    };
  });
}

function orderOf(
  record: OrderRecord,
  trades: readonly UserTrade[],
  { markets, nowMs }: TakeOverOptions,
): FoundOrder {
  const timeInForce = record.time_in_force;
  const state = stateOf(record, trades);
  const isDone = state === 'filled' || state === 'cancelled';
  return {
    ...blankOrder,
    pair: record.pair,
    side: record.side === 'BUY' ? 'BID' : 'ASK',
    ...termsOf(record.limit_price, record.limit_volume, markets.get(record.pair)),
    timeInForce: timeInForce === 'IOC' || timeInForce === 'FOK' ? timeInForce : 'GTC',
    baseAccountId: record.base_account_id,
    counterAccountId: record.counter_account_id,
    clientOrderId: record.client_order_id,
    createdMs: record.creation_timestamp,
    validUntilMs: record.creation_timestamp,
    state,
    orderId: record.order_id,
    cancelRequestedMs: isDone ? undefined : nowMs,
    base: plain(record.base),
    counter: plain(record.counter),
    feeBase: plain(record.fee_base),
    feeCounter: plain(record.fee_counter),
    completedMs: state === 'open' ? undefined : record.completed_timestamp || nowMs,
  };
}

function plain(amount: string): string {
  return formatDecimal(decimalOf(amount));
}

/** As an order of ours writes them, since they must never change. */
function termsOf(
  price: string,
  volume: string,
  market: Market | undefined,
): Pick<OrderRow, 'price' | 'volume'> {
  const [plainPrice, plainVolume] = [plain(price), plain(volume)];
  if (market === undefined) return { price: plainPrice, volume: plainVolume };
  const [ticks, lots] = [parseTicks(plainPrice, market), parseLots(plainVolume, market)];
  return {
    price: ticks === undefined ? plainPrice : formatTicks(ticks, market),
    volume: lots === undefined ? plainVolume : formatLots(lots, market),
  };
}

function stateOf(record: OrderRecord, trades: readonly UserTrade[]): OrderState {
  if (record.status !== 'COMPLETE' && record.completed_timestamp === 0) return 'open';
  const isWhole = (['base', 'counter', 'fee_base', 'fee_counter'] as const).every((name) =>
    sumOf(trades, name).eq(decimalOf(record[name])),
  );
  if (!isWhole) return 'completing';
  return decimalOf(record.base).gte(decimalOf(record.limit_volume)) ? 'filled' : 'cancelled';
}

/** Its volume is what was traded, its price that of its last trade. */
function orderOfTrades(
  trades: readonly UserTrade[],
  { accounts, markets }: TakeOverOptions,
): FoundOrder {
  const [first] = trades;
  const last = trades.at(-1);
  assert(first !== undefined && last !== undefined, 'an order of trades has one');
  const amount = (name: 'base' | 'counter' | 'fee_base' | 'fee_counter'): string =>
    formatDecimal(sumOf(trades, name));
  const market = markets.get(first.pair);
  return {
    ...blankOrder,
    pair: first.pair,
    side: isBuy(first) ? 'BID' : 'ASK',
    ...termsOf(last.price, amount('base'), market),
    timeInForce: 'GTC',
    baseAccountId: accounts[market?.base ?? ''] ?? '',
    counterAccountId: accounts[market?.counter ?? ''] ?? '',
    clientOrderId: first.client_order_id,
    createdMs: first.timestamp,
    validUntilMs: first.timestamp,
    state: 'filled',
    orderId: first.order_id,
    cancelRequestedMs: undefined,
    base: amount('base'),
    counter: amount('counter'),
    feeBase: amount('fee_base'),
    feeCounter: amount('fee_counter'),
    completedMs: last.timestamp,
  };
}

/** What the exchange does not tell of an order. */
const blankOrder = {
  level: undefined,
  postOnly: false,
  attempts: 1,
  lastTimestampMs: undefined,
  lastTtlMs: undefined,
  ambiguous: false,
};

function sumOf(
  trades: readonly UserTrade[],
  name: 'base' | 'counter' | 'fee_base' | 'fee_counter',
): Decimal {
  return trades.reduce((sum, trade) => sum.plus(decimalOf(trade[name])), new Decimal(0));
}

/** The fills that are not stored, of orders that are taken over and of those that are stored. */
function fillsOf(
  trades: readonly UserTrade[],
  orders: readonly OrderRow[],
  reports: StoreReports,
): readonly FillRow[] {
  const byId = new Map(orders.map((row) => [row.clientOrderId, row]));
  const stored = new Set(reports.fills().map(fillKeyOf));
  return trades.flatMap((trade) => {
    const { pair, sequence, order_id: orderId, client_order_id: clientOrderId } = trade;
    if (stored.has(fillKeyOf({ pair, sequence, orderId }))) return [];
    const order = byId.get(clientOrderId) ?? reports.findOrder({ clientOrderId });
    if (order === undefined) return [];
    return fillRowOf(trade, order, isBuy(trade) ? 'BID' : 'ASK');
  });
}

/** The rows after the stored ones; a ledger that breaks its rules is left to the run. */
function ledgerRowsOf(
  { ledgers }: ExchangeRecord,
  { accounts, reports }: TakeOverOptions,
): readonly StoreRecord[] {
  const stored = reports.ledgerLatest();
  return Object.entries(accounts).flatMap(([currency, accountId]) => {
    const last = stored.find((row) => row.accountId === accountId);
    const ledger = new AccountLedger(accountId, currency, last);
    const records: StoreRecord[] = [];
    for (const entry of ledgers.get(accountId) ?? []) {
      if (entry.row_index < ledger.nextRow) continue;
      const row = ledger.take(entry);
      if ('wrong' in row) break;
      records.push({ kind: 'ledger-row', row });
    }
    return records;
  });
}
