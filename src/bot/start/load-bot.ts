/**
 * Loads a bot's settings with everything that they name: plugins, venue and egress caps.
 *
 * Invariant: each part is checked even if others are wrong, so that one error lists everything that
 * can be known, the problems of the bot's own file in the order of its lines.
 */
import { resolve } from 'node:path';
import { anyTrades, type EgressCaps, type VenueSettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { presetIn } from '../../settings/given-limits.ts';
import { botSettingsOf, type LoadedBotSettings } from '../../settings/load-bot-settings.ts';
import { presetCaps } from '../../settings/load-egress.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { joinedError, PlacedConfigError } from '../../settings/problem.ts';
import { readableBot } from '../../settings/readable-settings.ts';
import { readSettings } from '../../settings/settings-source.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import { egressCapsOf } from '../keys/egress-caps.ts';
import { checkApprovedPackages } from './approved-packages.ts';
import { checkPlugins, placedError } from './prepare-plugins.ts';

export type LoadedBot = {
  readonly settings: LoadedBotSettings;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly venue: VenueSettings;
  readonly egressCaps: EgressCaps | undefined;
};

/** What could be loaded, and the errors of the rest. */
export type CheckedBot = {
  readonly [Key in Exclude<keyof LoadedBot, 'plugins'>]: LoadedBot[Key] | undefined;
} & Pick<LoadedBot, 'plugins'> & { readonly errors: readonly ConfigError[] };

/** Where its files are; `home` replaces the folder of its `store`. */
type LoadPlace = { readonly workspace: Workspace; readonly home?: string | undefined };

/** Throws if the settings must not be used with the venue. */
export type ModeCheck = (settings: LoadedBotSettings, venue: VenueSettings) => void;

/**
 * Loads the bot of `config`. Throws one ConfigError with all problems, or what `checkMode` throws,
 * which runs before any code of a plugin.
 */
export async function loadBot(
  config: string,
  place: LoadPlace,
  checkMode: ModeCheck,
): Promise<LoadedBot> {
  const { settings, plugins, venue, egressCaps, errors } = await checkBot(config, place, checkMode);
  if (settings === undefined || venue === undefined || errors.length > 0) throw joinedError(errors);
  return { settings, plugins, venue, egressCaps };
}

/** As {@link loadBot}, but returns the errors. Throws ConfigError if the file cannot be parsed. */
export async function checkBot(
  config: string,
  place: LoadPlace,
  checkMode?: ModeCheck,
): Promise<CheckedBot> {
  const { workspace } = place;
  const source = readSettings(resolve(config), config, 'bot');
  const errors: ConfigError[] = [];
  const attempt = async <Value>(work: () => Value | Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const settings = await attempt(() => botSettingsOf(source, place));
  const { strategies, pluginsFrom, venue: venueName, ...rest } = settings ?? readableBot(source);
  const attemptFile = <Value>(key: string, load: () => Value): Promise<Value | undefined> =>
    attempt(() => {
      try {
        return load();
      } catch (error) {
        // An error in the named file has its place there.
        if (!(error instanceof ConfigError) || error instanceof PlacedConfigError) throw error;
        throw placedError(source, [key], error);
      }
    });
  const venue = await attemptFile('venue', () =>
    venueName === undefined ? undefined : loadVenue(venueName, workspace.venues),
  );
  if (settings !== undefined && venue !== undefined) checkMode?.(settings, venue);
  const checked = await checkPlugins({ strategies, source, pluginsFrom }, workspace.strategies);
  const { plugins } = checked;
  errors.push(...checked.errors);
  if (settings !== undefined)
    await attempt(() => checkApprovedPackages(settings, plugins, workspace));
  const egressCaps = await attemptFile('egress', () => {
    // A preset can be read only from settings without problems, and has caps of traded pairs.
    const hasPreset = settings !== undefined && anyTrades(settings.strategies);
    const preset = hasPreset ? presetIn(source) : undefined;
    if (preset === undefined || rest.egress !== undefined)
      return egressCapsOf({ ...rest, strategies }, config);
    return presetCaps(preset, { path: resolve(config), hash: source.hash });
  });
  return { settings, plugins, venue, egressCaps, errors };
}
