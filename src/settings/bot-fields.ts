/** Reads the strategies and limits of a bot's file. */
import type { Breaker, Limits, StrategySettings } from '../domain/bot-settings.ts';
import { completeLimits } from './complete-limits.ts';
import { type Draft, list, object, optional, orWord, record } from './field.ts';
import { presetNames } from './limit-presets.ts';
import {
  currencyName,
  packageName,
  pair,
  pairName,
  pluginName,
  side,
  strategyName,
} from './names.ts';
import { share, spanMs } from './unit-fields.ts';
import { amount, choice, plainMap, wholeNumber } from './value-fields.ts';

const dayMs = 86_400_000;

const strategyShape = {
  plugin: pluginName,
  pairs: list(pair),
  parameters: optional(plainMap(), {}),
  budget: record(amount({ zero: true }), currencyName),
  allow: optional(
    object({
      sides: list(side),
      types: list(choice(['limit'])),
      timeInForce: list(choice(['GTC', 'IOC', 'FOK'])),
      postOnly: choice(['required', 'allowed', 'never']),
    }),
    // Orders that never trade on arrival. A budget and limits, without defaults, bound them.
    { sides: ['BID', 'ASK'], types: ['limit'], timeInForce: ['GTC'], postOnly: 'required' },
  ),
  onRestart: optional(choice(['adopt', 'cancel']), 'adopt'),
  onStop: optional(choice(['cancel', 'leave']), 'cancel'),
  onMove: optional(choice(['overlap', 'cancel']), 'overlap'),
  onUnusableBook: optional(object({ withdrawAfter: spanMs({ minMs: 0, maxMs: 3_600_000 }) }), {
    withdrawAfter: 10_000,
  }),
};

const amounts = record(amount({ zero: true }), currencyName);

const orderRate = wholeNumber({ min: 0, max: 10_000 });
const count = wholeNumber({ min: 0, max: 100_000 });
const hourOrLess = spanMs({ minMs: 1, maxMs: 3_600_000 });
const action = choice(['refuse', 'cancel', 'reduce', 'halt']);
const breakerShape = { max: count, within: hourOrLess, action };
const breaker = object(breakerShape);

const accountShape = {
  openNotionalMax: amounts,
  turnoverDayMax: amounts,
  lossDayMax: amounts,
  drawdownMax: optional(amounts),
  onLoss: optional(action),
  collarBudgetMax: optional(amounts),
  approveAbove: optional(amounts),
  feeBuffer: optional(share({ max: '1' })),
  ordersOpenMax: wholeNumber({ min: 0, max: 1_000 }),
  ordersPerSecondMax: optional(orderRate),
  ordersPerMinuteMax: orderRate,
  intentAgeMax: optional(spanMs({ minMs: 1, maxMs: 3_600_000 })),
  orderAgeMax: optional(spanMs({ minMs: 1_000, maxMs: 30 * dayMs })),
};

const eachStrategyShape = {
  openNotionalMax: optional(amounts),
  ordersPerSecondMax: optional(orderRate),
  ordersPerMinuteMax: optional(orderRate),
  cancelShareMax: optional(share({ max: '10', unit: 'fraction' })),
  ordersPerFillMax: optional(count),
  identical: optional(object({ max: count, within: hourOrLess })),
  fills: optional(breaker),
  rejections: optional(breaker),
  refusals: optional(breaker),
  losingTrades: optional(
    object({ max: count, coolDown: spanMs({ minMs: 1_000, maxMs: 30 * dayMs }) }),
  ),
};

const pairShape = {
  orderBaseMax: amount({ zero: true }),
  positionBaseMax: amount({ zero: true }),
  collar: share({ max: '1' }),
  slippageMax: optional(share({ max: '1' })),
  depthShareMax: optional(share({ max: '1' })),
  // Longer than the longest candle, which is a day.
  bookAgeMax: spanMs({ minMs: 1, maxMs: 2 * dayMs }),
};

export const packagesField = list(packageName);
export const strategiesField = record(object(strategyShape), strategyName);
/** Limits that are written out. */
export const writtenLimitsField = object({
  account: object(accountShape),
  eachStrategy: optional(object(eachStrategyShape)),
  pairs: record(object(pairShape), pairName),
});
export const limitsField = orWord(presetNames, writtenLimitsField);

export type StrategiesDraft = NonNullable<ReturnType<typeof strategiesField>>;
export type LimitsDraft = NonNullable<ReturnType<typeof writtenLimitsField>>;
type PairDraft = Draft<typeof pairShape>;

