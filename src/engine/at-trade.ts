/**
 * Checks resting orders once a second, and cancels an order that is too old or whose price is
 * outside the collar, storing the reason. While a position is open it also checks losses, because
 * the price may fall when there is no order left for the gate to judge.
 *
 * Without a market message no price moves, so after a second without one the checks wait for the
 * next message, for an order to become too old, or for a new order or fill:
 *
 *     idle ──arm──▶ armed ──a second with messages──▶ armed
 *                     │  ▲
 *     a second without│  │arm: a message, an order, a fill
 *                     ▼  │
 *                   waiting
 *
 * Invariant: it only cancels. If the strategy still wants the quote, the gate judges it again.
 */
import type { Limits } from '../domain/bot-settings.ts';
import type { Ticks } from '../domain/money.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { isSurelyWithin, refuseOutside } from '../risk/checks/price-collar-check.ts';
import type { GateLimits, Share } from '../risk/gate-limits.ts';
import type { Breakers } from './breakers.ts';
import type { EngineContext } from './engine-context.ts';

const checkEveryMicros = 1_000_000;

export type AtTradeOptions = {
  readonly context: Pick<EngineContext, 'exposure' | 'nowMs' | 'nowMicros' | 'timers'>;
  readonly orders: OrderStates;
  readonly breakers: Pick<Breakers, 'checkLosses'>;
  readonly limits: Pick<Limits, 'account'>;
  readonly gateLimits: Pick<GateLimits, 'pairs'>;
  /** Bid + ask of a pair in ticks as of now; undefined while its book cannot be used. */
  readonly mid2Of: (pair: string) => number | undefined;
  /** When the last message of any market arrived. */
  readonly lastMessageMicros: () => number;
};

type Found = { readonly order: TrackedOrder; readonly reason: string };

export class AtTrade {
  readonly #options: AtTradeOptions;
  #state: 'idle' | 'armed' | 'waiting' = 'idle';
  #checkedMicros = Number.NEGATIVE_INFINITY;
  /** The timer of the next check; undefined if none is set. */
  #timer: number | undefined;

  constructor(options: AtTradeOptions) {
    this.#options = options;
  }

  /** Whether {@link arm} must be called when a market message arrives. */
  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /**
   * Starts checking if there are live orders, or an open position whose loss can trip an action.
   */
  arm(): void {
    if (this.#state === 'armed') return;
    const { nowMicros } = this.#options.context;
    // The next check comes when it would have come without the pause.
    const sinceMicros = this.#state === 'waiting' ? nowMicros - this.#checkedMicros : 0;
    if (this.#timer !== undefined) this.#options.context.timers.cancel(this.#timer);
    this.#state = 'idle';
    if (!this.#isNeeded()) return;
    this.#state = 'armed';
    this.#checkAt(nowMicros + checkEveryMicros - (sinceMicros % checkEveryMicros));
  }

  #checkAt(atMicros: number): void {
    this.#timer = this.#options.context.timers.at(atMicros, this);
  }

  /** Makes the check that is due. */
  onTime(): void {
    const { context, lastMessageMicros } = this.#options;
    this.#timer = undefined;
    const isQuiet = lastMessageMicros() <= this.#checkedMicros;
    this.#check();
    this.#checkedMicros = context.nowMicros;
    this.#state = 'idle';
    if (!isQuiet || !this.#isNeeded()) {
      this.arm();
      return;
    }
    this.#state = 'waiting';
    const tooOldMicros = this.#tooOldMicros();
    if (tooOldMicros === Number.POSITIVE_INFINITY) return;
    const checks = Math.floor((tooOldMicros - context.nowMicros) / checkEveryMicros) + 1;
    this.#checkAt(context.nowMicros + Math.max(1, checks) * checkEveryMicros);
  }

  /** When the first order becomes too old; infinite if none will. */
  #tooOldMicros(): number {
    const { orders, limits } = this.#options;
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { createdMs, cancelRequestedMs } of orders.tracker.live)
      if (cancelRequestedMs === undefined) firstMs = Math.min(firstMs, createdMs);
    return (firstMs + limits.account.orderAgeMsMax) * 1000;
  }

  #isNeeded(): boolean {
    const { context, orders, limits } = this.#options;
    if (orders.tracker.liveCount > 0) return true;
    return limits.account.onLoss !== 'refuse' && context.exposure.trades.isOpen;
  }

  #check(): void {
    const { orders, breakers, mid2Of } = this.#options;
    const { live } = orders.tracker;
    // Cancelling changes the list of live orders, and there is seldom anything to cancel.
    let found: Found[] | undefined;
    for (let index = 0; index < live.length; index++) {
      const order = live[index] as TrackedOrder;
      const reason = this.#reasonToCancel(order);
      if (reason === undefined) continue;
      found ??= [];
      found.push({ order, reason });
    }
    if (found !== undefined)
      for (const { order, reason } of found) orders.cancel(order, `at-trade check: ${reason}`);
    breakers.checkLosses(mid2Of);
  }

  /** Why an order must not rest any longer; undefined if it may, or is being cancelled. */
  #reasonToCancel(order: TrackedOrder): string | undefined {
    if (order.cancelRequestedMs !== undefined) return undefined;
    const { context, limits, gateLimits, mid2Of } = this.#options;
    const ageMs = context.nowMs - order.createdMs;
    const { orderAgeMsMax } = limits.account;
    if (ageMs > orderAgeMsMax)
      return `it has rested for ${Math.round(ageMs / 1000)} s, but the limit is ${orderAgeMsMax / 1000} s`;
    const mid2 = mid2Of(order.pair);
    if (mid2 === undefined) return undefined;
    const { price } = order.terms;
    const collar = gateLimits.pairs.get(order.pair)?.collar;
    if (collar !== undefined && isSurelyWithin(price, mid2, collar)) return undefined;
    return collarViolation(price, mid2, collar);
  }
}

/** Why a price is outside the collar around a mid; undefined if it is inside. */
function collarViolation(price: Ticks, mid2: number, collar: Share | undefined) {
  let violation: string | undefined;
  const note = (_code: string, observed: string, limit: string): void => {
    violation = `its price differs from the mid by ${observed} of the mid, but the limit is ${limit}`;
  };
  refuseOutside(note, 'COLLAR_MID', price, mid2, collar);
  return violation;
}
