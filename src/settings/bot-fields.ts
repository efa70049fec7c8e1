/** Reads the strategies of a bot's file. */
import { orderTypes, type StrategySettings } from '../domain/bot-settings.ts';
import { allowedBy, field, list, object, optional, record } from './field.ts';
import {
  currencyName,
  feedName,
  packageName,
  pair,
  pluginName,
  side,
  strategyName,
} from './names.ts';
import { spanMs } from './unit-fields.ts';
import { amount, choice, plainMap, text } from './value-fields.ts';

const pairsField = list(pair);
const budgetField = record(amount({ zero: true }), currencyName);
const strategyShape = {
  plugin: pluginName,
  pairs: optional(pairsField),
  watch: optional(pairsField),
  parameters: optional(plainMap(), {}),
  budget: optional(budgetField),
  allow: optional(
    object({
      sides: list(side),
      types: list(choice(orderTypes)),
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
  feeds: optional(list(text(feedName.name, feedName.nameAllowed))),
};

export const packagesField = list(packageName);
const strategyField = object(strategyShape);

/** A strategy that trades needs pairs and a budget, one that only watches neither. */
export const strategiesField = record(
  field(strategyField.about, (cursor) => {
    const draft = strategyField(cursor);
    const { reader, path } = cursor;
    const isGiven = (key: string) => reader.source.has([...path, key]);
    const lacks = (key: string, allowed: string) =>
      reader.reportMissing(path, `lacks ${key}, which is required`, allowed);
    if (draft === undefined) return undefined;
    if (!isGiven('pairs') && !isGiven('watch'))
      lacks('pairs', `${allowedBy(pairsField)}, or watch: the pairs that it only watches`);
    if (isGiven('pairs') && !isGiven('budget')) lacks('budget', allowedBy(budgetField));
    for (const [i, name] of (draft.watch ?? []).entries())
      if (draft.pairs?.includes(name) === true) {
        const message = `was ${name}, which is in pairs: what is traded is watched, too`;
        reader.report([...path, 'watch', i], { message, allowed: 'a pair that it does not trade' });
      }
    return draft;
  }),
  strategyName,
);
export type StrategiesDraft = NonNullable<ReturnType<typeof strategiesField>>;

/** Whether any strategy trades, so that the bot needs limits; also if its pairs have a problem. */
export function tradesAny(strategies: StrategiesDraft | undefined): boolean {
  if (strategies === undefined) return true;
  return [...strategies.values()].some(
    (one) => one?.watch === undefined || one.pairs !== undefined,
  );
}

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
      pairs: strategy.pairs ?? [],
      ...(strategy.watch === undefined ? {} : { watch: strategy.watch }),
      parameters: must(strategy.parameters),
      budget: strategy.budget === undefined ? {} : recordOf(strategy.budget),
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
      ...(strategy.feeds === undefined ? {} : { feeds: strategy.feeds }),
    };
  });
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
