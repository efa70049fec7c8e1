/**
 * Reports orders that wait for the call budget: new orders, and replacements, whose old order rests
 * until then; replacements may also wait for the limits of orders per time. Each long wait is
 * announced once.
 */
import type { WaitingOrder } from '../../domain/bot-status.ts';
import { formatLots, formatTicks } from '../../domain/market.ts';
import type { Terms } from '../../domain/order.ts';
import type { OrderStates } from '../../execution/orders/order-states.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import type { CallBudget } from '../../execution/requests/call-budget.ts';
import type { EngineServices } from '../engine-services.ts';
import type { StrategyInbox } from '../strategy-inbox.ts';
import type { MoveCounts, WaitingMoves } from './waiting-moves.ts';

/** A shorter wait is not announced. */
const announcedMsMin = 1_000;
/** The minimum time between announcements for the same side. */
const announcedEveryMs = 10_000;

export type CallWaitsParts = {
  readonly context: EngineServices;
  readonly calls: CallBudget;
  readonly orders: OrderStates;
  readonly inbox: StrategyInbox;
  readonly moves: WaitingMoves;
};

export class CallWaits {
  readonly #parts: CallWaitsParts;
  /** The last announced wait of each strategy, pair and side, and when it was announced. */
  readonly #announced = new Map<string, { readonly sinceMs: number; readonly atMs: number }>();

  constructor(parts: CallWaitsParts) {
    this.#parts = parts;
  }

  /** Counts of the replacements begun so far. */
  get moves(): MoveCounts {
    return this.#parts.moves.counts;
  }

  /** Returns every order that waits now. */
  all(): readonly WaitingOrder[] {
    const { context, calls, moves } = this.#parts;
    const { nowMs } = context;
    const { perMinute } = calls;
    const waits: WaitingOrder[] = [];
    if (calls.waiting('place') > 0) {
      const atMs = calls.orderAtMs(nowMs);
      for (const order of this.#parts.orders.tracker.live) {
        const terms = this.#termsOf(order);
        const { createdMs: sinceMs } = order;
        const reason = 'call limit';
        if (terms !== undefined)
          waits.push(waitOf(order, terms, { sinceMs, nowMs, atMs, reason, perMinute }));
      }
    }
    for (const move of moves.all) {
      const { target, resting, wanted, sinceMs } = move;
      const rateMs = moves.rateAtMs(target);
      const atMs = Math.max(rateMs, calls.moveAtMs(nowMs));
      const reason = rateMs > nowMs ? 'order rate' : 'call limit';
      waits.push(waitOf(resting, wanted, { sinceMs, nowMs, atMs, reason, perMinute }));
    }
    return waits;
  }

  /** The terms of a new order that waits for its call, or the newer terms of its quote. */
  #termsOf(order: TrackedOrder): Terms | undefined {
    if (order.state !== 'waiting' || !order.isAttempting) return undefined;
    if (!order.cancelling) return order.terms;
    const quotes = this.#parts.inbox.targetOf(order.strategyId, order.pair)?.quotes;
    return quotes?.wanted?.orders.find(({ level }) => level === order.level);
  }

  /** Announces long waits. */
  announce(): void {
    const { context } = this.#parts;
    const { nowMs } = context;
    for (const wait of this.all()) {
      if (wait.waitedMs + wait.leavesInMs < announcedMsMin) continue;
      const place = `${wait.strategy} ${wait.pair} ${wait.side}`;
      const sinceMs = nowMs - wait.waitedMs;
      const last = this.#announced.get(place);
      if (last !== undefined && (last.sinceMs === sinceMs || nowMs < last.atMs + announcedEveryMs))
        continue;
      this.#announced.set(place, { sinceMs, atMs: nowMs });
      context.notice({ level: 'info', topic: 'order', text: wait.text });
    }
  }
}

/** Returns a sentence: what waits, for how long, and what rests until then. */
function describeWait(wait: Omit<WaitingOrder, 'text'>, callsPerMinute: number): string {
  const cause =
    wait.reason === 'call limit'
      ? `the call limit${Number.isFinite(callsPerMinute) ? ` (${callsPerMinute} a minute)` : ''}`
      : 'the limits of orders per second and minute, of which new orders keep a fifth';
  const seconds = Math.max(wait.waitedMs + wait.leavesInMs, 100) / 1000;
  const rest = wait.restsAt === null ? 'nothing rests' : `the order at ${wait.restsAt} rests`;
  return (
    `${wait.strategy} ${wait.side} ${wait.volume} at ${wait.price} waits ${seconds.toFixed(1)} s ` +
    `for ${cause}; ${rest} until then`
  );
}

function waitOf(
  order: TrackedOrder,
  { side, price, volume }: Terms,
  facts: {
    readonly sinceMs: number;
    readonly nowMs: number;
    readonly atMs: number;
    readonly reason: WaitingOrder['reason'];
    /** How many calls the exchange allows; Infinity without a limit. */
    readonly perMinute: number;
  },
): WaitingOrder {
  const { market, strategyId: strategy, pair, clientOrderId, priceText } = order;
  const wait = {
    ...{ strategy, pair, side, clientOrderId, reason: facts.reason },
    price: formatTicks(price, market),
    volume: formatLots(volume, market),
    waitedMs: facts.nowMs - facts.sinceMs,
    leavesInMs: Math.max(0, facts.atMs - facts.nowMs),
    restsAt: order.state === 'waiting' ? null : priceText,
  };
  return { ...wait, text: describeWait(wait, facts.perMinute) };
}
