/**
 * Fills in the limits that a file may leave out: everywhere but in live mode.
 *
 * Invariant: a default only narrows what the limits that must be said allow. It is a breaker, a
 * rate, or the same amount again; no default allows an order that the others would not.
 */
import type {
  AccountLimits,
  EachStrategyLimits,
  Limits,
  PairLimits,
} from '../domain/bot-settings.ts';

type Said<T, Required extends keyof T> = Pick<T, Required> & {
  readonly [Key in Exclude<keyof T, Required>]?: T[Key] | undefined;
};

/** Limits as a file may give them. */
export type SaidLimits = {
  readonly account: Said<
    AccountLimits,
    'openNotionalMax' | 'turnoverDayMax' | 'lossDayMax' | 'ordersOpenMax' | 'ordersPerMinuteMax'
  >;
  readonly eachStrategy?: Said<EachStrategyLimits, never>;
  readonly pairs: Readonly<
    Record<string, Said<PairLimits, 'orderBaseMax' | 'positionBaseMax' | 'collar' | 'bookAgeMsMax'>>
  >;
};

const minuteMs = 60_000;

/** Returns `said` with every limit that it leaves out. */
export function completeLimits(said: SaidLimits): Limits {
  const { account, eachStrategy: each = {} } = said;
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
      // Requoting cancels the old order first, and an order that is being cancelled is not alike.
      identical: each.identical ?? { max: 1, withinMs: 2_000 },
      fills: each.fills ?? { max: 1_000, withinMs: 10 * minuteMs, action: 'halt' },
      rejections: each.rejections ?? { max: 5, withinMs: minuteMs, action: 'halt' },
      refusals: each.refusals ?? { max: 600, withinMs: minuteMs, action: 'halt' },
      losingTrades: each.losingTrades ?? { max: 50, coolDownMs: minuteMs },
    },
    pairs: Object.fromEntries(
      Object.entries(said.pairs).map(([pair, limit]) => [
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
