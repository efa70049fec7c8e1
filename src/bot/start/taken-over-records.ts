/**
 * Creates the records of orders, fills and ledger rows that the exchange lists and a database does
 * not know. The orders get new numbers.
 *
 * Invariant: an order is final only if its fills add up to its record at the exchange; the next run
 * settles the others, and cancels the open ones, because their purpose is unknown.
 */
import type { ExchangeRecord } from '../../audit/reconciliation.ts';
import {
  type Amount,
  formatAmount,
  lotsOfAmount,
  type Sums,
  ticksOfAmount,
} from '../../domain/amount.ts';
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { assert } from '../../domain/errors.ts';
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import type { OrderState } from '../../domain/order.ts';
import {
  type FillRow,
  type LedgerRow,
  type OrderRow,
  type StoreRecord,
  takenOverKey,
} from '../../domain/records.ts';
import { fillKeyOf } from '../../execution/fills/own-trade.ts';
import { addSums, equalSums, noSums } from '../../execution/orders/sums.ts';
import { AccountLedger } from '../../execution/reconcile/account-ledger.ts';
import type { StoreReports } from '../../store/store-reports.ts';
import type { MovementView, OrderView, TradeView } from '../../venue/venue-reply.ts';

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
  const trades = Map.groupBy(exchange.trades, (trade) => trade.clientOrderId);
  const { orders, unfit } = ordersOf(exchange.orders, trades, options);
  const fills = fillsOf(exchange.trades, orders, options);
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
  listed: readonly OrderView[],
  trades: ReadonlyMap<string, readonly TradeView[]>,
  options: TakeOverOptions,
): Pick<TakenOver, 'orders' | 'unfit'> {
  const { isUnknown } = options;
  const found: FoundOrder[] = [];
  const unfit: string[] = [];
  // A market order has ended when it can be read, and its record has no price: it is made of its
  // trades.
  const priced = listed.filter(({ type }) => type !== 'market');
  for (const view of priced.filter((one) => isUnknown(one.clientOrderId)))
    if (view.type === 'other') unfit.push(view.clientOrderId);
    else found.push(orderOf(view, trades.get(view.clientOrderId) ?? [], options));
  // The exchange lists no orders that ended long ago, but it does list their trades.
  const listedIds = new Set(priced.map((view) => view.clientOrderId));
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
  view: OrderView,
  trades: readonly TradeView[],
  { markets, nowMs }: TakeOverOptions,
): FoundOrder {
  const { pair, side, createdMs } = view;
  const state = stateOf(view, trades);
  const isDone = state === 'filled' || state === 'cancelled';
  return {
    ...blankOrder,
    pair,
    side,
    ...termsOf(view.price, view.volume, markets.get(pair)),
    timeInForce: view.timeInForce ?? 'GTC',
    ...stopTermsOf(view, markets.get(pair)),
    baseAccountId: view.baseAccount,
    counterAccountId: view.counterAccount,
    clientOrderId: view.clientOrderId,
    createdMs,
    validUntilMs: createdMs,
    state,
    orderId: view.orderId,
    cancelRequestedMs: isDone ? undefined : nowMs,
    ...sumTextsOf(view.sums),
    completedMs: state === 'open' ? undefined : (view.endedMs ?? nowMs),
  };
}

type SumTexts = Pick<OrderRow, 'base' | 'counter' | 'feeBase' | 'feeCounter'>;

function sumTextsOf({ base, counter, feeBase, feeCounter }: Sums): SumTexts {
  return {
    base: formatAmount(base),
    counter: formatAmount(counter),
    feeBase: formatAmount(feeBase),
    feeCounter: formatAmount(feeCounter),
  };
}

/** Price and volume in the form in which our own orders store them. */
function termsOf(
  price: Amount,
  volume: Amount,
  market: Market | undefined,
): Pick<OrderRow, 'price' | 'volume'> {
  const ticks = market && ticksOfAmount(price, market);
  const lots = market && lotsOfAmount(volume, market);
  return {
    price: ticks === undefined ? formatAmount(price) : formatTicks(ticks, market as Market),
    volume: lots === undefined ? formatAmount(volume) : formatLots(lots, market as Market),
  };
}

