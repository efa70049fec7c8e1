/** What can be asked of the memory store. Plain loops over everything: also a check on the SQL. */

import { keptFills } from '../../src/domain/kept-fills.ts';
import { isFinal, type OrderState } from '../../src/domain/order.ts';
import type {
  FillRow,
  FillTotals,
  LedgerRow,
  OrderRow,
  Restored,
} from '../../src/domain/records.ts';
import { storedTradingBlocks } from '../../src/domain/trading-block.ts';
import { DecimalSum } from '../../src/store/decimal-sum.ts';
import type { RecordOf } from '../../src/store/row-codecs.ts';
import type { OrderHistory, OrderReference, StoreReports } from '../../src/store/store-reports.ts';
import { type MemoryTables, tradeKeyOf } from './memory-tables.ts';

const dayMs = 86_400_000;

/** Returns what a run starts from. */
export function restoreFromMemory(tables: MemoryTables, nowMs: number): Restored {
  const fills = oldestFirst([...tables.fills.values()]);
  const isProven = (fill: FillRow) =>
    tables.witnesses.get(tradeKeyOf(fill))?.has('ledger') ?? false;
  const unproven = fills.filter((fill) => !isProven(fill));
  const recent = fills.filter(({ tradedMs }) => tradedMs >= nowMs - dayMs);
  const withNeeded = new Set([...unproven, ...recent].map((fill) => fill.intentId));
  const orders = byIntent(tables).filter(
    (order) =>
      !isFinal(order.state) ||
      (order.completedMs ?? order.createdMs) >= nowMs - dayMs ||
      withNeeded.has(order.intentId),
  );
  const watched = new Set(orders.map((order) => order.intentId));
  // Trades that the ledger proved, ours or not, but none of which a fill is still unproven.
  const explained = new Set<string>();
  for (const [key, seen] of tables.witnesses)
    if (seen.has('ledger')) explained.add(key.slice(0, key.lastIndexOf('\0')));
  for (const fill of unproven) explained.delete(`${fill.pair}\0${fill.sequence}`);
  const startMs = Math.floor(nowMs / dayMs) * dayMs;

  return {
    intentIdNext: (byIntent(tables).at(-1)?.intentId ?? 0) + 1,
    orders,
    fills: fills.filter((fill) => watched.has(fill.intentId)),
    judgedMids: judgedMidsOf(tables, nowMs - 600_000),
    usedKeys: byIntent(tables)
      .filter((order) => order.level === undefined)
      .map(({ strategyId, key }) => ({ strategyId, key })),
    earlierTraded: earlierTradedOf(tables, fills, watched),
    totals: totalsOf(fills),
    totalsToday: totalsOf(
      fills.filter(({ tradedMs }) => tradedMs >= startMs && tradedMs < startMs + dayMs),
    ),
    ledger: ledgerLatestOf(tables),
    unproven: unproven
      .sort(byTrade)
      .map(({ pair, sequence, orderId }) => ({ pair, sequence, orderId })),
    looseRows: byRow(tables).filter(
      ({ pair, sequence }) =>
        pair !== undefined && sequence !== undefined && !explained.has(`${pair}\0${sequence}`),
    ),
    foreignTrades: foreignTradesOf(tables, nowMs - dayMs),
    strategyStates: [...tables.strategyStates]
      .map(([strategyId, state]) => ({ strategyId, state }))
      .sort((a, b) => compare(a.strategyId, b.strategyId)),
    tradingStates: latestStatesOf(tables).map(({ scope, state, reason, atMs }) => ({
      ...{ scope, state, reason, atMs },
    })),
    riskStates: [...tables.riskStates]
      .map(([name, state]) => ({ name, state }))
      .sort((a, b) => compare(a.name, b.name)),
    approvals: [...new Map(tables.approvals.map((one) => [one.token, one])).values()]
      .filter(({ event, expiresMs }) => event === 'given' && expiresMs > nowMs)
      .map(({ token, expiresMs }) => ({ token, expiresMs }))
      .sort((a, b) => compare(a.token, b.token)),
  };
}

/** Trades since `sinceMs` that the ledger proved and that have no fill. */
function judgedMidsOf(tables: MemoryTables, sinceMs: number): Restored['judgedMids'] {
  return tables.decisions
    .flatMap(({ intentId, inputs }) => {
      const order = intentId === undefined ? undefined : tables.orders.get(intentId);
      const { mid2 } = JSON.parse(inputs) as { readonly mid2?: number };
      if (order === undefined || order.createdMs < sinceMs || mid2 === undefined) return [];
      return [{ intentId: order.intentId, mid2 }];
    })
    .sort((a, b) => a.intentId - b.intentId);
}

