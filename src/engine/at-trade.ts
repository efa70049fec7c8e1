/**
 * Watches orders while they rest: once a second, one that is too old or whose price has left the
 * collar is cancelled, with the reason stored. While anything is held, losses are looked at, too: a
 * price may fall when no order is left to be judged.
 *
 * Invariant: it only cancels. A quote that its strategy still wants is judged anew by the gate.
 */
import type { Limits } from '../domain/bot-settings.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { isSurelyWithin, refuseOutside } from '../risk/checks/price-collar-check.ts';
import type { GateLimits } from '../risk/gate-limits.ts';
import type { Breakers } from './breakers.ts';
import type { EngineContext } from './engine-context.ts';

const lookEveryMs = 1_000;

export type AtTradeOptions = {
  readonly context: EngineContext;
  readonly orders: OrderStates;
  readonly breakers: Breakers;
  readonly limits: Limits;
  readonly gateLimits: GateLimits;
  /** Bid + ask of a pair in ticks as of now; undefined while its book cannot be used. */
  readonly mid2Of: (pair: string) => number | undefined;
};

export class AtTrade {
  readonly #options: AtTradeOptions;
  #isArmed = false;

  constructor(options: AtTradeOptions) {
    this.#options = options;
  }

  /** Watches from now on, as long as there are orders, or a position whose loss has an action. */
  arm(): void {
    const { context } = this.#options;
    if (this.#isArmed || !this.#isNeeded()) return;
    this.#isArmed = true;
    context.wakeAfter(lookEveryMs, this.#wake);
  }

  readonly #wake = (): void => {
    this.#isArmed = false;
    this.#look();
    this.arm();
  };

  #isNeeded(): boolean {
    const { context, orders, limits } = this.#options;
    if (orders.tracker.liveCount > 0) return true;
    return limits.account.onLoss !== 'refuse' && context.exposure.trades.isOpen;
  }

  #look(): void {
    const { context, orders, limits, breakers, mid2Of } = this.#options;
    for (const order of orders.tracker.live) {
      if (order.cancelRequestedMs !== undefined) continue;
      const ageMs = context.nowMs - order.createdMs;
      const reason =
        ageMs > limits.account.orderAgeMsMax
          ? `it rests for ${Math.round(ageMs / 1000)} s, allowed ${limits.account.orderAgeMsMax / 1000} s`
          : this.#strayed(order);
      if (reason !== undefined) orders.cancel(order, `at trade: ${reason}`);
    }
    breakers.lookAtLosses(mid2Of);
  }

  /** Why the order's price is out of the collar; a book that cannot be used says nothing here. */
  #strayed(order: TrackedOrder): string | undefined {
    const mid2 = this.#options.mid2Of(order.pair);
    if (mid2 === undefined) return undefined;
    const { price } = order.terms;
    const collar = this.#options.gateLimits.pairs.get(order.pair)?.collar;
    if (collar !== undefined && isSurelyWithin(price, mid2, collar)) return undefined;
    let found: string | undefined;
    const note = (_code: string, observed: string, limit: string): void => {
      found = `its price is ${observed} of the mid away, allowed ${limit}`;
    };
    refuseOutside(note, 'COLLAR_MID', price, mid2, collar);
    return found;
  }
}
