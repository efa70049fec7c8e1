/**
 * The account in the gate's oracle: orders, fills, balances and facts as plain lists, and their
 * sums, computed anew for every order.
 */
import { amount, floor, one, size, times } from './gate-oracle-amount.ts';
import type {
  OracleFill,
  OracleMarket,
  OracleOrder,
  PairView,
  Placed,
  Rules,
} from './gate-oracle-types.ts';

const dayMs = 86_400_000;

/** A balance: when it was asked for, and when its answer came. */
type Told = {
  readonly currency: string;
  readonly balance: bigint;
  readonly available: bigint;
  readonly askedAt: number;
  readonly toldAt: number;
};

export class OracleAccount {
  readonly rules: Rules;
  readonly markets: ReadonlyMap<string, OracleMarket>;
  nowMs: number;
  /** Counts events, to know their order. */
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
    delayMs: 0 as number | undefined,
    unknown: 0,
  };
  views: Record<string, PairView> = {};
  readonly orders: Placed[] = [];
  readonly fills: OracleFill[] = [];
  readonly told: Told[] = [];
  readonly rejections: { strategy: string; atMs: number }[] = [];
  readonly refusals: { strategy: string; atMs: number }[] = [];
  /** The end of each approval, by {@link nameOf}. */
  readonly approvals = new Map<string, number>();
  readonly peaks = new Map<string, bigint>();
  readonly runs = new Map<
    string,
    { base: bigint; cost: bigint; losses: number; untilMs: number }
  >();

  constructor(rules: Rules, markets: readonly OracleMarket[], nowMs: number) {
    this.rules = rules;
    this.markets = new Map(markets.map((market) => [market.pair, market]));
    this.nowMs = nowMs;
  }

  /** Adds an approved order. */
  place(order: OracleOrder): Placed {
    const { stop } = order;
    const mid2 = stop ? 2n * stop.price : (this.views[order.pair]?.mid2 ?? 2n * order.price);
    const placed: Placed = {
      ...order,
      placedMs: this.nowMs,
      stray2: times(size(2n * order.price - mid2), order.volume),
      fillsBefore: this.fillsOf(order.strategy, order.pair),
      left: order.volume,
      isOver: false,
      isAwaiting: stop !== undefined,
      isWithdrawn: false,
      withdrawnMs: 0,
      withdrawnAt: Number.POSITIVE_INFINITY,
      overAt: Number.POSITIVE_INFINITY,
      confirmedAt: Number.POSITIVE_INFINITY,
    };
    this.orders.push(placed);
    return placed;
  }

  /** Adds a fill, and counts losing trades. */
  fill(fill: OracleFill): void {
    this.fills.push(fill);
    if (!fill.order.isOver)
      fill.order.left -= fill.volume < fill.order.left ? fill.volume : fill.order.left;
    this.follow(fill);
    const { counter } = this.marketOf(fill.pair);
    const last = new Map(this.fills.map(({ pair, price }) => [pair, 2n * price]));
    const profit = this.profitOf(counter, this.fills, (pair) => last.get(pair));
    if ((profit ?? 0n) > (this.peaks.get(counter) ?? 0n)) this.peaks.set(counter, profit ?? 0n);
  }

  /** Returns the codes that refuse the order. */
  moneyOf(name: keyof Rules['money'], currency: string): bigint | undefined {
    const text = this.rules.money[name][currency];
    return text === undefined ? undefined : amount(text);
  }

  marketOf(pair: string): OracleMarket {
    const market = this.markets.get(pair);
    if (market === undefined) throw new RangeError(`no market ${pair}`);
    return market;
  }

  fillsOf(strategy: string, pair: string): number {
    return this.fills.filter((fill) => fill.strategy === strategy && fill.pair === pair).length;
  }

  today(counter: string): readonly OracleFill[] {
    const day = Math.floor(this.nowMs / dayMs);
    return this.fills.filter(
      (fill) =>
        this.marketOf(fill.pair).counter === counter && Math.floor(fill.atMs / dayMs) === day,
    );
  }

  /** Returns the net flows of base and counter by fills, after fees. */
  moved({ side, volume, price, feeBase, feeCounter }: OracleFill): readonly [bigint, bigint] {
    const value = times(price, volume);
    return side === 'BID'
      ? [volume - feeBase, -value - feeCounter]
      : [-volume - feeBase, value - feeCounter];
  }

  gained(strategy: string, pair: string): readonly [base: bigint, counter: bigint] {
    let [base, counter] = [0n, 0n];
    for (const fill of this.fills) {
      if (fill.strategy !== strategy || fill.pair !== pair) continue;
      const moved = this.moved(fill);
      base += moved[0];
      counter += moved[1];
    }
    return [base, counter];
  }

  flowOf(strategy: string, currency: string): bigint {
    let flow = 0n;
    for (const market of this.markets.values()) {
      const [base, counter] = this.gained(strategy, market.pair);
      if (market.base === currency) flow += base;
      if (market.counter === currency) flow += counter;
    }
    return flow;
  }

  free(currency: string): bigint | undefined {
    const heard = this.heard(currency);
    const last = heard.at(-1);
    if (last === undefined) return undefined;
    const { askedAt } = last;
    let [balance, available] = [last.balance, last.available + this.freed(currency, heard)];
    for (const order of this.orders) {
      const market = this.marketOf(order.pair);
      const paid = order.side === 'BID' ? market.counter : market.base;
      if (order.isOver || paid !== currency) continue;
      const reserved = order.side === 'BID' ? times(order.price, order.left) : order.left;
      balance -= reserved;
      if (order.confirmedAt >= askedAt) available -= reserved;
    }
    for (const fill of this.fills) {
      const market = this.marketOf(fill.pair);
      const [paid, received] =
        fill.side === 'BID' ? [market.counter, market.base] : [market.base, market.counter];
      if (received === currency && fill.settledAt === Number.POSITIVE_INFINITY) {
        const brought = this.moved(fill)[fill.side === 'BID' ? 0 : 1];
        balance += brought;
        available += brought;
      }
      if (paid !== currency || fill.settledAt < askedAt) continue;
      const spent = -this.moved(fill)[fill.side === 'BID' ? 1 : 0];
      balance -= spent;
      if (!(fill.isHeld && fill.order.confirmedAt < askedAt)) available -= spent;
    }
    return balance < available ? balance : available;
  }

  /** The balances of a currency in the order of their answers, without overtaken ones. */
  heard(currency: string): readonly Told[] {
    const heard: Told[] = [];
    for (const told of this.told)
      if (told.currency === currency && told.askedAt >= (heard.at(-1)?.askedAt ?? 0))
        heard.push(told);
    return heard;
  }

  /** What the orders had left that the bot cancelled, as far as no balance may include it. */
  freed(currency: string, heard: readonly Told[]): bigint {
    const paying = this.orders.filter(({ side, pair }) => {
      const { base, counter } = this.marketOf(pair);
      return currency === (side === 'BID' ? counter : base);
    });
    // Back to the first of the last balances between which nothing can have happened.
    let first = heard.length - 1;
    for (; first > 0; first--) {
      const [before, after] = heard.slice(first - 1) as [Told, Told];
      const isEqual = before.balance === after.balance && before.available === after.available;
      const isDuring = ({ confirmedAt }: Placed): boolean =>
        confirmedAt >= before.askedAt && confirmedAt < after.toldAt;
      if (!isEqual || paying.some(isDuring)) break;
    }
    const since = heard[first]?.toldAt ?? Number.POSITIVE_INFINITY;
    let freed = 0n;
    for (const { side, price, left, confirmedAt, withdrawnAt, overAt } of paying) {
      if (overAt === Number.POSITIVE_INFINITY || !(withdrawnAt > since)) continue;
      if (withdrawnAt === Number.POSITIVE_INFINITY) continue;
      const reserved = heard.findLast(({ toldAt }) => toldAt < overAt);
      if (!(confirmedAt < (reserved?.askedAt ?? 0))) continue;
      if (heard.some(({ askedAt, toldAt }) => toldAt > overAt && askedAt > overAt)) continue;
      freed += side === 'BID' ? times(price, left) : left;
    }
    return freed;
  }

  profitOf(
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
        const moved = this.moved(fill);
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

  /** Counts losing trades: compares what a fill closed with its average cost. */
  follow(fill: OracleFill): void {
    const name = `${fill.strategy} ${fill.pair}`;
    const run = this.runs.get(name) ?? { base: 0n, cost: 0n, losses: 0, untilMs: 0 };
    this.runs.set(name, run);
    const received = this.moved(fill)[1];
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
