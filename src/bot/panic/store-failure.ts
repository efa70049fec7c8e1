/**
 * What a bot does whose database can keep nothing more: no order leaves any more, those that it
 * knows and those that the exchange lists are stopped without records, and the process ends.
 *
 * Invariants: only lists and stops leave, through the egress guard of the bot; it is over within
 * {@link withinMs}, whatever the exchange answers.
 */
import type { Credentials } from '../../client/credentials.ts';
import type { VenueSettings } from '../../domain/bot-settings.ts';
import { StoreError } from '../../domain/errors.ts';
import { createClock } from '../../runtime/clock.ts';
import type { Timers } from '../../runtime/timers.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Bot } from '../bot.ts';
import { type LeftBehind, leftBehind } from '../open-at-exit.ts';
import { panicOrders } from './panic-orders.ts';

/** As long as an orderly stop may take. */
const withinMs = 30_000;

export type StoreFailureOptions = {
  readonly venue: VenueSettings;
  readonly credentials: Credentials;
  readonly timers: Timers;
  readonly config: string;
  readonly home: string;
  readonly tell: (text: string) => void;
};

/** Whether the run ended because its database failed, and may have left orders at the exchange. */
export function isStoreFailure(
  error: unknown,
  bot: Pick<Bot, 'engine' | 'settings'> | undefined,
): bot is Bot {
  return (
    error instanceof StoreError &&
    bot !== undefined &&
    bot.settings.mode !== 'paper' &&
    bot.engine.orders.tracker.liveCount > 0
  );
}

/** Stops the bot's orders; returns what is left. */
export async function cancelWithoutStore(
  bot: Pick<Bot, 'engine' | 'settings' | 'guard'>,
  options: StoreFailureOptions,
): Promise<LeftBehind> {
  const { venue, credentials, timers, tell } = options;
  const clock = createClock();
  const endMicros = clock.monotonicMicros() + withinMs * 1000;
  tell('! the database keeps nothing any more: no order leaves, every order of ours is stopped');
  try {
    const cleared = await panicOrders({
      baseUrl: venue.baseUrl,
      paths: venue.paths,
      credentials,
      namespace: bot.settings.namespace,
      timers,
      guard: bot.guard,
      known: knownOf(bot),
      mayGoOn: () => clock.monotonicMicros() < endMicros,
      tell: () => {},
    });
    if (cleared.isClean) {
      const text = `! no order is open: two lists in a row show none, after ${cleared.stopsSent} stops; the next start books what they filled`;
      return { exitCode: exitCodes.error, text };
    }
    tell(`! not proven: ${cleared.open ?? 'an unknown number of'} orders were open when last seen`);
  } catch (error) {
    tell(`! the orders could not be stopped: ${String(error)}`);
  }
  return leftBehind(bot, options.config, options.home);
}

/** The ids of our orders that may be open, newest first. */
function knownOf({ engine }: Pick<Bot, 'engine'>): readonly string[] {
  return [...engine.orders.tracker.live].reverse().flatMap(({ orderId }) => orderId ?? []);
}
