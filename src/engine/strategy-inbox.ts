/**
 * The inbox of the strategies: events to deliver, and what each strategy wants on each pair. Any
 * part of the engine adds to it; the runner takes from it when it settles.
 */
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { OrderState } from '../domain/order.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import type { EngineServices } from './engine-services.ts';
import {
  emptyTarget,
  planLater,
  type QuoteTarget,
  refusedRetryMs,
} from './quoting/quote-target.ts';
import { ownOrderOf } from './strategy-order.ts';

/** An event for one strategy, or for all that trade its pair. */
export type Delivery = { readonly strategyId: string | undefined; readonly event: MarketEvent };

export class StrategyInbox {
  /** A target for each strategy and pair, in the order of the settings. */
  readonly targets: readonly QuoteTarget[];
  readonly #context: EngineServices;
  #deliveries: Delivery[] = [];

  constructor(context: EngineServices, strategies: readonly StrategySettings[]) {
    this.#context = context;
    this.targets = strategies.flatMap(({ id, pairs }) =>
      pairs.map((pair) => emptyTarget(id, pair)),
    );
  }

  /** Whether no event waits to be delivered. */
  get isEmpty(): boolean {
    return this.#deliveries.length === 0;
  }

  /** Returns and removes the waiting events, in order of arrival. */
  takeDeliveries(): readonly Delivery[] {
    const deliveries = this.#deliveries;
    if (deliveries.length > 0) this.#deliveries = [];
    return deliveries;
  }

  /** Queues an event for all strategies of its pair. */
  publish(event: MarketEvent): void {
    this.#queue({ strategyId: undefined, event });
  }

  /** Queues an event for one strategy. */
  send(strategyId: string, event: MarketEvent): void {
    this.#queue({ strategyId, event });
  }

  #queue(delivery: Delivery): void {
    if (this.#deliveries.length > 0) this.#deliveries.push(delivery);
    else this.#deliveries = [delivery];
  }

  /** Queues the current state of an order for its strategy. */
  sendOrder(order: TrackedOrder): void {
    this.send(order.strategyId, { kind: 'order', pair: order.pair, order: ownOrderOf(order) });
  }

  /** Plans the quotes of an order's strategy again, if the change can matter to them. */
  noteOrder(order: TrackedOrder, before: OrderState | undefined): void {
    const target = this.targetOf(order.strategyId, order.pair);
    if (target === undefined) return;
    if (order.state === 'open' && target.rejectedMs.size > 0)
      target.rejectedMs.delete(order.level ?? '');
    // Unless its quote has moved, it makes no difference whether an order rests or is being sent.
    if (before !== order.state && before !== undefined && rests(before) && rests(order.state)) {
      if (order.state === 'open' && target.plansWhenOpen) target.isDirty = true;
      return;
    }
    // Nothing waits for the end of an order that was cancelled by the last plan.
    const isExpected = before !== order.state && order.cancelRequestedMs !== undefined;
    if (!isExpected || !target.isSettled) target.isDirty = true;
    if (order.state === 'rejected') target.rejectedMs.set(order.level ?? '', this.#context.nowMs);
    if (order.state === 'rejected' && order.level !== undefined) this.#pause(target, order.level);
  }

  // An order like the one just rejected would be rejected again, at the cost of two calls.
  #pause(target: QuoteTarget, level: string): void {
    target.pausedUntilMs.set(level, this.#context.nowMs + refusedRetryMs);
    planLater(target, this.#context, refusedRetryMs);
  }

  /** A person approved an order: the orders that wait for it, and all quotes, are judged again. */
  noteApproval(token: string): void {
    for (const target of this.targets) {
      target.isDirty = true;
      const place = target.awaiting.get(token);
      if (place === undefined) continue;
      target.awaiting.delete(token);
      // The order's age counts from its approval.
      target.places.push({ ...place, createdMs: this.#context.nowMs });
    }
  }

  /** Plans every quote again, for example when trading is resumed. */
  planAll(): void {
    for (const target of this.targets) target.isDirty = true;
  }

  /** Returns what a strategy wants on a pair; undefined if it does not trade it. */
  targetOf(strategyId: string, pair: string): QuoteTarget | undefined {
    // A loop, because a search with a closure would allocate at each change of an order.
    for (const target of this.targets)
      if (target.pair === pair && target.strategyId === strategyId) return target;
    return undefined;
  }
}

/** Whether an order in this state rests, or may come to rest. */
function rests(state: OrderState): boolean {
  return state === 'waiting' || state === 'sending' || state === 'open';
}
