/**
 * The slow oracle of the gate's limits: the whole history of an account in decimals, added up
 * anew for every question. It shares no code with the gate or its exposure.
 */
import { Decimal } from 'decimal.js';
import type { Market, Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { GateSettings } from '../../../src/risk/gate-limits.ts';

export const D = Decimal.clone({ precision: 80 });
export type D = Decimal;
export const day = 86_400_000;
export const startMs = Math.floor(1_750_000_000_000 / day) * day + day - 120_000;

const rules = {
  feeScale: 8,
  priceMin: 1 as Ticks,
  priceMax: (10 ** 12) as Ticks,
  volumeMin: 1 as Lots,
  volumeMax: (10 ** 9) as Lots,
  status: 'ACTIVE',
} as const;
export const markets: readonly (Market & { readonly mid: number })[] = [
  {
    ...rules,
    pair: 'XBTZAR',
    base: 'XBT',
    counter: 'ZAR',
    priceScale: 2,
    volumeScale: 4,
    mid: 100_000_000,
  },
  {
    ...rules,
    pair: 'ETHZAR',
    base: 'ETH',
    counter: 'ZAR',
    priceScale: 0,
    volumeScale: 6,
    mid: 50_000,
  },
  {
    ...rules,
    pair: 'ETHXBT',
    base: 'ETH',
    counter: 'XBT',
    priceScale: 6,
    volumeScale: 3,
    mid: 50_000,
  },
];
const marketOf = (pair: string) => markets.find((market) => market.pair === pair) as Market;
export const currencies = ['XBT', 'ZAR', 'ETH'];

const allow = {
  sides: ['BID', 'ASK'],
  types: ['limit'],
  timeInForce: ['GTC'],
  postOnly: 'allowed',
} as const;
const pairs = markets.map(({ pair }) => pair);
const limits = {
  account: {
    openNotionalMax: { ZAR: '60000', XBT: '0.1' },
    turnoverDayMax: { ZAR: '70000', XBT: '0.11' },
    lossDayMax: { ZAR: '400', XBT: '0.002' },
    ordersOpenMax: 6,
    ordersPerMinuteMax: 8,
  },
  pairs: Object.fromEntries(
    [
      ['XBTZAR', '0.03', '0.05'],
      ['ETHZAR', '0.6', '1'],
      ['ETHXBT', '0.6', '1'],
    ].map(([pair = '', orderBaseMax = '', positionBaseMax = '']) => [
      pair,
      { orderBaseMax, positionBaseMax, collar: '1', bookAgeMsMax: 1_000 },
    ]),
  ),
};
export const settings = {
  strategies: [
    { id: 'a', pairs, allow, budget: { ZAR: '40000', XBT: '0.06', ETH: '0.9' } },
    { id: 'b', pairs, allow, budget: { ZAR: '15000', XBT: '0.03', ETH: '0.4' } },
  ],
  limits,
  accounts: { XBT: '1', ZAR: '2', ETH: '3' },
} satisfies GateSettings;

export type Order = {
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

/** The history, kept as it happened; every total is added up anew. `at` counts what happened. */
export class History {
  at = 0;
  readonly orders: (Order & {
    id: string;
    left: number;
    over: boolean;
    timeMs: number;
    confirmedAt: number;
  })[] = [];
  readonly fills: (Order & {
    key: string;
    value: D;
    feeBase: D;
    feeCounter: D;
    timeMs: number;
    id: string;
    held: boolean;
    settledAt: number;
  })[] = [];
  readonly told: { currency: string; balance: D; available: D; askedAt: number }[] = [];

  volume(order: Pick<Order, 'pair'>, count: number): D {
    return new D(count).div(new D(10).pow(marketOf(order.pair).volumeScale));
  }

  price(order: Pick<Order, 'pair' | 'price'>): D {
    return new D(order.price).div(new D(10).pow(marketOf(order.pair).priceScale));
  }

  value(order: Order, count: number = order.volume): D {
    return this.price(order).times(this.volume(order, count));
  }

  open(): History['orders'] {
    return this.orders.filter(({ over }) => !over);
  }

  /** Returns what a fill brought (positive) or took of a currency. */
  flow(fill: History['fills'][number], currency: string): D {
    const market = marketOf(fill.pair);
    const sign = fill.side === 'BID' ? 1 : -1;
    let sum = new D(0);
    if (market.base === currency)
      sum = sum.plus(this.volume(fill, fill.volume).times(sign)).minus(fill.feeBase);
    if (market.counter === currency) sum = sum.minus(fill.value.times(sign)).minus(fill.feeCounter);
    return sum;
  }

  /** Returns what an order's open part pays, in which currency. */
  pays(order: Order, count: number): { currency: string; amount: D } {
    const market = marketOf(order.pair);
    return order.side === 'BID'
      ? { currency: market.counter, amount: this.value(order, count) }
      : { currency: market.base, amount: this.volume(order, count) };
  }

  free(currency: string): D | undefined {
    let last: History['told'][number] | undefined;
    for (const told of this.told) {
      if (told.currency === currency && told.askedAt >= (last?.askedAt ?? 0)) last = told;
    }
    if (last === undefined) return undefined;
    const asked = last.askedAt;
    let [fromBalance, fromAvailable] = [last.balance, last.available];
    const reserved = (id: string) =>
      this.orders.some((order) => order.id === id && order.confirmedAt < asked);
    for (const order of this.open()) {
      const pays = this.pays(order, order.left);
      if (pays.currency !== currency) continue;
      fromBalance = fromBalance.minus(pays.amount);
      if (!reserved(order.id)) fromAvailable = fromAvailable.minus(pays.amount);
    }
    for (const fill of this.fills) {
      const paid = this.pays(fill, fill.volume).currency;
      if (paid !== currency || fill.settledAt < asked) continue;
      const amount = this.flow(fill, currency).negated();
      fromBalance = fromBalance.minus(amount);
      if (!(fill.held && reserved(fill.id))) fromAvailable = fromAvailable.minus(amount);
    }
    return D.min(fromBalance, fromAvailable);
  }

  /** Returns the codes of the limits that `order` would break, were it open and then filled. */
  broken(order: Order, nowMs: number): Set<string> {
    const codes = new Set<string>();
    const market = marketOf(order.pair);
    const { base, counter } = market;
    const strategy = settings.strategies.find(({ id }) => id === order.strategyId);
    const own: Record<string, string> = strategy?.budget ?? {};
    const pairLimit = limits.pairs[order.pair];
    const account: Record<string, Record<string, string>> = { ...limits.account } as never;
    const above = (code: string, value: D, limit: string | undefined) => {
      if (limit === undefined || value.greaterThan(limit)) codes.add(code);
    };
    const isBid = order.side === 'BID';
    const sum = (values: readonly D[]) =>
      values.reduce((total, value) => total.plus(value), new D(0));
    const open = this.open();
    const volume = this.volume(order, order.volume);
    const value = this.value(order);
    above('ORDER_VOLUME', volume, pairLimit?.orderBaseMax);
    above('ORDER_VALUE', value, own[counter]);

    const onPair = this.fills.filter(({ pair }) => pair === order.pair);
    const sign = isBid ? 1 : -1;
    // Fees of an ETHXBT fill are of its own pair, so a pair's base counts that pair's fills alone.
    const pairBase = sum(
      onPair.map((fill) =>
        this.volume(fill, fill.volume)
          .times(fill.side === 'BID' ? 1 : -1)
          .minus(fill.feeBase),
      ),
    );
    const sameSide = open.filter(({ pair, side }) => pair === order.pair && side === order.side);
    const openVolume = sum(sameSide.map((other) => this.volume(other, other.left)));
    above(
      'POSITION',
      pairBase.times(sign).plus(openVolume).plus(volume),
      pairLimit?.positionBaseMax,
    );

    const mine = open.filter(({ strategyId }) => strategyId === order.strategyId);
    const flowOf = (currency: string) =>
      sum(
        this.fills
          .filter((fill) => fill.strategyId === order.strategyId)
          .map((fill) => this.flow(fill, currency)),
      );
    const paying = (currency: string) =>
      sum(
        mine
          .map((other) => this.pays(other, other.left))
          .filter((pays) => pays.currency === currency)
          .map(({ amount }) => amount),
      );
    const bought = sum(
      mine
        .filter((other) => other.side === 'BID' && marketOf(other.pair).base === base)
        .map((other) => this.volume(other, other.left)),
    );
    if (isBid) {
      above('BUDGET', flowOf(base).plus(bought).plus(volume), own[base]);
      above('BUDGET', value.plus(paying(counter)).minus(flowOf(counter)), own[counter]);
    } else {
      above('BUDGET', volume.plus(paying(base)).minus(flowOf(base)), own[base]);
    }

    const pays = this.pays(order, order.volume);
    const free = this.free(pays.currency);
    // The buffer is 1 %, rounded up at 18 decimals.
    const need = pays.amount.plus(pays.amount.div(100).toDecimalPlaces(18, D.ROUND_UP));
    if (free === undefined || need.greaterThan(free)) codes.add('FUNDS');

    const ofCounter = (pair: string) => marketOf(pair).counter === counter;
    const notional = sum(
      open.filter(({ pair }) => ofCounter(pair)).map((other) => this.value(other, other.left)),
    ).plus(value);
    above('OPEN_NOTIONAL', notional, account['openNotionalMax']?.[counter]);
    const today = this.fills.filter(
      (fill) => ofCounter(fill.pair) && Math.floor(fill.timeMs / day) === Math.floor(nowMs / day),
    );
    above(
      'TURNOVER_DAY',
      sum(today.map((fill) => fill.value)).plus(notional),
      account['turnoverDayMax']?.[counter],
    );
    if (open.length + 1 > limits.account.ordersOpenMax) codes.add('ORDERS_OPEN');
    const recent = this.orders.filter(({ timeMs }) => timeMs > nowMs - 60_000).length;
    if (recent + 1 > limits.account.ordersPerMinuteMax) codes.add('ORDERS_PER_MINUTE');
    const profit = sum(
      today.map((fill) => {
        const mid = this.price({
          pair: fill.pair,
          price: markets.find(({ pair }) => pair === fill.pair)?.mid as Ticks,
        });
        const gained = this.volume(fill, fill.volume)
          .times(fill.side === 'BID' ? 1 : -1)
          .minus(fill.feeBase);
        return gained
          .times(mid)
          .minus(fill.value.times(fill.side === 'BID' ? 1 : -1))
          .minus(fill.feeCounter);
      }),
    );
    const lossMax = account['lossDayMax']?.[counter];
    if (lossMax === undefined || profit.negated().greaterThanOrEqualTo(lossMax))
      codes.add('LOSS_DAY');
    return codes;
  }
}
