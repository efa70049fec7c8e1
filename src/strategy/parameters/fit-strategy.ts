/**
 * Checks a strategy's settings against its plugin: its parameters, its pairs, and what its hooks
 * return for them.
 *
 * Invariant: every failure is a {@link ConfigError} that names the strategy and what is allowed.
 */
import { z } from 'zod';
import { orderTypes, type StrategySettings } from '../../domain/bot-settings.ts';
import { candlePartMs } from '../../domain/candle-durations.ts';
import { ConfigError } from '../../domain/errors.ts';
import { isPlainDecimal } from '../../domain/money.ts';
import { durationText } from '../../domain/unit-text.ts';
import { runCodeOf } from '../../runtime/running-code.ts';
import type { AnyStrategy } from '../contract.ts';
import { errorPlaceOf } from '../error-place.ts';
import { describe, isPlainObject } from '../json-value.ts';
import type { Needs, Quoting, WarmUp } from '../needs.ts';
import { UnfitParametersError } from '../unfit-parameters-error.ts';

/** A plugin with the parameters of one strategy, and what follows from them. */
export type FittedStrategy = {
  readonly strategy: AnyStrategy;
  /** As the plugin's schema parsed them. */
  readonly parameters: unknown;
  readonly warmUp: WarmUp | undefined;
  readonly quoting: Quoting | undefined;
  readonly needs: Needs | undefined;
};

/** The part of a strategy's settings that its plugin judges. */
export type FitSettings = Pick<
  StrategySettings,
  'id' | 'plugin' | 'pairs' | 'watch' | 'parameters'
>;

const candlesMax = 10_000;

/**
 * Checks the parameters and pairs of one strategy's settings against its plugin, and calls the
 * plugin's hooks. Throws ConfigError.
 */
export function fitStrategy(strategy: AnyStrategy, settings: FitSettings): FittedStrategy {
  checkPairs(strategy, settings);
  const parameters = parseParameters(strategy, settings.parameters, settings.id);
  return {
    strategy,
    parameters,
    warmUp: warmUpOf(strategy, parameters, settings.id),
    quoting: quotingOf(strategy, parameters, settings.id),
    needs: needsOf(strategy, parameters, settings.id),
  };
}

/** Throws ConfigError if the settings name another number of pairs than the plugin wants. */
function checkPairs(strategy: AnyStrategy, { id, plugin, pairs, watch = [] }: FitSettings): void {
  const refuse = (key: 'pairs' | 'watch', problem: string): never => {
    throw new ConfigError(`strategies.${id}.${key}: ${problem}`);
  };
  const { watches = 0 } = strategy;
  // A strategy that trades any number of pairs trades at least one, unless it may watch instead.
  const isEmpty = pairs.length === 0 && (watches === 0 || watch.length === 0);
  if (isEmpty || (strategy.pairs !== 'any' && strategy.pairs !== pairs.length)) {
    const allowed = strategy.pairs === 'any' ? 'at least 1' : strategy.pairs;
    refuse('pairs', `${plugin} trades ${allowed} pair(s), ${pairs.length} given`);
  }
  if (watches !== 'any' && watches !== watch.length)
    refuse('watch', `${plugin} watches ${watches} pair(s), ${watch.length} given`);
  for (const [key, names] of [
    ['pairs', pairs],
    ['watch', watch],
  ] as const)
    if (new Set(names).size !== names.length)
      refuse(key, `names a pair twice (${names.join(', ')})`);
  const both = watch.find((pair) => pairs.includes(pair));
  if (both !== undefined) refuse('watch', `${both} is in pairs: what is traded is watched, too`);
}

/**
 * Returns the parameters as parsed by the plugin's schema. Throws {@link UnfitParametersError},
 * also for an unknown parameter.
 */
export function parseParameters(strategy: AnyStrategy, parameters: unknown, id: string): unknown {
  const schema: z.ZodType =
    strategy.parameters instanceof z.ZodObject && strategy.parameters.def.catchall === undefined
      ? strategy.parameters.strict()
      : strategy.parameters;
  const parse = (given: unknown) => callHook(strategy, 'parameters', () => schema.safeParse(given));
  const result = parse(parameters);
  if (result.success) return result.data;
  const names =
    strategy.parameters instanceof z.ZodObject ? Object.keys(strategy.parameters.shape) : [];
  const problems = result.error.issues.map((issue) => {
    const path = ['strategies', id, 'parameters', ...issue.path].join('.');
    const given = valueAt(parameters, issue.path);
    const missing = issue.code === 'invalid_type' && given === undefined;
    const before = issue.message.startsWith('must ') ? 'is missing; it ' : 'is missing: ';
    return `${path}: ${missing ? before : ''}${issue.message}`;
  });
  const known =
    names.length === 0 ? '' : `; the parameters of ${strategy.name} are ${names.join(', ')}`;
  throw new UnfitParametersError(`${problems.join('; ')}${known}`, {
    strategyId: id,
    issues: result.error.issues,
    keys: names,
    issuesOf: (given) => parse(given).error?.issues ?? [],
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isPlainObject(inner) ? inner[String(key)] : undefined),
    value,
  );
}