function foreignTradesOf(tables: MemoryTables, sinceMs: number): Restored['foreignTrades'] {
  const tradedMs = new Map<string, number>();
  for (const { pair, sequence, timestampMs } of tables.ledger.values()) {
    if (pair === undefined || sequence === undefined || timestampMs < sinceMs) continue;
    const key = `${pair}\0${sequence}`;
    tradedMs.set(key, Math.min(tradedMs.get(key) ?? timestampMs, timestampMs));
  }
  const trades = [...tables.witnesses].flatMap(([key, seen]) => {
    const [pair, sequence, orderId] = key.split('\0') as [string, string, string];
    const atMs = tradedMs.get(`${pair}\0${sequence}`);
    if (atMs === undefined || !seen.has('ledger') || tables.fills.has(key)) return [];
    return [{ pair, sequence, orderId, tradedMs: atMs }];
  });
  return trades.sort(byTrade);
}

function ordersCalled(orders: readonly OrderRow[], name: string) {
  const called = orders.filter(({ level, key }) => (level ?? key) === name);
  return [...Map.groupBy(called, ({ strategyId }) => strategyId)]
    .map(([strategyId, own]) => ({
      strategyId,
      count: own.length,
      newest: Math.max(...own.map(({ intentId }) => intentId)),
    }))
    .sort((a, b) => b.newest - a.newest);
}

export function createMemoryReports(tables: MemoryTables): StoreReports {
  return {
    orderCounts() {
      const counts: Partial<Record<OrderState, number>> = {};
      for (const { state } of tables.orders.values()) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    },
    openOrders: () => byIntent(tables).filter((order) => !isFinal(order.state)),
    orders: () => byIntent(tables),
    recentOrders: (countMax) => byIntent(tables).slice(-countMax),
    lastPlaced: () => lastPlaced(byIntent(tables)),
    recentQuotes: (countMax) =>
      byIntent(tables)
        .filter((order) => order.level !== undefined)
        .slice(-countMax),
    ordersCalled: (name) => ordersCalled(byIntent(tables), name),
    findOrder: (reference) => byIntent(tables).findLast((order) => isMeant(order, reference)),
    historyOf: (intentId) => historyOf(tables, intentId),
    fillCount: () => tables.fills.size,
    fills: (sinceMs = Number.NEGATIVE_INFINITY) =>
      oldestFirst([...tables.fills.values()]).filter((fill) => fill.tradedMs >= sinceMs),
    recentFills: (pair, countMax) =>
      [...tables.fills.values()]
        .filter((fill) => fill.pair === pair)
        .sort(bySequence)
        .slice(-countMax),
    fillTotals: () => totalsOf([...tables.fills.values()]),
    incidents: (countMax) => tables.incidents.toReversed().slice(0, countMax),
    incidentCounts() {
      const byCode = Map.groupBy(tables.incidents, ({ code }) => code);
      return [...byCode]
        .map(([code, found]) => ({ code, count: found.length }))
        .sort((a, b) => compare(a.code, b.code));
    },
    ledger: () => byRow(tables),
    ledgerOfTrade: ({ pair, sequence }) =>
      byRow(tables).filter((row) => row.pair === pair && row.sequence === sequence),
    ledgerLatest: () => ledgerLatestOf(tables),
    otherFlows: (pairs) => otherFlowsOf(tables, pairs),
    idleReasons: () =>
      [...tables.latestIdle.values()]
        .map(withoutKind)
        .sort((a, b) => compare(a.strategyId, b.strategyId) || compare(a.pair, b.pair)),
    doneStrategies: () =>
      [...tables.riskStates]
        .filter(([name, state]) => name.startsWith('done ') && state !== 'null')
        .map(([name, state]) => ({ strategyId: name.slice('done '.length), ...JSON.parse(state) }))
        .sort((a, b) => compare(a.strategyId, b.strategyId)),
    tradingBlocks: () =>
      storedTradingBlocks(
        [...tables.riskStates]
          .map(([name, state]) => ({ name, state }))
          .sort((a, b) => compare(a.name, b.name)),
      ),
    refusalCounts: (sinceMs) => refusalCountsOf(tables, sinceMs),
    refused: (sinceMs, countMax) =>
      tables.decisions
        .filter(({ verdict, atMs }) => verdict === 'refused' && atMs >= sinceMs)
        .toReversed()
        .slice(0, countMax)
        .map(withoutKind),
    decisionsBetween: (fromMs, toMs) =>
      tables.decisions.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(withoutKind),
    marketSamples: (pair, fromMs, toMs) =>
      tables.marketSamples
        .filter((one) => one.pair === pair && one.atMs >= fromMs && one.atMs < toMs)
        .sort((a, b) => a.atMs - b.atMs)
        .map(withoutKind),
    fillsWithMids: (pair, fromMs, toMs) =>
      oldestFirst([...tables.fills.values()])
        .filter((one) => one.pair === pair && one.tradedMs >= fromMs && one.tradedMs < toMs)
        .map((one) => ({ ...noMids, ...tables.fillMids.get(tradeKeyOf(one)), ...one })),
    fillSpreads: () => fillSpreadsOf(tables),
    operatorCommands: (countMax, beforeId = Number.POSITIVE_INFINITY) =>
      tables.operatorCommands
        .map((one, index) => ({ id: index + 1, ...withoutKind(one) }))
        .filter(({ id }) => id < beforeId)
        .reverse()
        .slice(0, countMax),
    limitsVersion: (hash) => tables.limitsVersions.get(hash)?.limits,
    tradingStates: () => latestStatesOf(tables).map(withoutKind),
    tradingStatesBetween: (fromMs, toMs) =>
      tables.tradingStates.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(withoutKind),
    incidentsBetween: (fromMs, toMs) =>
      tables.incidents.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
    runs: () => [],
  };
}

