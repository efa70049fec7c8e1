/**
 * Fills in the limits that a file may leave out in every mode but live.
 *
 * Invariant: a default only narrows what the required limits allow. It is a breaker, a rate, or the
 * same amount again; no default allows an order that the required limits would refuse.
 */
import type {
  AccountLimits,
  EachStrategyLimits,
  Limits,
  PairLimits,
} from '../domain/bot-settings.ts';

type Given<T, Required extends keyof T> = Pick<T, Required> & {
  readonly [Key in Exclude<keyof T, Required>]?: T[Key] | undefined;
};

/** Limits as a file gives them: optional limits may be missing. */
export type GivenLimits = {
  readonly account: Given<
    AccountLimits,
    'openNotionalMax' | 'turnoverDayMax' | 'lossDayMax' | 'ordersOpenMax' | 'ordersPerMinuteMax'
  >;
  readonly eachStrategy?: Given<EachStrategyLimits, never>;
  readonly pairs: Readonly<
    Record<
      string,
      Given<PairLimits, 'orderBaseMax' | 'positionBaseMax' | 'collar' | 'bookAgeMsMax'>
    >
  >;
};

const minuteMs = 60_000;

/** Returns the given limits with a default for every missing one. */
export function completeLimits(given: GivenLimits): Limits {
  const { account, eachStrategy: each = {} } = given;
  return {
    account: {
      openNotionalMax: account.openNotionalMax,
      turnoverDayMax: account.turnoverDayMax,
      lossDayMax: account.lossDayMax,
      drawdownMax: account.drawdownMax ?? account.lossDayMax,
      onLoss: account.onLoss ?? 'refuse',
      collarBudgetMax: account.collarBudgetMax ?? account.openNotionalMax,
      approveAbove: account.approveAbove ?? account.openNotionalMax,
      feeBuffer: account.feeBuffer ?? '0.01',
      ordersOpenMax: account.ordersOpenMax,
      ordersPerSecondMax: account.ordersPerSecondMax ?? 20,
      ordersPerMinuteMax: account.ordersPerMinuteMax,
      intentAgeMsMax: account.intentAgeMsMax ?? 10_000,
      orderAgeMsMax: account.orderAgeMsMax ?? 24 * 60 * minuteMs,
    },
    eachStrategy: {
      openNotionalMax: each.openNotionalMax ?? account.openNotionalMax,
      ordersPerSecondMax: each.ordersPerSecondMax ?? 10,
      ordersPerMinuteMax: each.ordersPerMinuteMax ?? account.ordersPerMinuteMax,
      cancelShareMax: each.cancelShareMax ?? '2',
      ordersPerFillMax: each.ordersPerFillMax ?? 5_000,
      // Requoting cancels the old order first; an order that is being cancelled does not count.
      identical: each.identical ?? { max: 1, withinMs: 2_000 },
      fills: each.fills ?? { max: 1_000, withinMs: 10 * minuteMs, action: 'halt' },
      rejections: each.rejections ?? { max: 5, withinMs: minuteMs, action: 'halt' },
      refusals: each.refusals ?? { max: 600, withinMs: minuteMs, action: 'halt' },
      losingTrades: each.losingTrades ?? { max: 50, coolDownMs: minuteMs },
    },
    pairs: Object.fromEntries(
      Object.entries(given.pairs).map(([pair, limit]) => [
        pair,
        {
          orderBaseMax: limit.orderBaseMax,
          positionBaseMax: limit.positionBaseMax,
          collar: limit.collar,
          slippageMax: limit.slippageMax ?? limit.collar,
          depthShareMax: limit.depthShareMax ?? '0.1',
          bookAgeMsMax: limit.bookAgeMsMax,
        },
      ]),
    ),
  };
}
