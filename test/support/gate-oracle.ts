/**
 * The slow oracle of the gate: computes from the whole history which limits an order would exceed.
 * It shares no code with the gate or its exposure.
 */
import { OracleAccount } from './gate-oracle-account.ts';
import { amount, one, size, times } from './gate-oracle-amount.ts';
import type {
  Level,
  OracleMarket,
  OracleOrder,
  PairView,
  Placed,
  Rules,
} from './gate-oracle-types.ts';

export class Oracle extends OracleAccount {
  static nameOf(order: OracleOrder): string {
    const { strategy, pair, side, price, volume, timeInForce, postOnly, reduceOnly } = order;
    const terms = [strategy, pair, side, price, volume, timeInForce, postOnly, reduceOnly];
    const { direction, price: stopPrice } = order.stop ?? {};
    const counted = order.pays === undefined ? terms : [...terms.toSpliced(3, 2), order.pays];
    return [...counted, direction, stopPrice, ...order.accounts].join('|');
  }

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
    // An order that only reduces the position passes.
    if (!this.#isExit(order)) this.#losses(order, say);
    return codes;
  }

  /** Whether the order passes the loss limits only because it is an exit. */
  isExitUnderLoss(order: OracleOrder): boolean {
    let isLosing = false;
    this.#losses(order, (_code, isBroken) => {
      isLosing ||= isBroken;
    });
    return isLosing && this.#isExit(order);
  }

  #situation({ strategy, pair }: OracleOrder, say: Say): void {
    const { states, environment: e, health: h } = this;
    const scopes = ['bot', `strategy:${strategy}`, `pair:${pair}`];
    const isOn = (scope: string) => states[scope] === 'ACTIVE' || states[scope] === 'REDUCING';
    say('TRADING_STATE', !scopes.every(isOn));
    const to = { demo: 'simulator', paper: 'replay', backtest: 'replay', live: 'exchange' }[e.mode];
    const isLiveRight = e.mode !== 'live' || (e.flag && e.key !== '' && e.key === e.allowed);
    say('ENVIRONMENT', e.to !== to || !isLiveRight);
    const { areSettingsApproved } = this;
    if (areSettingsApproved === undefined) say('VERSION', e.mode === 'live');
    else say('VERSION', !areSettingsApproved || !this.isCodeApproved);
    say('NOT_RECONCILED', !h.reconciled);
    say('STORE_NOT_DURABLE', !h.durable);
    say('LOCK_NOT_HELD', !h.locked);
    say('CLOCK_SKEW', h.skewMs === undefined || Math.abs(h.skewMs) > 2_000);
    say('LOOP_DELAY', h.delayMs === undefined || h.delayMs > 500);
    say('UNKNOWN_ORDERS', h.unknown > 5 || (this.views[pair]?.unknown ?? 9) > 2);
  }

  #order(order: OracleOrder, say: Say): void {
    const { strategy, pair, side, price, volume, timeInForce, postOnly, accounts } = order;
    const may = this.rules.strategies[strategy];
    const market = this.marketOf(pair);
    const isPostOnlyRight =
      may?.postOnly === 'allowed' || (may?.postOnly === 'required') === postOnly;
    say(
      'NOT_PERMITTED',
      may === undefined ||
        !may.pairs.includes(pair) ||
        !may.sides.includes(side) ||
        !may.types.includes(typeOf(order)) ||
        !may.timeInForce.includes(timeInForce) ||
        !isPostOnlyRight ||
        accounts[0] !== this.rules.accounts[market.base] ||
        accounts[1] !== this.rules.accounts[market.counter],
    );
    say('FORM', postOnly && timeInForce !== 'GTC');
    this.#market(order, say);
    say('PRICE_RANGE', price < market.priceMin || price > market.priceMax);
    this.#stop(order, say);
    say('VOLUME_RANGE', volume < market.volumeMin || volume > market.volumeMax);
    const status = this.views[pair]?.status;
    const takesMakers = status === 'POST_ONLY' || status === 'SUSPENDED';
    say('MARKET_STATUS', status !== 'ACTIVE' && !(takesMakers && postOnly));
    say(
      'AGE',
      !(this.nowMs - order.createdMs <= this.rules.intentAgeMs && this.nowMs >= order.createdMs),
    );
  }

  #stop({ pair, stop }: OracleOrder, say: Say): void {
    if (stop === undefined) return;
    const market = this.marketOf(pair);
    const last = this.views[pair]?.median;
    const isOutside = stop.price < market.priceMin || stop.price > market.priceMax;
    const isAhead =
      last !== undefined && (stop.direction === 'ABOVE' ? last < stop.price : last > stop.price);
    say('STOP_PRICE', isOutside || !isAhead);
  }

  /** A market order counts at the collar's edge, for what its money buys there. */
  #market({ pair, side, price, volume, pays, timeInForce, ...rest }: OracleOrder, say: Say): void {
    if (pays === undefined) return;
    const market = this.marketOf(pair);
    const mid2 = this.views[pair]?.mid2;
    const collar = amount(this.rules.pairs[pair]?.collar ?? '');
    const isWhole = side === 'ASK' ? pays === volume : isSpentOn(pays, price, volume, market);
    say('FORM', timeInForce !== 'IOC' || rest.postOnly || rest.stop !== undefined || !isWhole);
    const isAtEdge = (edge2: bigint) =>
      side === 'BID'
        ? price <= market.priceMin || (price <= market.priceMax && 2n * one * price <= edge2)
        : price >= market.priceMax || (price >= market.priceMin && 2n * one * price >= edge2);
    const isWorst =
      mid2 !== undefined && isAtEdge(mid2 * (side === 'BID' ? one - collar : one + collar));
    say('MARKET_PRICE', !isWorst);
  }

  /** Returns the worst price that a market order would reach now. */
  #reached(order: OracleOrder): bigint | undefined {
    const taken = takenBy(order, this.views[order.pair], this.marketOf(order.pair));
    return taken.at(-1)?.price;
  }

  #prices(order: OracleOrder, say: Say): void {
    const { pair, price, volume, side, postOnly, stop, pays } = order;
    const view = this.views[pair];
    const limit = this.rules.pairs[pair];
    if (view === undefined || limit === undefined) throw new RangeError(`no view of ${pair}`);
    const { mid2, median } = view;
    const own = pays === undefined ? price : view.isUsable ? this.#reached(order) : undefined;
    const isFar = (reference2: bigint | undefined) =>
      reference2 === undefined ||
      own === undefined ||
      size(2n * own - reference2) * one > amount(limit.collar) * reference2;
    say('BOOK_UNUSABLE', !view.isUsable);
    say('BOOK_STALE', view.ageMs === undefined || view.ageMs > limit.bookAgeMs);
    say('TRADES_STALE', view.medianAgeMs === undefined || view.medianAgeMs > 60_000);
    say('COLLAR_MID', !stop && isFar(mid2));
    say('COLLAR_TRADES', !stop && isFar(median === undefined ? undefined : 2n * median));
    say('COLLAR_STOP', stop !== undefined && isFar(2n * stop.price));

    const { counter } = this.marketOf(pair);
    const within = (one_: Placed) => one_.placedMs > this.nowMs - 300_000;
    const strayed = this.orders
      .filter((other) => within(other) && this.marketOf(other.pair).counter === counter)
      .reduce((sum, { stray2 }) => sum + stray2, 0n);
    const from2 = stop === undefined ? mid2 : 2n * stop.price;
    const stray =
      from2 === undefined ? undefined : times(size(2n * price - from2), volume) + strayed;
    const budget = this.moneyOf('collarBudgetMax', counter);
    say('COLLAR_BUDGET', stray === undefined || budget === undefined || stray > 2n * budget);

    if (postOnly) return;
    if (mid2 === undefined || !view.isUsable) {
      say('SLIPPAGE', true);
      return;
    }
    const levels = (side === 'BID' ? view.asks : view.bids).slice(0, 100);
    const taken = takenBy(order, view, this.marketOf(pair));
    const took = taken.reduce((sum, level) => sum + level.volume, 0n);
    const paid = taken.reduce((sum, level) => sum + level.volume * level.price, 0n);
    if (took === 0n && stop === undefined && pays === undefined) return;
    if (stop === undefined)
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
        other.pays === order.pays &&
        (order.pays !== undefined ||
          (other.price === order.price && other.volume === order.volume)) &&
        !other.isWithdrawn &&
        other.placedMs > this.nowMs - identical.withinMs &&
        other.fillsBefore === this.fillsOf(order.strategy, order.pair),
    );
    say('DUPLICATE', alike.length + 1 > identical.max);
    const meets = (other: Placed) =>
      other.side !== order.side &&
      !other.isAwaiting &&
      (order.pays !== undefined ||
        other.pays !== undefined ||
        (order.side === 'BID' ? other.price <= order.price : other.price >= order.price));
    say('SELF_TRADE', order.stop === undefined && open.some(meets));

    const scopes = ['bot', `strategy:${order.strategy}`, `pair:${order.pair}`];
    const mustReduce =
      order.reduceOnly || scopes.some((scope) => this.states[scope] === 'REDUCING');
    say('REDUCE_ONLY', mustReduce && !this.#isExit(order));
  }

  /** Whether the position stays within zero if the order and all others of its side fill. */
  #isExit({ strategy, pair, side, volume }: OracleOrder): boolean {
    const held = this.gained(strategy, pair)[0];
    let asked = volume;
    for (const other of this.orders)
      if (!other.isOver && other.strategy === strategy && other.pair === pair)
        asked += other.side === side ? other.left : 0n;
    return side === 'BID' ? held + asked <= 0n : held - asked >= 0n;
  }

  #amounts(order: OracleOrder, say: Say): void {
    const { strategy, pair, side, price, volume } = order;
    const { base, counter } = this.marketOf(pair);
    const value = side === 'BID' ? (order.pays ?? times(price, volume)) : times(price, volume);
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
      (total, name) => total + this.gained(name, pair)[0],
      0n,
    );
    const signed = side === 'BID' ? heldByAll : -heldByAll;
    above('POSITION', signed + sum(onSide, (other) => other.left) + volume, limit?.positionMax);

    const mine = open.filter((other) => other.strategy === strategy);
    const paying = (currency: string) =>
      sum(mine, (other) => {
        const market = this.marketOf(other.pair);
        if (other.side === 'BID' && market.counter === currency)
          return times(other.price, other.left);
        return other.side === 'ASK' && market.base === currency ? other.left : 0n;
      });
    const buying = sum(mine, (other) =>
      other.side === 'BID' && this.marketOf(other.pair).base === base ? other.left : 0n,
    );
    const flow = (currency: string) => this.flowOf(strategy, currency);
    if (side === 'BID') {
      above('BUDGET', flow(base) + buying + volume, budget[base]);
      above('BUDGET', value + paying(counter) - flow(counter), budget[counter]);
    } else above('BUDGET', volume + paying(base) - flow(base), budget[base]);

    const pays = side === 'BID' ? value : volume;
    const free = this.free(side === 'BID' ? counter : base);
    const fee = side === 'BID' ? (pays * amount(this.rules.feeBuffer) + one - 1n) / one : 0n;
    say('FUNDS', free === undefined || pays + fee > free);

    const inCounter = open.filter((other) => this.marketOf(other.pair).counter === counter);
    const openValue = (orders: readonly Placed[]) =>
      sum(orders, (other) => times(other.price, other.left));
    const notional = openValue(inCounter) + value;
    const over = (code: string, seen: bigint, name: keyof Rules['money']) => {
      const max = this.moneyOf(name, counter);
      say(code, max === undefined || seen > max);
    };
    over('OPEN_NOTIONAL', notional, 'openNotionalMax');
    const traded = this.today(counter).reduce(
      (total, fill) => total + times(fill.price, fill.volume),
      0n,
    );
    over('TURNOVER_DAY', notional + traded, 'turnoverDayMax');
    const ofStrategy = inCounter.filter((other) => other.strategy === strategy);
    over('UNEXECUTED', openValue(ofStrategy) + value, 'strategyOpenMax');
    say('ORDERS_OPEN', open.length + 1 > this.rules.ordersOpen);
    const soft = this.moneyOf('approveAbove', counter);
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
    const { counter } = this.marketOf(pair);
    const mid2Of = (name: string) => {
      const view = this.views[name];
      return view?.isUsable === true ? view.mid2 : undefined;
    };
    const profit = this.profitOf(counter, this.today(counter), mid2Of);
    const day = this.moneyOf('lossDayMax', counter);
    say('LOSS_DAY', profit === undefined || day === undefined || -profit >= day);
    const ever = this.profitOf(counter, this.fills, mid2Of);
    const fall = this.moneyOf('drawdownMax', counter);
    const peak = this.peaks.get(counter) ?? 0n;
    // Without a fall there is no drawdown, even if the limit is 0.
    const below = ever === undefined ? undefined : peak > ever ? peak - ever : 0n;
    say('DRAWDOWN', below === undefined || fall === undefined || below >= fall);
    say('COOL_DOWN', this.nowMs < (this.runs.get(`${strategy} ${pair}`)?.untilMs ?? 0));
  }
}