function stopTermsOf(
  { stop }: OrderView,
  market: Market | undefined,
): Pick<OrderRow, 'stopDirection' | 'stopPrice'> {
  if (stop === undefined) return noStop;
  const ticks = market && ticksOfAmount(stop.price, market);
  const stopPrice =
    ticks === undefined ? formatAmount(stop.price) : formatTicks(ticks, market as Market);
  return { stopDirection: stop.direction, stopPrice };
}

function stateOf(view: OrderView, trades: readonly TradeView[]): OrderState {
  if (!view.isEnded) return 'open';
  if (!equalSums(sumOf(trades), view.sums)) return 'completing';
  return view.sums.base >= view.volume ? 'filled' : 'cancelled';
}

/** Creates an order from its trades: its volume is the traded one, its price the last trade's. */
function orderOfTrades(
  trades: readonly TradeView[],
  { accounts, markets }: TakeOverOptions,
): FoundOrder {
  const [first] = trades;
  const last = trades.at(-1);
  assert(first !== undefined && last !== undefined, 'an order made from trades needs at least one');
  const sums = sumOf(trades);
  const market = markets.get(first.pair);
  return {
    ...blankOrder,
    pair: first.pair,
    side: first.side,
    ...termsOf(last.price, sums.base, market),
    timeInForce: 'GTC',
    baseAccountId: accounts[market?.base ?? ''] ?? '',
    counterAccountId: accounts[market?.counter ?? ''] ?? '',
    clientOrderId: first.clientOrderId,
    createdMs: first.atMs,
    validUntilMs: first.atMs,
    state: 'filled',
    orderId: first.orderId,
    cancelRequestedMs: undefined,
    ...sumTextsOf(sums),
    completedMs: last.atMs,
  };
}

const noStop = { stopDirection: undefined, stopPrice: undefined };

/** Values of an order that the exchange does not report. */
const blankOrder = {
  ...noStop,
  pays: undefined,
  expiresMs: undefined,
  level: undefined,
  tag: undefined,
  postOnly: false,
  attempts: 1,
  lastTimestampMs: undefined,
  lastTtlMs: undefined,
  ambiguous: false,
};

function sumOf(trades: readonly TradeView[]): Sums {
  return trades.reduce((sum, trade) => addSums(sum, trade.sums), noSums);
}

/** Returns the fills that are not stored, of taken-over and of stored orders. */
function fillsOf(
  trades: readonly TradeView[],
  orders: readonly OrderRow[],
  { reports, markets }: TakeOverOptions,
): readonly FillRow[] {
  const byId = new Map(orders.map((row) => [row.clientOrderId, row]));
  const stored = new Set(reports.fills().map(fillKeyOf));
  return trades.flatMap((trade) => {
    const { pair, sequence, orderId, clientOrderId } = trade;
    if (stored.has(fillKeyOf({ pair, sequence, orderId }))) return [];
    const order = byId.get(clientOrderId) ?? reports.findOrder({ clientOrderId });
    if (order === undefined) return [];
    const { intentId, strategyId } = order;
    return {
      ...{ pair, sequence, orderId, intentId, strategyId, side: trade.side },
      ...termsOf(trade.price, trade.volume, markets.get(pair)),
      ...sumTextsOf(trade.sums),
      ...{ tradedMs: trade.atMs, maker: trade.isMaker },
    };
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
    for (const movement of ledgers.get(accountId) ?? []) {
      if (movement.row < ledger.nextRow) continue;
      if (ledger.take(movement) !== undefined) break;
      records.push({ kind: 'ledger-row', row: ledgerRowOf(accountId, movement) });
    }
    return records;
  });
}

function ledgerRowOf(accountId: string, movement: MovementView): LedgerRow {
  const { row, currency, kind, trade, text, atMs } = movement;
  return {
    ...{ accountId, rowIndex: row, currency, kind },
    balance: formatAmount(movement.balance),
    balanceDelta: formatAmount(movement.delta),
    available: formatAmount(movement.available),
    availableDelta: formatAmount(movement.availableDelta),
    ...{ pair: trade?.pair, sequence: trade?.sequence, description: text, timestampMs: atMs },
  };
}
