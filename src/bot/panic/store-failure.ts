/**
 * Handles a failed database: no further order is sent, the open orders that the bot or the exchange
 * knows are stopped without being recorded, and the process ends.
 *
 * Invariants: it only lists and stops orders, through the bot's egress guard; it ends within
 * {@link withinMs}, whatever the exchange answers.
 */

import type { VenueSettings } from '../../domain/bot-settings.ts';
import { StoreError } from '../../domain/errors.ts';
import { createClock } from '../../runtime/clock.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { BotPlace } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Credentials } from '../../venue/key-credentials.ts';
import type { Bot } from '../bot.ts';
import { type OpenAtExit, openAtExit } from '../open-at-exit.ts';
import { panicOrders } from './panic-orders.ts';

/** The same time as for a normal stop. */
const withinMs = 30_000;

export type StoreFailureOptions = BotPlace & {
  readonly venue: VenueSettings;
  readonly credentials: Credentials;
  readonly timers: Timers;
  readonly onLine: (text: string) => void;
};

/** Whether the run ended because its database failed while orders may be open at the exchange. */
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

/** Stops the bot's orders; returns the exit code and a text about orders that may be open. */
export async function cancelWithoutStore(
  bot: Pick<Bot, 'engine' | 'settings' | 'guard'>,
  options: StoreFailureOptions,
): Promise<OpenAtExit> {
  const { venue, credentials, timers, onLine } = options;
  const clock = createClock();
  const endMicros = clock.monotonicMicros() + withinMs * 1000;
  onLine('! the database has failed: no more orders are sent, and all open orders are cancelled');
  try {
    const cleared = await panicOrders({
      venue,
      credentials,
      namespace: bot.settings.namespace,
      timers,
      guard: bot.guard,
      known: knownOf(bot),
      mayGoOn: () => clock.monotonicMicros() < endMicros,
      tell: () => {},
    });
    if (cleared.isClean) {
      const text = `! no order is open, as two lists in a row show after ${cleared.stopsSent} stops; the next start books their fills`;
      return { exitCode: exitCodes.error, text };
    }
    onLine(
      `! not proven: ${cleared.open ?? 'an unknown number of'} orders were open at the last check`,
    );
  } catch (error) {
    onLine(`! the orders could not be cancelled: ${String(error)}`);
  }
  return openAtExit(bot, options);
}

/** The ids of our orders that may be open, newest first. */
function knownOf({ engine }: Pick<Bot, 'engine'>): readonly string[] {
  return [...engine.orders.tracker.live].reverse().flatMap(({ orderId }) => orderId ?? []);
}