function warmUpOf(strategy: AnyStrategy, parameters: unknown, id: string): WarmUp | undefined {
  const warmUp = hookResult(strategy, 'warmUp', () => strategy.warmUp?.(parameters), id);
  if (warmUp === undefined) return undefined;
  const { intervalMs, candles } = warmUp;
  const fits =
    candlePartMs(intervalMs) !== undefined &&
    Number.isSafeInteger(candles) &&
    candles >= 0 &&
    candles <= candlesMax;
  if (fits) return warmUp;
  throw new ConfigError(
    `strategies.${id}: ${strategy.name} asks for a warm-up of ${candles} candles of ` +
      `${durationText(intervalMs)}; allowed are at most ${candlesMax} candles of whole minutes, ` +
      'which the exchange lists or from which they can be put together, such as 60s, 2m or 1h',
  );
}

/** Called before anything is opened, so that a mistake in it cannot stop a run with open orders. */
function quotingOf(strategy: AnyStrategy, parameters: unknown, id: string): Quoting | undefined {
  const quoting = hookResult(strategy, 'quoting', () => strategy.quoting?.(parameters), id);
  if (quoting === undefined) return undefined;
  const refuse = (name: string, value: unknown, allowed: string): never => {
    throw new ConfigError(
      `strategies.${id}: ${strategy.name} quotes with a ${name} of ${describe(value)}; it must be ${allowed}`,
    );
  };
  const { halfSpread, refreshMs, tolerance } = quoting;
  if (!Number.isFinite(halfSpread))
    refuse('halfSpread', halfSpread, 'a fraction of the mid such as 0.002');
  if (refreshMs !== undefined && !Number.isFinite(refreshMs))
    refuse('refreshMs', refreshMs, 'milliseconds such as 15000');
  if (tolerance !== undefined && !Number.isFinite(tolerance))
    refuse('tolerance', tolerance, 'a fraction of the mid such as 0.0002');
  return quoting;
}

const needsSchema = z.strictObject({
  sides: z.array(z.enum(['BID', 'ASK'])).nonempty(),
  types: z.array(z.enum(orderTypes)).nonempty().optional(),
  timeInForce: z.array(z.enum(['GTC', 'IOC', 'FOK'])).nonempty(),
  postOnly: z.boolean(),
  size: z.string().refine(isPlainDecimal, { error: 'must be decimal text' }).optional(),
  ordersAtOnce: z.int().positive().optional(),
});

function needsOf(strategy: AnyStrategy, parameters: unknown, id: string): Needs | undefined {
  const needs = hookResult(strategy, 'needs', () => strategy.needs?.(parameters), id);
  if (needs === undefined) return undefined;
  const problem = needsSchema.safeParse(needs).error?.issues[0];
  if (problem === undefined) return needs;
  const where = ['needs', ...problem.path].join('.');
  throw new ConfigError(`strategies.${id}: ${strategy.name}: ${where}: ${problem.message}`);
}

/** Returns the object that a hook returned; undefined if the plugin has no such hook. */
function hookResult<Value extends object>(
  strategy: AnyStrategy,
  hook: string,
  work: () => Value | undefined,
  id: string,
): Value | undefined {
  const value = callHook(strategy, hook, work);
  if (value === undefined || isPlainObject(value)) return value;
  throw new ConfigError(
    `strategies.${id}: ${hook} of ${strategy.name} must return an object, returned ${describe(value)}`,
  );
}

/** Calls code of the plugin; an error that it throws becomes a ConfigError. */
export function callHook<Value>({ name }: AnyStrategy, hook: string, work: () => Value): Value {
  try {
    return runCodeOf('plugin', work);
  } catch (error) {
    throw new ConfigError(`plugin ${name}: its ${hook} threw: ${errorTextIn(error)}`, {
      cause: error,
    });
  }
}

/** Returns what an error of a plugin says, with its place in the plugin's code. */
export function errorTextIn(error: unknown): string {
  if (!(error instanceof Error)) return describe(error);
  const place = errorPlaceOf(error);
  return place === undefined ? error.message : `${error.message}, at ${place}`;
}
