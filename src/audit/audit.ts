/**
 * Holds the store against the exchange, independently of the engine: every trade, every balance.
 */
import type { Client } from '../client/client.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillRow, FillTotals, LedgerRow } from '../domain/records.ts';
import type { UserTrade } from '../exchange-api/operations/order-operations.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import type { StoreReports } from '../store/store-reports.ts';
import { compareFills, isBuy } from './compare-fills.ts';
import type { Difference } from './difference.ts';
import { readBalances, readOpenOrders, readTrades } from './exchange-account.ts';

export type Audit = {
  /** Fills that were compared, and the exchange's of the same span. */
  readonly fills: number;
  readonly fillsAtExchange: number;
  /** All that the store has; more than were compared only of an account with many. */
  readonly fillsInAll: number;
  /** Base currency by the exchange's list of trades less that by our fills, over all pairs. */
  readonly positionDifference: string;
  /**
   * Sum over the currencies of |balance at the exchange − what other flows and our fills add up
   * to|.
   */
  readonly balanceDifference: string;
  readonly openOrders: number;
  readonly balances: readonly {
    readonly currency: string;
    readonly exchange: string;
    readonly expected: string;
  }[];
  /** Fill by fill and currency by currency. */
  readonly differences: readonly Difference[];
};

export type Pairs = ReadonlyMap<string, { readonly base: string; readonly counter: string }>;

/** What the exchange says, read at one moment; orders are those of this bot only. */
export type ExchangeTotals = {
  /** This bot's. */
  readonly trades: readonly UserTrade[];
  /** Of others on the same account: they move its balances, too. */
  readonly foreignTrades: readonly UserTrade[];
  readonly openOrders: number;
  /** By account id. */
  readonly balances: ReadonlyMap<string, string>;
};

/**
 * So many of a pair's newest fills are compared at the end of a run: every older one was proven by
 * the ledger, and an end has half a minute. `millrace reconcile` compares all.
 */
export const auditedFillsMax = 10_000;

/** Reads and compares. `pairs` as base and counter by pair; `accounts` are ids by currency. */
export async function audit(options: {
  readonly client: Pick<Client, 'listtrades' | 'balance' | 'listOrdersV2'>;
  readonly reports: StoreReports;
  readonly namespace: string;
  readonly accounts: Readonly<Record<string, string>>;
  readonly pairs: Pairs;
}): Promise<Audit> {
  const { client, namespace, pairs, reports } = options;
  const prefix = clientOrderIdPrefix(namespace);
  const trades: UserTrade[] = [];
  const foreignTrades: UserTrade[] = [];
  const fills: FillRow[] = [];
  for (const pair of pairs.keys()) {
    const { from, compared } = comparedOf(reports, pair);
    fills.push(...compared);
    for (const trade of await readTrades(client, pair, from))
      (trade.client_order_id.startsWith(prefix) ? trades : foreignTrades).push(trade);
  }
  const balances = await readBalances(client);
  const open = await readOpenOrders(client, prefix);
  const openOrders = open.length;
  return auditOf({ ...options, fills, exchange: { trades, foreignTrades, balances, openOrders } });
}

/** The fills of a pair that are compared, and the sequence from which the exchange is asked. */
function comparedOf(
  reports: StoreReports,
  pair: string,
): { readonly from: string; readonly compared: readonly FillRow[] } {
  const newest = reports.recentFills(pair, auditedFillsMax);
  const [oldest] = newest;
  if (oldest === undefined || newest.length < auditedFillsMax)
    return { from: '1', compared: newest };
  // Of a trade with ourselves the other half may be cut off, so the oldest sequence is left out.
  const compared = newest.filter(({ sequence }) => sequence !== oldest.sequence);
  return { from: String(BigInt(oldest.sequence) + 1n), compared };
}

/** Compares what was read with the store. */
export function auditOf(options: {
  readonly exchange: ExchangeTotals;
  /** Those that the trades of the exchange are compared with. */
  readonly fills: readonly FillRow[];
  readonly reports: StoreReports;
  readonly accounts: Readonly<Record<string, string>>;
  readonly pairs: Pairs;
}): Audit {
  const { exchange, fills, reports, accounts, pairs } = options;
  const differences: Difference[] = [];
  const tell = (difference: Difference): void => void differences.push(difference);
  const totals = reports.fillTotals();
  let position = new Decimal(0);
  for (const trade of exchange.trades) position = position.plus(signed(isBuy(trade), trade.base));
  for (const fill of fills) position = position.minus(signed(fill.side === 'BID', fill.base));
  compareFills(fills, exchange.trades, tell);

  // Of pairs that are traded no more the ledger tells.
  const flows = reports.otherFlows([...pairs.keys()]);
  const foreign = foreignFlows(exchange, fills, reports);
  let balanceDifference = new Decimal(0);
  const balances = Object.entries(accounts).map(([currency, accountId]) => {
    const found = exchange.balances.get(accountId) ?? '0';
    const other = flows.find((flow) => flow.accountId === accountId)?.sum ?? '0';
    const traded = tradedIn(currency, totals, pairs);
    const byOthers = foreign.rows
      .filter((row) => row.accountId === accountId)
      .reduce((sum, row) => sum.plus(row.balanceDelta), new Decimal(0))
      .minus(tradedIn(currency, foreign.own, pairs));
    const expected = formatDecimal(decimalOf(other).plus(byOthers).plus(traded));
    const difference = decimalOf(found).minus(expected).abs();
    balanceDifference = balanceDifference.plus(difference);
    if (!difference.isZero())
      tell({
        kind: 'balance',
        subject: currency,
        field: 'balance that other flows and our fills add up to',
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
 * The ledger's rows of trades in which another bot or a person has a part, and our own part in
 * them: two bots on one account may trade with each other.
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

/** Names a trade, whichever of its halves are listed. */
export function tradeKeyOf({ pair, sequence }: Pick<UserTrade, 'pair' | 'sequence'>): string {
  return `${pair} ${sequence}`;
}

/** What our fills changed in a currency, fees included. */
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
