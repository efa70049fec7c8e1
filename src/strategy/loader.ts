/**
 * Loads the plugin that the settings name, and checks a strategy's settings against it.
 *
 * Invariants: its code has been read and hashed before it is loaded; every failure is a
 * {@link ConfigError} that names the plugin and what is allowed.
 */
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { PluginsFrom, StrategySettings } from '../domain/bot-settings.ts';
import { candlePartMs } from '../domain/candle-durations.ts';
import { ConfigError } from '../domain/errors.ts';
import { isPlainDecimal } from '../domain/money.ts';
import { durationText } from '../domain/unit-text.ts';
import { declarePlugin, loadPlugin, runCodeOf } from '../runtime/running-code.ts';
import { type AnyStrategy, isStrategy, type Quoting, type WarmUp } from './contract.ts';
import { otherContract } from './contract-version.ts';
import { errorPlaceOf } from './error-place.ts';
import { describe, isPlainObject } from './json-value.ts';
import { syntaxErrorIn } from './module-source.ts';
import type { Needs } from './needs.ts';
import { type PluginCode, readPluginCode } from './plugin-code.ts';
import { placeOfPlugin } from './plugin-place.ts';
import { UnfitParametersError } from './unfit-parameters-error.ts';

/** A plugin with the settings of one strategy, ready for its host. */
export type PreparedStrategy = LoadedStrategy & {
  readonly parameters: unknown;
  readonly warmUp: WarmUp | undefined;
  readonly quoting: Quoting | undefined;
  readonly needs: Needs | undefined;
};

export type LoadedStrategy = { readonly strategy: AnyStrategy; readonly code: PluginCode };

const candlesMax = 10_000;

/**
 * Loads the plugin of `settings` and checks its parameters, pairs and hooks. Throws ConfigError.
 */
export async function prepareStrategy(source: {
  /** The folder of the shipped plugins. */
  readonly folder: string;
  /** The settings file that names the plugin; undefined allows only the names of shipped ones. */
  readonly from?: PluginsFrom | undefined;
  readonly settings: Pick<StrategySettings, 'id' | 'plugin' | 'pairs' | 'parameters'>;
}): Promise<PreparedStrategy> {
  const { folder, from, settings } = source;
  const { strategy, code } = await loadStrategy(folder, settings.plugin, from);
  return { ...fitStrategy(strategy, settings), code };
}

/**
 * Checks the parameters and pairs of one strategy's settings against its plugin, and calls the
 * plugin's hooks. Throws ConfigError.
 */
export function fitStrategy(
  strategy: AnyStrategy,
  settings: Pick<StrategySettings, 'id' | 'plugin' | 'pairs' | 'parameters'>,
): Omit<PreparedStrategy, 'code'> {
  const { pairs } = settings;
  if (pairs.length === 0 || (strategy.pairs !== 'any' && strategy.pairs !== pairs.length)) {
    const allowed = strategy.pairs === 'any' ? 'at least 1' : strategy.pairs;
    throw new ConfigError(
      `strategies.${settings.id}.pairs: ${settings.plugin} trades ${allowed} pair(s), ` +
        `${pairs.length} given`,
    );
  }
  if (new Set(pairs).size !== pairs.length) {
    throw new ConfigError(
      `strategies.${settings.id}.pairs: names a pair twice (${pairs.join(', ')})`,
    );
  }
  const parameters = parseParameters(strategy, settings.parameters, settings.id);
  return {
    strategy,
    parameters,
    warmUp: warmUpOf(strategy, parameters, settings.id),
    quoting: quotingOf(strategy, parameters, settings.id),
    needs: needsOf(strategy, parameters, settings.id),
  };
}

/** Loads a plugin; see {@link prepareStrategy}. Throws ConfigError if it is missing or wrong. */
export async function loadStrategy(
  folder: string,
  plugin: string,
  from?: PluginsFrom,
): Promise<LoadedStrategy> {
  const place = await placeOfPlugin(plugin, { shipped: folder, from });
  const { file, kind } = place;
  const code = await readPluginCode(place, from?.packages ?? 'any').catch((error) => {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`plugin ${plugin} cannot be loaded: ${error.message}`, { cause: error });
  });
  const { sources, packages } = code;
  declarePlugin({ files: sources.map((one) => one.file), packages });
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await loadPlugin(() => import(/* @vite-ignore */ pathToFileURL(file).href));
  } catch (error) {
    const text = (error instanceof SyntaxError && syntaxErrorIn(sources)?.message) || textOf(error);
    throw new ConfigError(`plugin ${plugin} cannot be loaded: ${text}`, { cause: error });
  }
  const strategy = loaded['default'];
  if (!isStrategy(strategy)) {
    const problem = otherContract(strategy) ?? otherExport(loaded);
    throw new ConfigError(`plugin ${plugin}: ${problem}`);
  }
  if (kind === 'shipped' && strategy.name !== plugin) {
    throw new ConfigError(
      `plugin ${plugin}: its name is "${strategy.name}", but must equal that of its folder`,
    );
  }
  return { strategy, code };
}

function otherExport(loaded: Readonly<Record<string, unknown>>): string {
  const must = 'its default export must be made by defineStrategy';
  const [named] = Object.entries(loaded).find(([, value]) => isStrategy(value)) ?? [];
  if (named !== undefined) return `${must}; it exports one as ${named}: export it as default`;
  if ('default' in loaded) return `${must}, but is ${describe(loaded['default'])}`;
  const names = Object.keys(loaded);
  return `${must}, but it ${names.length === 0 ? 'exports nothing' : `exports only ${names.join(', ')}`}`;
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

/** Calls a hook of the plugin; an error that it throws becomes a ConfigError. */
function callHook<Value>({ name }: AnyStrategy, hook: string, work: () => Value): Value {
  try {
    return runCodeOf('plugin', work);
  } catch (error) {
    throw new ConfigError(`plugin ${name}: its ${hook} threw: ${textOf(error)}`, { cause: error });
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return describe(error);
  const place = errorPlaceOf(error);
  return place === undefined ? error.message : `${error.message}, at ${place}`;
}
