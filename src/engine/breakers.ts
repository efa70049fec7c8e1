/**
 * Carries out the actions of tripped breakers beyond refusing: cancel, reduce or halt. After a
 * loss, orders that only reduce a position stay, unless the action is a halt.
 *
 * Invariant: REDUCING and HALTED are stored when they are entered, and only a person ends them; a
 * breaker only makes a state stricter.
 */
import { formatAmount, parseAmount } from '../domain/amount.ts';
import type { Breaker, BreakerAction, Limits } from '../domain/declared-limits.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { onlyReducesHeld } from '../risk/only-reduces.ts';
import type { TimeWindow } from '../risk/time-window.ts';
import { isTripped } from '../risk/tripped.ts';
import type { EngineContext } from './engine-context.ts';

export type BreakersOptions = {
  readonly context: EngineContext;
  readonly orders: OrderStates;
  readonly limits: Limits;
};

export class Breakers {
  readonly #options: BreakersOptions;

  constructor(options: BreakersOptions) {
    this.#options = options;
  }

  /** Checks the fills, rejections and refusals of every strategy. */
  checkActivity(): void {
    const { context, limits } = this.#options;
    const { fills, rejections, refusals } = limits.eachStrategy;
    for (const strategyId of context.facts.tradingState.strategies.keys()) {
      const activity = context.exposure.activity.of(strategyId);
      this.#check(strategyId, 'fills', fills, activity.fills);
      this.#check(strategyId, 'rejected orders', rejections, activity.rejections);
      this.#check(strategyId, 'refused orders', refusals, activity.refusals);
    }
  }

  /** Checks losses against their limits; a loss that cannot be valued now is checked later. */
  checkLosses(mid2Of: (pair: string) => number | undefined): void {
    const { context, limits } = this.#options;
    const { onLoss, lossDayMax, drawdownMax } = limits.account;
    if (onLoss === 'refuse') return;
    const { exposure, nowMs } = context;
    const check = (lost: bigint | undefined, currency: string, limit: string, what: string) => {
      const max = parseAmount(limit);
      if (lost === undefined || max === undefined || lost < max) return;
      const reason = `${what} is ${formatAmount(lost)} ${currency}, the limit is ${limit} ${currency}`;
      this.#act('bot', onLoss, reason, ({ strategyId, pair, terms: { side } }) => {
        return !onlyReducesHeld({ strategyId, pair, side }, exposure);
      });
    };
    for (const [currency, limit] of Object.entries(lossDayMax))
      check(exposure.lossDay(currency, nowMs, mid2Of), currency, limit, 'the loss of the day');
    for (const [currency, limit] of Object.entries(drawdownMax))
      check(exposure.trades.drawdown(currency, mid2Of), currency, limit, 'the drawdown');
  }

  #check(strategyId: string, what: string, breaker: Breaker, window: TimeWindow): void {
    const { nowMs } = this.#options.context;
    if (!isTripped(breaker, window, nowMs)) return;
    const { max, withinMs } = breaker;
    const count = window.count(nowMs, withinMs);
    const reason = `${count} ${what} within ${withinMs / 1000} s, the limit is ${max}`;
    const isOwn = (order: TrackedOrder): boolean => order.strategyId === strategyId;
    this.#act(`strategy:${strategyId}`, breaker.action, reason, isOwn);
  }

  /** Cancels the orders that `cancels` selects; a halt of the bot cancels all. */
  #act(
    scope: string,
    action: BreakerAction,
    reason: string,
    cancels: (order: TrackedOrder) => boolean,
  ): void {
    if (action === 'refuse') return;
    const { context, orders } = this.#options;
    const strategyId = scope.startsWith('strategy:') ? scope.slice('strategy:'.length) : undefined;
    const { strategies, global } = context.facts.tradingState;
    const state = strategyId === undefined ? global : strategies.get(strategyId);
    if (state === 'HALTED' || (state === 'REDUCING' && action === 'reduce')) return;
    if (action !== 'cancel') {
      context.incident('BREAKER', `${scope}: ${reason}`);
      context.setTradingState(scope, action === 'halt' ? 'HALTED' : 'REDUCING', reason);
    }
    const cancelsAll = action === 'halt' && strategyId === undefined;
    orders.cancelAll(`breaker: ${reason}`, cancelsAll ? () => true : cancels);
  }
}
