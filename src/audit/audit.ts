/** Compares the store's trades and balances with the exchange's, independently of the engine. */

import { formatAmount } from '../domain/amount.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillRow, FillTotals, LedgerRow } from '../domain/records.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import type { StoreReports } from '../store/store-reports.ts';
import type { VenueReader } from '../venue/venue-reader.ts';
import type { TradeView } from '../venue/venue-reply.ts';
import { compareFills } from './compare-fills.ts';
import type { Difference } from './difference.ts';
import { readBalances, readOpenOrders, readTrades } from './exchange-account.ts';

export type Audit = {
  /** The number of compared fills, and of the exchange's for the same span. */
  readonly fills: number;
  readonly fillsAtExchange: number;
  /** The number of fills in the store; an audit may compare only the newest. */
  readonly fillsInAll: number;
  /** Base bought minus sold: the exchange's trades minus our fills, over all pairs. */
  readonly positionDifference: string;
  /**
   * Sum over the currencies of |balance at the exchange − expected balance|, where the expected one
   * is the sum of other ledger flows and of our fills.
   */
  readonly balanceDifference: string;
  readonly openOrders: number;
  readonly balances: readonly {
    readonly currency: string;
    readonly exchange: string;
    readonly expected: string;
  }[];
  /** By fill and by currency. */
  readonly differences: readonly Difference[];
};

export type Pairs = ReadonlyMap<string, { readonly base: string; readonly counter: string }>;

/** The exchange's records, read at one moment; open orders are this bot's only. */
export type ExchangeTotals = {
  /** This bot's trades. */
  readonly trades: readonly TradeView[];
  /** Trades of others on the same account, which also change its balances. */
  readonly foreignTrades: readonly TradeView[];
  readonly openOrders: number;
  /** By account id. */
  readonly balances: ReadonlyMap<string, string>;
};

/**
 * How many of a pair's newest fills are compared at the end of a run. The ledger has proven the
 * older ones, and a shutdown has 30 seconds. `millrace reconcile` compares all fills.
 */
const auditedFillsMax = 10_000;

/** Reads the exchange and compares. `accounts` has the account id by currency. */
export async function audit(options: {
  readonly venue: VenueReader;
  readonly reports: StoreReports;
  readonly namespace: string;
  readonly accounts: Readonly<Record<string, string>>;
  readonly pairs: Pairs;
}): Promise<Audit> {
  const { venue, namespace, pairs, reports } = options;
  const prefix = clientOrderIdPrefix(namespace);
  const trades: TradeView[] = [];
  const foreignTrades: TradeView[] = [];
  const fills: FillRow[] = [];
  for (const pair of pairs.keys()) {
    const { after, compared } = comparedOf(reports, pair);
    fills.push(...compared);
    for (const trade of await readTrades(venue, pair, { prefix, from: after }))
      if (trade.sequence !== after)
        (trade.clientOrderId.startsWith(prefix) ? trades : foreignTrades).push(trade);
  }
  const balances = await readBalances(venue);
  const open = await readOpenOrders(venue, prefix);
  const openOrders = open.length;
  return auditOf({ ...options, fills, exchange: { trades, foreignTrades, balances, openOrders } });
}

/** Returns the fills of a pair to compare, and the sequence after which they begin, if any. */
function comparedOf(
  reports: StoreReports,
  pair: string,
): { readonly after: string | undefined; readonly compared: readonly FillRow[] } {
  const newest = reports.recentFills(pair, auditedFillsMax);
  const [oldest] = newest;
  if (oldest === undefined || newest.length < auditedFillsMax)
    return { after: undefined, compared: newest };
  // The other half of a trade with ourselves may be cut off, so the oldest sequence is skipped.
  const compared = newest.filter(({ sequence }) => sequence !== oldest.sequence);
  return { after: oldest.sequence, compared };
}

