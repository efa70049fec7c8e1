/**
 * Holds the store against the exchange, independently of the engine: every trade, every balance.
 */
import type { Client } from '../client/client.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillTotals } from '../domain/records.ts';
import { clientOrderIdPrefix } from '../execution/client-order-id.ts';
import type { OrderRecord, UserTrade } from '../interface/operations/orders.ts';
import type { StoreReports } from '../store/store-reports.ts';

export type Audit = {
  readonly fills: number;
  readonly fillsAtExchange: number;
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
};

const pageSize = 1000;

/** Compares. `pairs` as base and counter by pair; `accounts` are account ids by currency. */
export async function audit(options: {
  readonly client: Pick<Client, 'listtrades' | 'balance' | 'listOrdersV2'>;
  readonly reports: StoreReports;
  readonly namespace: string;
  readonly accounts: Readonly<Record<string, string>>;
  readonly pairs: ReadonlyMap<string, { readonly base: string; readonly counter: string }>;
}): Promise<Audit> {
  const { client, reports, namespace, accounts, pairs } = options;
  const prefix = clientOrderIdPrefix(namespace);
  const totals = reports.fillTotals();
  let fillsAtExchange = 0;
  let position = new Decimal(0);
  for (const pair of pairs.keys())
    for (const trade of await allTrades(client, pair)) {
      if (!trade.client_order_id.startsWith(prefix)) continue;
      fillsAtExchange++;
      position = position.plus(signed(trade.type === 'BID' || trade.type === 'BUY', trade.base));
    }
  for (const total of totals) position = position.minus(signed(total.side === 'BID', total.base));

  const { balance } = await client.balance({});
  const flows = reports.otherFlows();
  const balances = Object.entries(accounts).map(([currency, accountId]) => {
    const exchange = balance.find((entry) => entry.account_id === accountId)?.balance ?? '0';
    const other = flows.find((flow) => flow.accountId === accountId)?.sum ?? '0';
    const traded = tradedIn(currency, totals, pairs);
    return { currency, exchange, expected: formatDecimal(decimalOf(other).plus(traded)) };
  });
  const difference = balances.reduce(
    (sum, one) => sum.plus(decimalOf(one.exchange).minus(one.expected).abs()),
    new Decimal(0),
  );
  const open = await allOpenOrders(client);
  return {
    fills: reports.fillCount(),
    fillsAtExchange,
    positionDifference: formatDecimal(position),
    balanceDifference: formatDecimal(difference),
    openOrders: open.filter((order) => order.client_order_id.startsWith(prefix)).length,
    balances,
  };
}

/** Newest first; several can share a millisecond, so each page begins with the last one's end. */
async function allOpenOrders(
  client: Pick<Client, 'listOrdersV2'>,
): Promise<readonly OrderRecord[]> {
  const byId = new Map<string, OrderRecord>();
  let before: number | undefined;
  for (;;) {
    const { orders } = await client.listOrdersV2({
      limit: pageSize,
      ...(before === undefined ? {} : { created_before: before }),
    });
    for (const order of orders) byId.set(order.order_id, order);
    const last = orders.at(-1)?.creation_timestamp;
    if (orders.length < pageSize || last === undefined) return [...byId.values()];
    // More in one millisecond than a page has: what is behind them cannot be listed together.
    before = last + 1 === before ? last : last + 1;
  }
}

async function allTrades(
  client: Pick<Client, 'listtrades'>,
  pair: string,
): Promise<readonly UserTrade[]> {
  const bySequence = new Map<string, UserTrade>();
  let from = '1';
  for (;;) {
    const { trades } = await client.listtrades({ pair, after_seq: from, limit: pageSize });
    for (const trade of trades) bySequence.set(`${trade.sequence} ${trade.order_id}`, trade);
    const last = trades.at(-1)?.sequence;
    if (trades.length < pageSize || last === undefined || last === from)
      return [...bySequence.values()];
    from = last;
  }
}

/** What our fills changed in a currency, fees included. */
function tradedIn(
  currency: string,
  totals: readonly FillTotals[],
  pairs: ReadonlyMap<string, { readonly base: string; readonly counter: string }>,
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
