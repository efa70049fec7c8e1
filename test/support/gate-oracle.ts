/**
 * The slow oracle of the gate: what is true of an account, as plain lists, and which limits an order
 * would break, added up anew in integers of 10^-18 from decimal strings. It shares no code with the
 * gate or its exposure.
 */
const one = 10n ** 18n;
const dayMs = 86_400_000;

const known = new Map<string, bigint>();

/** An amount of at most 18 decimals as an integer of 10^-18. */
export function amount(text: string): bigint {
  const before = known.get(text);
  if (before !== undefined) return before;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = BigInt(whole + fraction.padEnd(18, '0'));
  const value = text.startsWith('-') ? -digits : digits;
  if (known.size > 100_000) known.clear();
  known.set(text, value);
  return value;
}

/** The product of two amounts; exact, since scales add up to 18 at most. */
export const times = (a: bigint, b: bigint): bigint => (a * b) / one;
const size = (a: bigint): bigint => (a < 0n ? -a : a);
const floor = (a: bigint, b: bigint): bigint => (a % b < 0n ? a / b - 1n : a / b);

export type Side = 'BID' | 'ASK';
export type OracleMarket = {
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  readonly priceMin: bigint;
  readonly priceMax: bigint;
  readonly volumeMin: bigint;
  readonly volumeMax: bigint;
};
export type OracleOrder = {
  readonly strategy: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: bigint;
  readonly volume: bigint;
  readonly timeInForce: string;
  readonly postOnly: boolean;
  readonly accounts: readonly [base: string, counter: string];
  readonly createdMs: number;
};
export type Placed = OracleOrder & {
  readonly placedMs: number;
  /** Its distance from the mid times its volume, doubled. */
  readonly stray2: bigint;
  readonly fillsBefore: number;
  left: bigint;
  isOver: boolean;
  isWithdrawn: boolean;
  withdrawnMs: number;
  confirmedAt: number;
};
export type OracleFill = {
  readonly order: Placed;
  readonly strategy: string;
  readonly pair: string;
  readonly side: Side;
  readonly volume: bigint;
  readonly price: bigint;
  readonly feeBase: bigint;
  readonly feeCounter: bigint;
  readonly atMs: number;
  /** Whether its order was open, so that what it reserved paid for it. */
  readonly isHeld: boolean;
  settledAt: number;
};
type Level = { readonly price: bigint; readonly volume: bigint };
export type PairView = {
  status: string | undefined;
  unknown: number;
  isUsable: boolean;
  ageMs: number | undefined;
  /** Best bid plus best ask. */
  mid2: bigint | undefined;
  median: bigint | undefined;
  medianAgeMs: number | undefined;
  bids: readonly Level[];
  asks: readonly Level[];
};
export type Rules = {
  readonly strategies: Readonly<
    Record<
      string,
      {
        readonly pairs: readonly string[];
        readonly sides: readonly string[];
        readonly timeInForce: readonly string[];
        readonly postOnly: string;
        readonly budget: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly accounts: Readonly<Record<string, string>>;
  readonly money: Readonly<
    Record<
      | 'openNotionalMax'
      | 'turnoverDayMax'
      | 'lossDayMax'
      | 'drawdownMax'
      | 'collarBudgetMax'
      | 'approveAbove'
      | 'strategyOpenMax',
      Readonly<Record<string, string>>
    >
  >;
  readonly pairs: Readonly<
    Record<
      string,
      {
        readonly orderMax: string;
        readonly positionMax: string;
        readonly collar: string;
        readonly slippage: string;
        readonly depthShare: string;
        readonly bookAgeMs: number;
      }
    >
  >;
  readonly feeBuffer: string;
  readonly ordersOpen: number;
  readonly perSecond: number;
  readonly perMinute: number;
  readonly strategyPerSecond: number;
  readonly strategyPerMinute: number;
  readonly cancelShare: string;
  readonly ordersPerFill: number;
  readonly identical: { readonly max: number; readonly withinMs: number };
  readonly fills: { readonly max: number; readonly withinMs: number };
  readonly rejections: { readonly max: number; readonly withinMs: number };
  readonly refusals: { readonly max: number; readonly withinMs: number };
  readonly losing: { readonly max: number; readonly restMs: number };
  readonly intentAgeMs: number;
};

/** What the gate's table of codes calls each broken rule. */
export class Oracle {
  readonly rules: Rules;
  readonly markets: ReadonlyMap<string, OracleMarket>;
  nowMs: number;
  /** Counts what happened, so that it is known what came first. */
  at = 0;
  states: Record<string, string | undefined> = {};
  environment = { mode: 'demo', to: 'simulator', flag: false, key: '', allowed: '' };
  areSettingsApproved: boolean | undefined = undefined;
  isCodeApproved = true;
  health = {
    reconciled: true,
    durable: true,
    locked: true,
    skewMs: 0 as number | undefined,
    unknown: 0,
  };
  views: Record<string, PairView> = {};
  readonly orders: Placed[] = [];
  readonly fills: OracleFill[] = [];
  readonly told: { currency: string; balance: bigint; available: bigint; askedAt: number }[] = [];
  readonly rejections: { strategy: string; atMs: number }[] = [];
  readonly refusals: { strategy: string; atMs: number }[] = [];
  /** Until when each approved order may be placed, by {@link nameOf}. */
  readonly approvals = new Map<string, number>();
  readonly #peaks = new Map<string, bigint>();
  readonly #runs = new Map<
    string,
    { base: bigint; cost: bigint; losses: number; untilMs: number }
  >();

  constructor(rules: Rules, markets: readonly OracleMarket[], nowMs: number) {
    this.rules = rules;
    this.markets = new Map(markets.map((market) => [market.pair, market]));
    this.nowMs = nowMs;
  }

  /** What an approval is given for. */
  static nameOf(order: OracleOrder): string {
    const { strategy, pair, side, price, volume, timeInForce, postOnly, accounts } = order;
    return [strategy, pair, side, price, volume, timeInForce, postOnly, ...accounts].join('|');
  }

  /** Keeps an order that was let through. */
  place(order: OracleOrder): Placed {
    const mid2 = this.views[order.pair]?.mid2 ?? 2n * order.price;
    const placed: Placed = {
      ...order,
      placedMs: this.nowMs,
      stray2: times(size(2n * order.price - mid2), order.volume),
      fillsBefore: this.#fillsOf(order.strategy, order.pair),
      left: order.volume,
      isOver: false,
      isWithdrawn: false,
      withdrawnMs: 0,
      confirmedAt: Number.POSITIVE_INFINITY,
    };
    this.orders.push(placed);
    return placed;
  }

  /** Keeps a fill, and what follows from it for losses. */
  fill(fill: OracleFill): void {
    this.fills.push(fill);
    if (!fill.order.isOver)
      fill.order.left -= fill.volume < fill.order.left ? fill.volume : fill.order.left;
    this.#follow(fill);
    const { counter } = this.#market(fill.pair);
    const last = new Map(this.fills.map(({ pair, price }) => [pair, 2n * price]));
    const profit = this.#profit(counter, this.fills, (pair) => last.get(pair));
    if ((profit ?? 0n) > (this.#peaks.get(counter) ?? 0n)) this.#peaks.set(counter, profit ?? 0n);
  }

  /** Returns the codes of everything that stands against the order. */
  against(order: OracleOrder): Set<string> {
    const codes = new Set<string>();
    const say = (code: string, isBroken: boolean): void => {
      if (isBroken) codes.add(code);
    };
    this.#situation(order, say);
    this.#order(order, say);
    this.#prices(order, say);
    this.#own(order, say);
    this.#amounts(order, say);
    this.#rates(order, say);
    this.#losses(order, say);
    return codes;
  }

  #situation({ strategy, pair }: OracleOrder, say: Say): void {
    const { states, environment: e, health: h } = this;
    const scopes = ['bot', `strategy:${strategy}`, `pair:${pair}`];
    const isOn = (scope: string) => states[scope] === 'ACTIVE' || states[scope] === 'REDUCING';
    say('TRADING_STATE', !scopes.every(isOn));
    const to = { demo: 'simulator', paper: 'tape', backtest: 'tape', live: 'exchange' }[e.mode];
    const isLiveRight = e.mode !== 'live' || (e.flag && e.key !== '' && e.key === e.allowed);
    say('ENVIRONMENT', e.to !== to || !isLiveRight);
    const { areSettingsApproved } = this;
    if (areSettingsApproved === undefined) say('VERSION', e.mode === 'live');
    else say('VERSION', !areSettingsApproved || !this.isCodeApproved);
    say('NOT_RECONCILED', !h.reconciled);
    say('STORE_NOT_DURABLE', !h.durable);
    say('LOCK_NOT_HELD', !h.locked);
    say('CLOCK_SKEW', h.skewMs === undefined || Math.abs(h.skewMs) > 2_000);
    say('UNKNOWN_ORDERS', h.unknown > 5 || (this.views[pair]?.unknown ?? 9) > 2);
  }

  #order(order: OracleOrder, say: Say): void {
    const { strategy, pair, side, price, volume, timeInForce, postOnly, accounts } = order;
    const may = this.rules.strategies[strategy];
    const market = this.#market(pair);
    const isPostOnlyRight =
      may?.postOnly === 'allowed' || (may?.postOnly === 'required') === postOnly;
    say(
      'NOT_PERMITTED',
      may === undefined ||
        !may.pairs.includes(pair) ||
        !may.sides.includes(side) ||
        !may.timeInForce.includes(timeInForce) ||
        !isPostOnlyRight ||
        accounts[0] !== this.rules.accounts[market.base] ||
        accounts[1] !== this.rules.accounts[market.counter],
    );
    say('FORM', postOnly && timeInForce !== 'GTC');
    say('PRICE_RANGE', price < market.priceMin || price > market.priceMax);
    say('VOLUME_RANGE', volume < market.volumeMin || volume > market.volumeMax);
    const status = this.views[pair]?.status;
    say('MARKET_STATUS', status !== 'ACTIVE' && !(status === 'POST_ONLY' && postOnly));
    say(
      'AGE',
      !(this.nowMs - order.createdMs <= this.rules.intentAgeMs && this.nowMs >= order.createdMs),
    );
  }

  #prices(order: OracleOrder, say: Say): void {
    const { pair, price, volume, side, postOnly } = order;
    const view = this.views[pair];
    const limit = this.rules.pairs[pair];
    if (view === undefined || limit === undefined) throw new RangeError(`no view of ${pair}`);
    const { mid2, median } = view;
    const isFar = (reference2: bigint | undefined) =>
      reference2 === undefined ||
      size(2n * price - reference2) * one > amount(limit.collar) * reference2;
    say('BOOK_UNUSABLE', !view.isUsable);
    say('BOOK_STALE', view.ageMs === undefined || view.ageMs > limit.bookAgeMs);
    say('TRADES_STALE', view.medianAgeMs === undefined || view.medianAgeMs > 60_000);
    say('COLLAR_MID', isFar(mid2));
    say('COLLAR_TRADES', isFar(median === undefined ? undefined : 2n * median));

    const { counter } = this.#market(pair);
    const within = (one_: Placed) => one_.placedMs > this.nowMs - 300_000;
    const strayed = this.orders
      .filter((other) => within(other) && this.#market(other.pair).counter === counter)
      .reduce((sum, { stray2 }) => sum + stray2, 0n);
    const stray = mid2 === undefined ? undefined : times(size(2n * price - mid2), volume) + strayed;
    const budget = this.#money('collarBudgetMax', counter);
    say('COLLAR_BUDGET', stray === undefined || budget === undefined || stray > 2n * budget);

    if (postOnly) return;
    if (mid2 === undefined || !view.isUsable) {
      say('SLIPPAGE', true);
      return;
    }
    const levels = (side === 'BID' ? view.asks : view.bids).slice(0, 100);
    let [left, took, paid] = [volume, 0n, 0n];
    for (const level of levels) {
      if (side === 'BID' ? level.price > price : level.price < price) break;
      const part = level.volume < left ? level.volume : left;
      took += part;
      paid += part * level.price;
      left -= part;
    }
    if (took === 0n) return;
    say('SLIPPAGE', size(2n * paid - mid2 * took) * one > amount(limit.slippage) * mid2 * took);
    const depth = levels.reduce((sum, level) => sum + level.volume, 0n);
    say('DEPTH_SHARE', volume * one > amount(limit.depthShare) * depth);
  }

  #own(order: OracleOrder, say: Say): void {
    const open = this.orders.filter((other) => !other.isOver && other.pair === order.pair);
    const { identical } = this.rules;
    const alike = open.filter(
      (other) =>
        other.strategy === order.strategy &&
        other.side === order.side &&
        other.price === order.price &&
        other.volume === order.volume &&
        !other.isWithdrawn &&
        other.placedMs > this.nowMs - identical.withinMs &&
        other.fillsBefore === this.#fillsOf(order.strategy, order.pair),
    );
    say('DUPLICATE', alike.length + 1 > identical.max);
    const meets = (other: Placed) =>
      other.side !== order.side &&
      (order.side === 'BID' ? other.price <= order.price : other.price >= order.price);
    say('SELF_TRADE', open.some(meets));

    const scopes = ['bot', `strategy:${order.strategy}`, `pair:${order.pair}`];
    if (!scopes.some((scope) => this.states[scope] === 'REDUCING')) return;
    const held = this.#gained(order.strategy, order.pair)[0];
    const same = open
      .filter((other) => other.strategy === order.strategy && other.side === order.side)
      .reduce((sum, other) => sum + other.left, 0n);
    const after = order.side === 'BID' ? held + same + order.volume : held - same - order.volume;
    say('REDUCE_ONLY', order.side === 'BID' ? after > 0n : after < 0n);
  }

  #amounts(order: OracleOrder, say: Say): void {
    const { strategy, pair, side, price, volume } = order;
    const { base, counter } = this.#market(pair);
    const value = times(price, volume);
    const limit = this.rules.pairs[pair];
    const budget = this.rules.strategies[strategy]?.budget ?? {};
    const above = (code: string, seen: bigint, max: string | undefined) =>
      say(code, max === undefined || seen > amount(max));
    above('ORDER_VOLUME', volume, limit?.orderMax);
    above('ORDER_VALUE', value, budget[counter]);

    const open = this.orders.filter((other) => !other.isOver);
    const sum = (orders: readonly Placed[], of: (other: Placed) => bigint) =>
      orders.reduce((total, other) => total + of(other), 0n);
    const onSide = open.filter((other) => other.pair === pair && other.side === side);
    const heldByAll = Object.keys(this.rules.strategies).reduce(
      (total, name) => total + this.#gained(name, pair)[0],
      0n,
    );
    const signed = side === 'BID' ? heldByAll : -heldByAll;
    above('POSITION', signed + sum(onSide, (other) => other.left) + volume, limit?.positionMax);

    const mine = open.filter((other) => other.strategy === strategy);
    const paying = (currency: string) =>
      sum(mine, (other) => {
        const market = this.#market(other.pair);
        if (other.side === 'BID' && market.counter === currency)
          return times(other.price, other.left);
        return other.side === 'ASK' && market.base === currency ? other.left : 0n;
      });
    const buying = sum(mine, (other) =>
      other.side === 'BID' && this.#market(other.pair).base === base ? other.left : 0n,
    );
    const flow = (currency: string) => this.#flow(strategy, currency);
    if (side === 'BID') {
      above('BUDGET', flow(base) + buying + volume, budget[base]);
      above('BUDGET', value + paying(counter) - flow(counter), budget[counter]);
    } else above('BUDGET', volume + paying(base) - flow(base), budget[base]);

    const pays = side === 'BID' ? value : volume;
    const free = this.#free(side === 'BID' ? counter : base);
    const needed = pays + (pays * amount(this.rules.feeBuffer) + one - 1n) / one;
    say('FUNDS', free === undefined || needed > free);

    const inCounter = open.filter((other) => this.#market(other.pair).counter === counter);
    const openValue = (orders: readonly Placed[]) =>
      sum(orders, (other) => times(other.price, other.left));
    const notional = openValue(inCounter) + value;
    const over = (code: string, seen: bigint, name: keyof Rules['money']) => {
      const max = this.#money(name, counter);
      say(code, max === undefined || seen > max);
    };
    over('OPEN_NOTIONAL', notional, 'openNotionalMax');
    const traded = this.#today(counter).reduce(
      (total, fill) => total + times(fill.price, fill.volume),
      0n,
    );
    over('TURNOVER_DAY', notional + traded, 'turnoverDayMax');
    const ofStrategy = inCounter.filter((other) => other.strategy === strategy);
    over('UNEXECUTED', openValue(ofStrategy) + value, 'strategyOpenMax');
    say('ORDERS_OPEN', open.length + 1 > this.rules.ordersOpen);
    const soft = this.#money('approveAbove', counter);
    const untilMs = this.approvals.get(Oracle.nameOf(order)) ?? 0;
    say('APPROVAL', soft === undefined || (value > soft && this.nowMs >= untilMs));
  }

  #rates({ strategy }: OracleOrder, say: Say): void {
    const { rules, nowMs } = this;
    const placed = (withinMs: number, name?: string) =>
      this.orders.filter(
        (other) =>
          other.placedMs > nowMs - withinMs && (name === undefined || other.strategy === name),
      ).length;
    say('ORDERS_PER_SECOND', placed(1_000) + 1 > rules.perSecond);
    say('ORDERS_PER_MINUTE', placed(60_000) + 1 > rules.perMinute);
    say('STRATEGY_PER_SECOND', placed(1_000, strategy) + 1 > rules.strategyPerSecond);
    say('STRATEGY_PER_MINUTE', placed(60_000, strategy) + 1 > rules.strategyPerMinute);
    const orders = placed(3_600_000, strategy) + 1;
    const fillsWithin = (withinMs: number) =>
      this.fills.filter((fill) => fill.strategy === strategy && fill.atMs > nowMs - withinMs)
        .length;
    if (orders > 100) {
      const cancels = this.orders.filter(
        (other) =>
          other.strategy === strategy && other.isWithdrawn && other.withdrawnMs > nowMs - 3_600_000,
      ).length;
      say('CANCEL_SHARE', BigInt(cancels) * one > amount(rules.cancelShare) * BigInt(orders));
      say('ORDERS_PER_FILL', orders > rules.ordersPerFill * Math.max(1, fillsWithin(3_600_000)));
    }
    const within = (list: readonly { strategy: string; atMs: number }[], spanMs: number) =>
      list.filter((entry) => entry.strategy === strategy && entry.atMs > nowMs - spanMs).length;
    say('REPEATED_FILLS', fillsWithin(rules.fills.withinMs) > rules.fills.max);
    say('REJECTIONS', within(this.rejections, rules.rejections.withinMs) > rules.rejections.max);
    say('REFUSALS', within(this.refusals, rules.refusals.withinMs) > rules.refusals.max);
  }

  #losses({ strategy, pair }: OracleOrder, say: Say): void {
    const { counter } = this.#market(pair);
    const mid2Of = (name: string) => {
      const view = this.views[name];
      return view?.isUsable === true ? view.mid2 : undefined;
    };
    const profit = this.#profit(counter, this.#today(counter), mid2Of);
    const day = this.#money('lossDayMax', counter);
    say('LOSS_DAY', profit === undefined || day === undefined || -profit >= day);
    const ever = this.#profit(counter, this.fills, mid2Of);
    const fall = this.#money('drawdownMax', counter);
    const peak = this.#peaks.get(counter) ?? 0n;
    // No fall is no drawdown, also where none is allowed.
    const below = ever === undefined ? undefined : peak > ever ? peak - ever : 0n;
    say('DRAWDOWN', below === undefined || fall === undefined || below >= fall);
    say('COOL_DOWN', this.nowMs < (this.#runs.get(`${strategy} ${pair}`)?.untilMs ?? 0));
  }

  #money(name: keyof Rules['money'], currency: string): bigint | undefined {
    const text = this.rules.money[name][currency];
    return text === undefined ? undefined : amount(text);
  }

  #market(pair: string): OracleMarket {
    const market = this.markets.get(pair);
    if (market === undefined) throw new RangeError(`no market ${pair}`);
    return market;
  }

  #fillsOf(strategy: string, pair: string): number {
    return this.fills.filter((fill) => fill.strategy === strategy && fill.pair === pair).length;
  }

  #today(counter: string): readonly OracleFill[] {
    const day = Math.floor(this.nowMs / dayMs);
    return this.fills.filter(
      (fill) =>
        this.#market(fill.pair).counter === counter && Math.floor(fill.atMs / dayMs) === day,
    );
  }

  /** What fills brought of base and counter, fees taken off. */
  #moved({ side, volume, price, feeBase, feeCounter }: OracleFill): readonly [bigint, bigint] {
    const value = times(price, volume);
    return side === 'BID'
      ? [volume - feeBase, -value - feeCounter]
      : [-volume - feeBase, value - feeCounter];
  }

  #gained(strategy: string, pair: string): readonly [base: bigint, counter: bigint] {
    let [base, counter] = [0n, 0n];
    for (const fill of this.fills) {
      if (fill.strategy !== strategy || fill.pair !== pair) continue;
      const moved = this.#moved(fill);
      base += moved[0];
      counter += moved[1];
    }
    return [base, counter];
  }

  #flow(strategy: string, currency: string): bigint {
    let flow = 0n;
    for (const market of this.markets.values()) {
      const [base, counter] = this.#gained(strategy, market.pair);
      if (market.base === currency) flow += base;
      if (market.counter === currency) flow += counter;
    }
    return flow;
  }

  #free(currency: string): bigint | undefined {
    let last: Oracle['told'][number] | undefined;
    for (const told of this.told)
      if (told.currency === currency && told.askedAt >= (last?.askedAt ?? 0)) last = told;
    if (last === undefined) return undefined;
    const { askedAt } = last;
    let [balance, available] = [last.balance, last.available];
    for (const order of this.orders) {
      const market = this.#market(order.pair);
      const paid = order.side === 'BID' ? market.counter : market.base;
      if (order.isOver || paid !== currency) continue;
      const reserved = order.side === 'BID' ? times(order.price, order.left) : order.left;
      balance -= reserved;
      if (order.confirmedAt >= askedAt) available -= reserved;
    }
    for (const fill of this.fills) {
      const market = this.#market(fill.pair);
      const paid = fill.side === 'BID' ? market.counter : market.base;
      if (paid !== currency || fill.settledAt < askedAt) continue;
      const spent = -this.#moved(fill)[fill.side === 'BID' ? 1 : 0];
      balance -= spent;
      if (!(fill.isHeld && fill.order.confirmedAt < askedAt)) available -= spent;
    }
    return balance < available ? balance : available;
  }

  #profit(
    counter: string,
    fills: readonly OracleFill[],
    price2Of: (pair: string) => bigint | undefined,
  ): bigint | undefined {
    let profit = 0n;
    for (const market of this.markets.values()) {
      if (market.counter !== counter) continue;
      let held = 0n;
      for (const fill of fills) {
        if (fill.pair !== market.pair) continue;
        const moved = this.#moved(fill);
        held += moved[0];
        profit += moved[1];
      }
      if (held === 0n) continue;
      const price2 = price2Of(market.pair);
      if (price2 === undefined) return undefined;
      profit += floor(held * price2, 2n * one);
    }
    return profit;
  }

  /** Losing trades: what a fill closed, against the average cost of what it closed. */
  #follow(fill: OracleFill): void {
    const name = `${fill.strategy} ${fill.pair}`;
    const run = this.#runs.get(name) ?? { base: 0n, cost: 0n, losses: 0, untilMs: 0 };
    this.#runs.set(name, run);
    const received = this.#moved(fill)[1];
    const signed = fill.side === 'BID' ? fill.volume : -fill.volume;
    const isOpening = run.base === 0n || run.base > 0n === signed > 0n;
    const held = size(run.base);
    const closed = isOpening ? 0n : fill.volume < held ? fill.volume : held;
    const cost = isOpening ? 0n : (run.cost * closed) / held;
    const part = (received * closed) / fill.volume;
    run.base += signed;
    run.cost += -cost - (received - part);
    if (isOpening) return;
    const isLoss = part < cost || (part === cost && fill.feeBase > 0n);
    run.losses = isLoss ? run.losses + 1 : 0;
    if (run.losses <= this.rules.losing.max) return;
    run.losses = 0;
    run.untilMs = fill.atMs + this.rules.losing.restMs;
  }
}

type Say = (code: string, isBroken: boolean) => void;