/** Compares the exchange's records with the store. */
export function auditOf(options: {
  readonly exchange: ExchangeTotals;
  /** The fills to compare with the exchange's trades. */
  readonly fills: readonly FillRow[];
  readonly reports: StoreReports;
  readonly accounts: Readonly<Record<string, string>>;
  readonly pairs: Pairs;
}): Audit {
  const { exchange, fills, reports, accounts, pairs } = options;
  const differences: Difference[] = [];
  const report = (difference: Difference): void => void differences.push(difference);
  const totals = reports.fillTotals();
  let position = new Decimal(0);
  for (const trade of exchange.trades)
    position = position.plus(signed(trade.side === 'BID', formatAmount(trade.sums.base)));
  for (const fill of fills) position = position.minus(signed(fill.side === 'BID', fill.base));
  compareFills(fills, exchange.trades, report);

  // Pairs that are no longer traded are counted by their ledger rows.
  const flows = reports.otherFlows([...pairs.keys()]);
  const foreign = foreignFlows(exchange, fills, reports);
  let balanceDifference = new Decimal(0);
  const balances = Object.entries(accounts).map(([currency, accountId]) => {
    const found = exchange.balances.get(accountId) ?? '0';
    const byFlows = flows.find((flow) => flow.accountId === accountId)?.sum ?? '0';
    const traded = tradedIn(currency, totals, pairs);
    const byOthers = foreign.rows
      .filter((row) => row.accountId === accountId)
      .reduce((sum, row) => sum.plus(row.balanceDelta), new Decimal(0))
      .minus(tradedIn(currency, foreign.own, pairs));
    const expected = formatDecimal(decimalOf(byFlows).plus(byOthers).plus(traded));
    const difference = decimalOf(found).minus(expected).abs();
    balanceDifference = balanceDifference.plus(difference);
    if (!difference.isZero())
      report({
        kind: 'balance',
        subject: currency,
        field: 'balance (in the store: sum of other flows and our fills)',
        store: expected,
        exchange: found,
      });
    return { currency, exchange: found, expected };
  });
  return {
    fills: fills.length,
    fillsInAll: reports.fillCount(),
    fillsAtExchange: exchange.trades.length,
    positionDifference: formatDecimal(position),
    balanceDifference: formatDecimal(balanceDifference),
    openOrders: exchange.openOrders,
    balances,
    differences,
  };
}

/**
 * Returns the ledger rows of trades in which another bot or a person took part, and our own fills
 * of those trades: two bots on one account may trade with each other.
 */
function foreignFlows(
  { foreignTrades }: ExchangeTotals,
  fills: readonly FillRow[],
  reports: StoreReports,
): { readonly rows: readonly LedgerRow[]; readonly own: readonly FillRow[] } {
  const trades = new Map(foreignTrades.map((trade) => [tradeKeyOf(trade), trade]));
  return {
    rows: [...trades.values()].flatMap((trade) => reports.ledgerOfTrade(trade)),
    own: fills.filter((fill) => trades.has(tradeKeyOf(fill))),
  };
}

/** Returns the key of a trade, which both of its sides share. */
export function tradeKeyOf({ pair, sequence }: Pick<TradeView, 'pair' | 'sequence'>): string {
  return `${pair} ${sequence}`;
}

/** Returns the change of a currency by our fills, fees included. */
function tradedIn(
  currency: string,
  totals: readonly Omit<FillTotals, 'count'>[],
  pairs: Pairs,
): Decimal {
  let sum = new Decimal(0);
  for (const total of totals) {
    const market = pairs.get(total.pair);
    const isBuy = total.side === 'BID';
    if (market?.base === currency) sum = sum.plus(signed(isBuy, total.base)).minus(total.feeBase);
    if (market?.counter === currency)
      sum = sum.plus(signed(!isBuy, total.counter)).minus(total.feeCounter);
  }
  return sum;
}

function signed(isPositive: boolean, amount: string): Decimal {
  return isPositive ? decimalOf(amount) : decimalOf(amount).neg();
}
