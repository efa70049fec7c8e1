/**
 * What a breaker does besides refusing: it cancels, reduces or halts. Of losses it leaves the
 * orders that only reduce a position, unless it halts.
 *
 * Invariant: REDUCING and HALTED are stored when they are entered and left by a person alone; here
 * a state only gets stricter.
 */
import { formatAmount, parseAmount } from '../domain/amount.ts';
import type { Breaker, BreakerAction, Limits } from '../domain/bot-settings.ts';
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

  /** Looks at how every strategy behaves. */
  lookAtConduct(): void {
    const { context, limits } = this.#options;
    const { fills, rejections, refusals } = limits.eachStrategy;
    for (const strategyId of context.facts.tradingState.strategies.keys()) {
      const conduct = context.exposure.conduct.of(strategyId);
      this.#look(strategyId, 'fills', fills, conduct.fills);
      this.#look(strategyId, 'rejected orders', rejections, conduct.rejections);
      this.#look(strategyId, 'refused orders', refusals, conduct.refusals);
    }
  }

  /** Looks at what trading has lost; what cannot be valued now is looked at when it can. */
  lookAtLosses(mid2Of: (pair: string) => number | undefined): void {
    const { context, limits } = this.#options;
    const { onLoss, lossDayMax, drawdownMax } = limits.account;
    if (onLoss === 'refuse') return;
    const { exposure, nowMs } = context;
    const look = (lost: bigint | undefined, currency: string, limit: string, what: string) => {
      const max = parseAmount(limit);
      if (lost === undefined || max === undefined || lost < max) return;
      const reason = `${what} is ${formatAmount(lost)} ${currency}, allowed ${limit}`;
      this.#act('bot', onLoss, reason, ({ strategyId, pair, terms: { side } }) => {
        return !onlyReducesHeld({ strategyId, pair, side }, exposure);
      });
    };
    for (const [currency, limit] of Object.entries(lossDayMax))
      look(exposure.lossDay(currency, nowMs, mid2Of), currency, limit, 'the loss of the day');
    for (const [currency, limit] of Object.entries(drawdownMax))
      look(exposure.trades.drawdown(currency, mid2Of), currency, limit, 'the drawdown');
  }

  #look(strategyId: string, what: string, breaker: Breaker, window: TimeWindow): void {
    const { nowMs } = this.#options.context;
    if (!isTripped(breaker, window, nowMs)) return;
    const { max, withinMs } = breaker;
    const count = window.count(nowMs, withinMs);
    const reason = `${count} ${what} within ${withinMs / 1000} s, allowed ${max}`;
    const isOwn = (order: TrackedOrder): boolean => order.strategyId === strategyId;
    this.#act(`strategy:${strategyId}`, breaker.action, reason, isOwn);
  }

  /** `cancels`: which orders go, unless the action is a halt, which takes all of the scope. */
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
    const takesAll = action === 'halt' && strategyId === undefined;
    orders.cancelAll(`breaker: ${reason}`, takesAll ? () => true : cancels);
  }
}
