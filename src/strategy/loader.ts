/**
 * Loads the plugin that the settings name, and checks a strategy's settings against it.
 *
 * Invariants: its code has been read and hashed before it is loaded; every failure is a
 * {@link ConfigError} that names the plugin and what is allowed.
 */
import { pathToFileURL } from 'node:url';
import type { PluginsFrom } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import { declarePlugin, loadPlugin } from '../runtime/running-code.ts';
import { type AnyStrategy, isStrategy } from './contract.ts';
import { otherContract } from './contract-version.ts';
import { describe } from './json-value.ts';
import { syntaxErrorIn } from './module-source.ts';
import {
  errorTextIn,
  type FitSettings,
  type FittedStrategy,
  fitStrategy,
} from './parameters/fit-strategy.ts';
import { type PluginCode, readPluginCode } from './plugin-code.ts';
import { placeOfPlugin } from './plugin-place.ts';

/** A plugin with the settings of one strategy, ready for its host. */
export type PreparedStrategy = LoadedStrategy & FittedStrategy;

export type LoadedStrategy = { readonly strategy: AnyStrategy; readonly code: PluginCode };

/**
 * Loads the plugin of `settings` and checks its parameters, pairs and hooks. Throws ConfigError.
 */
export async function prepareStrategy(source: {
  /** The folder of the shipped plugins. */
  readonly folder: string;
  /** The settings file that names the plugin; undefined allows only the names of shipped ones. */
  readonly from?: PluginsFrom | undefined;
  readonly settings: FitSettings;
}): Promise<PreparedStrategy> {
  const { folder, from, settings } = source;
  const { strategy, code } = await loadStrategy(folder, settings.plugin, from);
  return { ...fitStrategy(strategy, settings), code };
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
    const text =
      (error instanceof SyntaxError && syntaxErrorIn(sources)?.message) || errorTextIn(error);
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