function historyOf(tables: MemoryTables, intentId: number): OrderHistory | undefined {
  const order = tables.orders.get(intentId);
  if (order === undefined) return undefined;
  const ofIntent = (row: { readonly intentId: number | undefined }) => row.intentId === intentId;
  return {
    order,
    decisions: tables.decisions.filter(ofIntent).map(withoutKind),
    evidence: tables.evidence.filter(ofIntent).map(withoutKind),
    attempts: [...tables.attempts.values()]
      .filter(ofIntent)
      .sort((a, b) => a.number - b.number)
      .map(withoutKind),
    outcomes: tables.outcomes.filter(ofIntent).map(withoutKind),
    fills: oldestFirst([...tables.fills.values()].filter(ofIntent)).map((fill) => {
      const seen = tables.witnesses.get(tradeKeyOf(fill));
      const all = ['user-stream', 'market-stream', 'list-of-trades', 'ledger'] as const;
      return { ...fill, witnesses: all.filter((witness) => seen?.has(witness)) };
    }),
  };
}

const noMids = {
  ...{ mid: undefined, spread: undefined },
  ...{ mid1s: undefined, mid10s: undefined, mid60s: undefined, mid300s: undefined },
};

function fillSpreadsOf(tables: MemoryTables): ReturnType<StoreReports['fillSpreads']> {
  const known = [...tables.fillMids.values()].filter(({ spread }) => spread !== undefined);
  const groups = Map.groupBy(known, ({ strategyId, pair }) => `${strategyId}\0${pair}`);
  return [...groups]
    .sort(([a], [b]) => compare(a, b))
    .map(([key, group]) => {
      const [strategyId = '', pair = ''] = key.split('\0');
      const sum = new DecimalSum();
      for (const { spread } of group) sum.add(spread);
      return { strategyId, pair, fills: group.length, spread: sum.toString() };
    });
}

function refusalCountsOf(
  tables: MemoryTables,
  sinceMs: number,
): ReturnType<StoreReports['refusalCounts']> {
  const counts = new Map<
    string,
    { strategyId: string; code: string; count: number; lastMs: number }
  >();
  for (const { verdict, atMs, strategyId, refusals } of tables.decisions) {
    if (verdict !== 'refused' || atMs < sinceMs) continue;
    for (const { code } of JSON.parse(refusals) as readonly { readonly code: string }[]) {
      const key = `${strategyId}\0${code}`;
      const before = counts.get(key) ?? { strategyId, code, count: 0, lastMs: atMs };
      counts.set(key, {
        ...before,
        count: before.count + 1,
        lastMs: Math.max(before.lastMs, atMs),
      });
    }
  }
  return [...counts.values()].sort(
    (a, b) => b.count - a.count || compare(a.strategyId, b.strategyId) || compare(a.code, b.code),
  );
}