function typeOf({ stop, pays }: OracleOrder): string {
  if (pays !== undefined) return 'market';
  return stop === undefined ? 'limit' : 'stop-limit';
}

/** Whether `volume` is the fewest lots that cost `pays` or more at `price`. */
function isSpentOn(pays: bigint, price: bigint, volume: bigint, { lot }: OracleMarket): boolean {
  const costs = (size_: bigint) => times(price, size_);
  return costs(volume) >= pays && costs(volume - lot) < pays;
}

/** Returns what an order would take of the best hundred levels, level by level. */
function takenBy(order: OracleOrder, view: PairView | undefined, { lot }: OracleMarket): Level[] {
  const { side, price, volume, pays } = order;
  const levels = (side === 'BID' ? view?.asks : view?.bids) ?? [];
  const taken: Level[] = [];
  let left = volume;
  let money = side === 'BID' ? pays : undefined;
  for (const level of levels.slice(0, 100)) {
    if (pays === undefined && (side === 'BID' ? level.price > price : level.price < price)) break;
    const wanted = money === undefined ? left : (money / times(level.price, lot)) * lot;
    const part = level.volume < wanted ? level.volume : wanted;
    if (part > 0n) taken.push({ ...level, volume: part });
    left -= part;
    if (money !== undefined) money -= times(level.price, part);
    if (part < level.volume || part === wanted) break;
  }
  return taken;
}

type Say = (code: string, isBroken: boolean) => void;
