/** The bot whose orders a panic stops, and its exchange. */
import type { VenueSettings } from '../../domain/bot-settings.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { packageRoot, venuesFolder } from '../../terminal/package-root.ts';
import { statePlaceOf } from '../state-place.ts';

export type PanicTarget = {
  readonly namespace: string;
  readonly venue: VenueSettings;
  readonly home: string;
  /** Path of the bot's database, if a configuration names it. */
  readonly store: string | undefined;
};

/** Returns the target that a bot's settings describe. */
export function targetOfConfig(config: string, home: string | undefined): PanicTarget {
  const settings = loadBotSettings(config, { cwd: packageRoot });
  const place = statePlaceOf(settings.store, home);
  const venue = loadVenue(settings.venue, venuesFolder);
  return { namespace: settings.namespace, venue, home: place.home, store: place.store };
}
