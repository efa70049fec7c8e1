/** The keys of a bot's file that say what it may do: strategies and limits. */
import type { Limits, StrategySettings } from '../domain/bot-settings.ts';
import { type Draft, list, object, optional, record } from './field.ts';
import { currencyName, pair, pairName, side, slug, strategyName } from './names.ts';
import { amount, choice, plainMap, share, spanMs, wholeNumber } from './value-fields.ts';

const dayMs = 86_400_000;

const strategyShape = {
  plugin: slug,
  pairs: list(pair),
  parameters: optional(plainMap(), {}),
  budget: record(amount({ zero: true }), currencyName),
  allow: object({
    sides: list(side),
    types: list(choice(['limit'])),
    timeInForce: list(choice(['GTC', 'IOC', 'FOK'])),
    postOnly: choice(['required', 'allowed', 'never']),
  }),
  onRestart: optional(choice(['adopt', 'cancel']), 'adopt'),
  onStop: optional(choice(['cancel', 'leave']), 'cancel'),
  onUnusableBook: optional(object({ withdrawAfter: spanMs({ minMs: 0, maxMs: 3_600_000 }) }), {
    withdrawAfter: 10_000,
  }),
};

const amounts = record(amount({ zero: true }), currencyName);

const accountShape = {
  openNotionalMax: amounts,
  turnoverDayMax: amounts,
  lossDayMax: amounts,
  ordersOpenMax: wholeNumber({ min: 0, max: 1_000 }),
  ordersPerMinuteMax: wholeNumber({ min: 0, max: 10_000 }),
};

const pairShape = {
  orderBaseMax: amount({ zero: true }),
  positionBaseMax: amount({ zero: true }),
  collar: share({ max: '1' }),
  bookAgeMax: spanMs({ minMs: 1, maxMs: dayMs }),
};

export const strategiesField = record(object(strategyShape), strategyName);
export const limitsField = object({
  account: object(accountShape),
  pairs: record(object(pairShape), pairName),
});

export type StrategiesDraft = NonNullable<ReturnType<typeof strategiesField>>;
export type LimitsDraft = NonNullable<ReturnType<typeof limitsField>>;
type PairDraft = Draft<typeof pairShape>;

/** Returns `value`, which can only be missing if a problem was reported. */
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
      onUnusableBook: { withdrawAfterMs: must(must(strategy.onUnusableBook).withdrawAfter) },
    };
  });
}

/** Returns the limits of a draft without problems. */
export function limitsOf(draft: LimitsDraft): Limits {
  const account = must(draft.account);
  const pairOf = (limit: PairDraft) => ({
    orderBaseMax: must(limit.orderBaseMax),
    positionBaseMax: must(limit.positionBaseMax),
    collar: must(limit.collar),
    bookAgeMsMax: must(limit.bookAgeMax),
  });
  return {
    account: {
      openNotionalMax: recordOf(account.openNotionalMax),
      turnoverDayMax: recordOf(account.turnoverDayMax),
      lossDayMax: recordOf(account.lossDayMax),
      ordersOpenMax: must(account.ordersOpenMax),
      ordersPerMinuteMax: must(account.ordersPerMinuteMax),
    },
    pairs: Object.fromEntries(
      [...must(draft.pairs)].map(([name, limit]) => [name, pairOf(must(limit))]),
    ),
  };
}

/** Returns a map of a draft without problems as a plain object. */
export function recordOf(
  map: ReadonlyMap<string, string | undefined> | undefined,
): Record<string, string> {
  return Object.fromEntries([...must(map)].map(([name, value]) => [name, must(value)]));
}

/** Freezes `value` and all that it holds. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