/** Returns `value`. It can be undefined only if a problem was reported, which throws earlier. */
export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a setting is missing and no problem was reported');
  return value;
}

/** Returns the strategies of a draft without problems. */
export function strategiesOf(draft: StrategiesDraft): StrategySettings[] {
  return [...draft].map(([id, entry]) => {
    const strategy = must(entry);
    const allow = must(strategy.allow);
    return {
      id,
      plugin: must(strategy.plugin),
      pairs: must(strategy.pairs),
      parameters: must(strategy.parameters),
      budget: recordOf(strategy.budget),
      allow: {
        sides: must(allow.sides),
        types: must(allow.types),
        timeInForce: must(allow.timeInForce),
        postOnly: must(allow.postOnly),
      },
      onRestart: must(strategy.onRestart),
      onStop: must(strategy.onStop),
      onMove: must(strategy.onMove),
      onUnusableBook: { withdrawAfterMs: must(must(strategy.onUnusableBook).withdrawAfter) },
    };
  });
}

/**
 * The limits that are optional in every mode but live, by section. {@link completeLimits} fills in
 * their defaults.
 */
export const limitsRequiredLive = {
  account: optionalOf(accountShape),
  eachStrategy: optionalOf(eachStrategyShape),
  pair: optionalOf(pairShape),
} as const;

function optionalOf(shape: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(shape).filter((name) => typeof shape[name] !== 'function');
}

/** Returns the limits of a draft without problems. */
export function limitsOf(draft: LimitsDraft): Limits {
  const account = must(draft.account);
  const each: Partial<NonNullable<LimitsDraft['eachStrategy']>> = draft.eachStrategy ?? {};
  return completeLimits({
    account: {
      openNotionalMax: recordOf(account.openNotionalMax),
      turnoverDayMax: recordOf(account.turnoverDayMax),
      lossDayMax: recordOf(account.lossDayMax),
      drawdownMax: maybe(account.drawdownMax, recordOf),
      onLoss: account.onLoss,
      collarBudgetMax: maybe(account.collarBudgetMax, recordOf),
      approveAbove: maybe(account.approveAbove, recordOf),
      feeBuffer: account.feeBuffer,
      ordersOpenMax: must(account.ordersOpenMax),
      ordersPerSecondMax: account.ordersPerSecondMax,
      ordersPerMinuteMax: must(account.ordersPerMinuteMax),
      intentAgeMsMax: account.intentAgeMax,
      orderAgeMsMax: account.orderAgeMax,
    },
    eachStrategy: {
      openNotionalMax: maybe(each.openNotionalMax, recordOf),
      ordersPerSecondMax: each.ordersPerSecondMax,
      ordersPerMinuteMax: each.ordersPerMinuteMax,
      cancelShareMax: each.cancelShareMax,
      ordersPerFillMax: each.ordersPerFillMax,
      identical: maybe(each.identical, ({ max, within }) => ({
        max: must(max),
        withinMs: must(within),
      })),
      fills: maybe(each.fills, breakerOf),
      rejections: maybe(each.rejections, breakerOf),
      refusals: maybe(each.refusals, breakerOf),
      losingTrades: maybe(each.losingTrades, ({ max, coolDown }) => ({
        max: must(max),
        coolDownMs: must(coolDown),
      })),
    },
    pairs: Object.fromEntries(
      [...must(draft.pairs)].map(([name, limit]) => [name, pairOf(must(limit))]),
    ),
  });
}

function pairOf(limit: PairDraft) {
  return {
    orderBaseMax: must(limit.orderBaseMax),
    positionBaseMax: must(limit.positionBaseMax),
    collar: must(limit.collar),
    slippageMax: limit.slippageMax,
    depthShareMax: limit.depthShareMax,
    bookAgeMsMax: must(limit.bookAgeMax),
  };
}

function breakerOf(draft: Draft<typeof breakerShape>): Breaker {
  return { max: must(draft.max), withinMs: must(draft.within), action: must(draft.action) };
}

function maybe<T, R>(value: T | undefined, of: (value: T) => R): R | undefined {
  return value === undefined ? undefined : of(value);
}

/** Returns a map of a draft without problems as a plain object. */
export function recordOf(
  map: ReadonlyMap<string, string | undefined> | undefined,
): Record<string, string> {
  return Object.fromEntries([...must(map)].map(([name, value]) => [name, must(value)]));
}

/** Freezes `value` and everything inside it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
