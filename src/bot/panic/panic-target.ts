/** The bot whose orders a panic stops, and its exchange. */
import type { VenueSettings } from '../../domain/bot-settings.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { statePlaceOf } from '../state-place.ts';

export type PanicTarget = {
  readonly namespace: string;
  readonly venue: VenueSettings;
  readonly home: string;
  /** Path of the bot's database, if a configuration names it. */
  readonly store: string | undefined;
};

export function targetOfConfig(
  config: string,
  home: string | undefined,
  workspace: Workspace,
): PanicTarget {
  const settings = loadBotSettings(config, { workspace, home });
  const place = statePlaceOf(settings.store, home);
  const venue = loadVenue(settings.venue, workspace.venues);
  return { namespace: settings.namespace, venue, home: place.home, store: place.store };
}
