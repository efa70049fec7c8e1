/**
 * Watches orders while they rest: once a second, one that is too old or whose price has left the
 * collar is cancelled, with the reason stored. While anything is held, losses are looked at, too: a
 * price may fall when no order is left to be judged.
 *
 * A second without a message of any market moves no price, so nothing is looked at until the next
 * one comes, an order becomes too old, or something new is to be watched:
 *
 *     idle ──arm──▶ armed ──a second with messages──▶ armed
 *                     │  ▲
 *     a second without│  │arm: a message, an order, a fill
 *                     ▼  │
 *                   waiting
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

const lookEveryMicros = 1_000_000;

export type AtTradeOptions = {
  readonly context: Pick<EngineContext, 'exposure' | 'nowMs' | 'nowMicros' | 'timers'>;
  readonly orders: OrderStates;
  readonly breakers: Pick<Breakers, 'lookAtLosses'>;
  readonly limits: Pick<Limits, 'account'>;
  readonly gateLimits: Pick<GateLimits, 'pairs'>;
  /** Bid + ask of a pair in ticks as of now; undefined while its book cannot be used. */
  readonly mid2Of: (pair: string) => number | undefined;
  /** When the newest message of any market came. */
  readonly lastMessageMicros: () => number;
};

export class AtTrade {
  readonly #options: AtTradeOptions;
  #state: 'idle' | 'armed' | 'waiting' = 'idle';
  #lookedMicros = Number.NEGATIVE_INFINITY;
  /** Takes the next look back. */
  #disarm: () => void = () => {};

  constructor(options: AtTradeOptions) {
    this.#options = options;
  }

  /** Whether {@link arm} is to be called when a message of a market comes. */
  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Watches from now on, as long as there are orders, or a position whose loss has an action. */
  arm(): void {
    if (this.#state === 'armed') return;
    const { nowMicros } = this.#options.context;
    // The looks that were left out count: the next one comes when it would have come.
    const sinceMicros = this.#state === 'waiting' ? nowMicros - this.#lookedMicros : 0;
    this.#disarm();
    this.#state = 'idle';
    if (!this.#isNeeded()) return;
    this.#state = 'armed';
    this.#lookAt(nowMicros + lookEveryMicros - (sinceMicros % lookEveryMicros));
  }

  #lookAt(atMicros: number): void {
    this.#disarm = this.#options.context.timers.at(atMicros, this.#wake);
  }

  readonly #wake = (): void => {
    const { context, lastMessageMicros } = this.#options;
    const isQuiet = lastMessageMicros() <= this.#lookedMicros;
    this.#look();
    this.#lookedMicros = context.nowMicros;
    this.#state = 'idle';
    if (!isQuiet || !this.#isNeeded()) {
      this.arm();
      return;
    }
    this.#state = 'waiting';
    const tooOldMicros = this.#tooOldMicros();
    if (tooOldMicros === Number.POSITIVE_INFINITY) return;
    const looks = Math.floor((tooOldMicros - context.nowMicros) / lookEveryMicros) + 1;
    this.#lookAt(context.nowMicros + Math.max(1, looks) * lookEveryMicros);
  };

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
