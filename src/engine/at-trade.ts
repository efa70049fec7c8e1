/**
 * Checks resting orders at most once a second, and cancels an order that is too old or whose price
 * is outside the collar, storing the reason. While a position is open it also checks losses,
 * because the price may fall when there is no order left for the gate to judge.
 *
 * Without a market message no price moves. So after a second without one, the checks wait for the
 * next message, which is checked at once, or for an order to become too old. A new order only waits
 * for the next message too: the gate has just judged it by the same prices.
 *
 *     waiting ──a message more than a second after the last check: check──▶ waiting
 *     waiting ──an earlier message, a command, a fill if it may be a loss──▶ armed
 *     armed ──a second after the last check: check──▶ armed
 *                                                  ──if no message came──▶ waiting
 *
 * Invariant: it only cancels. If the strategy still wants the quote, the gate judges it again.
 */
import type { Limits } from '../domain/declared-limits.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { distanceText, isNear } from '../risk/checks/price-collar-check.ts';
import type { GateLimits } from '../risk/gate-limits.ts';
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
  /** Whether {@link #timer} is for the next check; otherwise it is for an order's age. */
  #isArmed = false;
  #checkedMicros: number;
  #timer: number | undefined;

  constructor(options: AtTradeOptions) {
    this.#options = options;
    this.#checkedMicros = options.context.nowMicros;
  }

  /** Whether {@link noteMessage} must be called when a market message arrives. */
  get isWaiting(): boolean {
    return !this.#isArmed && this.#isNeeded();
  }

  /** Makes a check within a second, if there is anything to check. */
  arm(): void {
    if (this.#isArmed || !this.#isNeeded()) return;
    const { nowMicros } = this.#options.context;
    // The next check comes when it would have come without the pause.
    const sinceMicros = (nowMicros - this.#checkedMicros) % checkEveryMicros;
    this.#arm(nowMicros + checkEveryMicros - sinceMicros);
  }

  /** Notes that the gate has just approved an order by the current prices. */
  noteApproved(): void {
    if (this.#timer === undefined) this.#awaitAge();
  }

  /** Notes that a fill was booked, after which losses may be above their limits. */
  noteBooked(): void {
    if (this.#options.limits.account.onLoss !== 'refuse') this.arm();
    else this.noteApproved();
  }

  /** Notes a market message. Call it while {@link isWaiting}. */
  noteMessage(): void {
    // Messages that come every second are regular: they need no step each while a check is due.
    if (this.#options.context.nowMicros - this.#checkedMicros <= checkEveryMicros) this.arm();
    else this.#check();
  }

  #arm(atMicros: number): void {
    this.#isArmed = true;
    this.#wakeAt(atMicros);
  }

  /** Sets the timer for the first order that becomes too old. */
  #awaitAge(): void {
    const tooOldMicros = this.#tooOldMicros();
    if (tooOldMicros === Number.POSITIVE_INFINITY) return;
    const { nowMicros } = this.#options.context;
    const checks = Math.floor((tooOldMicros - nowMicros) / checkEveryMicros) + 1;
    this.#wakeAt(nowMicros + Math.max(1, checks) * checkEveryMicros);
  }

  #wakeAt(atMicros: number): void {
    const { timers } = this.#options.context;
    if (this.#timer !== undefined) timers.cancel(this.#timer);
    this.#timer = timers.at(atMicros, this);
  }

  /** Makes the check that is due. */
  onTime(): void {
    const { context, lastMessageMicros } = this.#options;
    this.#timer = undefined;
    this.#isArmed = false;
    const isQuiet = lastMessageMicros() <= this.#checkedMicros;
    this.#check();
    if (!this.#isNeeded()) return;
    if (isQuiet) this.#awaitAge();
    else this.#arm(context.nowMicros + checkEveryMicros);
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
    const { context, orders, breakers, mid2Of } = this.#options;
    const { live } = orders.tracker;
    this.#checkedMicros = context.nowMicros;
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
    // The price of a stop order counts from its trigger on.
    if (order.awaiting) return undefined;
    // A market order does not rest, and its price only says what it counts for.
    if (order.terms.pays !== undefined) return undefined;
    const mid2 = mid2Of(order.pair);
    if (mid2 === undefined) return undefined;
    const { price } = order.terms;
    const collar = gateLimits.pairs.get(order.pair)?.collar;
    if (isNear(price, mid2, collar)) return undefined;
    const distance = distanceText(price, mid2, collar);
    return `its price differs from the mid by ${distance} of the mid, but the limit is ${collar?.text ?? 'missing'}`;
  }
}
