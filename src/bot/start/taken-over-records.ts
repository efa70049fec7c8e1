/**
 * Creates the records of orders, fills and ledger rows that the exchange lists and a database does
 * not know. The orders get new numbers.
 *
 * Invariant: an order is final only if its fills add up to its record at the exchange; the next run
 * settles the others, and cancels the open ones, because their purpose is unknown.
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
import { fillKeyOf, fillRowOf } from '../../execution/fills/fill-row.ts';
import { AccountLedger, ledgerRowOf } from '../../execution/reconcile/account-ledger.ts';
import type { StoreReports } from '../../store/store-reports.ts';
import type { OrderRecord, UserTrade } from '../../venues/luno/api/operations/order-operations.ts';

export type TakeOverOptions = {
  readonly reports: StoreReports;
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[];
  /** Account ids by currency. */
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
  /** Client ids of orders of types that Millrace does not place. */
  readonly unfit: readonly string[];
};

const takenOver = 'taken over from the exchange: the database did not know it';

/** Returns the missing records, in an order in which they can be stored. */
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
  // The exchange lists no orders that ended long ago, but it does list their trades.
  const listedIds = new Set(listed.map((record) => record.client_order_id));
  for (const [clientOrderId, own] of trades)
    if (!listedIds.has(clientOrderId) && isUnknown(clientOrderId))
      found.push(orderOfTrades(own, options));
  found.sort((a, b) => a.createdMs - b.createdMs);
  return { orders: numbered(found, options), unfit };
}

/** Adds numbers and owners; an order that the database knows as never sent keeps its own. */
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
    // An order of a pair that no strategy trades any more needs an owner, too.
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

/** Price and volume in the form in which our own orders store them. */
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

/** Creates an order from its trades: its volume is the traded one, its price the last trade's. */
function orderOfTrades(
  trades: readonly UserTrade[],
  { accounts, markets }: TakeOverOptions,
): FoundOrder {
  const [first] = trades;
  const last = trades.at(-1);
  assert(first !== undefined && last !== undefined, 'an order made from trades needs at least one');
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

/** Values of an order that the exchange does not report. */
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

/** Returns the fills that are not stored, of taken-over and of stored orders. */
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

/** Returns the rows after the stored ones; the run will report a ledger that breaks its rules. */
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
      if (ledger.take(entry) !== undefined) break;
      records.push({ kind: 'ledger-row', row: ledgerRowOf(accountId, entry) });
    }
    return records;
  });
}