/** What the newest orders by key of a strategy have traded, but those in `watched`. */
function earlierTradedOf(
  tables: MemoryTables,
  fills: readonly FillRow[],
  watched: ReadonlySet<number>,
): NonNullable<Restored['earlierTraded']> {
  const placed = byIntent(tables).filter(({ level }) => level === undefined);
  const newest = [...Map.groupBy(placed, ({ strategyId }) => strategyId).values()]
    .flatMap((orders) => orders.slice(-keptFills.ordersMax))
    .sort((a, b) => a.intentId - b.intentId);
  return newest.flatMap(({ intentId, strategyId, pair, key }) => {
    const own = fills.filter((fill) => fill.intentId === intentId);
    if (own.length === 0 || watched.has(intentId)) return [];
    return [{ strategyId, pair, key, ...sumsOf(own) }];
  });
}

function sumsOf(fills: readonly FillRow[]) {
  const sum = (field: 'base' | 'counter' | 'feeBase' | 'feeCounter') => {
    const total = new DecimalSum();
    for (const fill of fills) total.add(fill[field]);
    return total.toString();
  };
  return {
    base: sum('base'),
    counter: sum('counter'),
    feeBase: sum('feeBase'),
    feeCounter: sum('feeCounter'),
  };
}

function totalsOf(fills: readonly FillRow[]): FillTotals[] {
  const groups = Map.groupBy(
    fills,
    ({ strategyId, pair, side }) => `${strategyId}\0${pair}\0${side}`,
  );
  return [...groups]
    .sort(([a], [b]) => compare(a, b))
    .map(([key, group]) => {
      const [strategyId = '', pair = '', side = ''] = key.split('\0');
      const count = group.length;
      return { strategyId, pair, side: side as FillTotals['side'], ...sumsOf(group), count };
    });
}

function ledgerLatestOf(tables: MemoryTables): LedgerRow[] {
  const latest = new Map(byRow(tables).map((row) => [row.accountId, row]));
  return [...latest.values()];
}

function otherFlowsOf(
  tables: MemoryTables,
  pairs: readonly string[] | undefined,
): { accountId: string; sum: string }[] {
  const sums = new Map<string, DecimalSum>();
  for (const { accountId, pair, balanceDelta } of byRow(tables)) {
    if (pair !== undefined && pairs?.includes(pair) !== false) continue;
    const sum = sums.get(accountId) ?? new DecimalSum();
    sum.add(balanceDelta);
    sums.set(accountId, sum);
  }
  return [...sums].map(([accountId, sum]) => ({ accountId, sum: sum.toString() }));
}

function latestStatesOf(tables: MemoryTables): RecordOf<'trading-state'>[] {
  const latest = new Map(tables.tradingStates.map((state) => [state.scope, state]));
  return [...latest.values()].sort((a, b) => compare(a.scope, b.scope));
}

function isMeant(order: OrderRow, reference: OrderReference): boolean {
  if ('intentId' in reference) return order.intentId === reference.intentId;
  if ('clientOrderId' in reference) return order.clientOrderId === reference.clientOrderId;
  return order.orderId === reference.orderId;
}

function byIntent(tables: MemoryTables): OrderRow[] {
  return [...tables.orders.values()].sort((a, b) => a.intentId - b.intentId);
}

function byRow(tables: MemoryTables): LedgerRow[] {
  return [...tables.ledger.values()].sort(
    (a, b) => compare(a.accountId, b.accountId) || a.rowIndex - b.rowIndex,
  );
}

function oldestFirst(fills: FillRow[]): FillRow[] {
  return fills.sort((a, b) => a.tradedMs - b.tradedMs || byTrade(a, b));
}

type TradeKey = Pick<FillRow, 'pair' | 'sequence' | 'orderId'>;

function byTrade(a: TradeKey, b: TradeKey): number {
  return (
    compare(a.pair, b.pair) ||
    compare(BigInt(a.sequence), BigInt(b.sequence)) ||
    compare(a.orderId, b.orderId)
  );
}

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutKind<Row extends { readonly kind: string }>(row: Row): Omit<Row, 'kind'> {
  const { kind: _, ...rest } = row;
  return rest;
}

function lastPlaced(orders: readonly OrderRow[]) {
  const found = new Map<string, { strategyId: string; pair: string; atMs: number }>();
  for (const { strategyId, pair, createdMs } of orders) {
    const name = `${strategyId} ${pair}`;
    const atMs = Math.max(createdMs, found.get(name)?.atMs ?? 0);
    found.set(name, { strategyId, pair, atMs });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function bySequence(a: FillRow, b: FillRow): number {
  const [first, second] = [BigInt(a.sequence), BigInt(b.sequence)];
  if (first !== second) return first < second ? -1 : 1;
  return compare(a.orderId, b.orderId);
}
