/**
 * Completes what a store has from what the exchange proves: orders that it does not know are taken
 * over, unknown outcomes are looked up, fills are booked from the list of trades, ledger rows are
 * read. It is a run of the bot in which no strategy runs.
 */
import type { BotSettings } from '../domain/bot-settings.ts';
import { createClock } from '../runtime/clock.ts';
import { createLogger } from '../runtime/log.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { createSystemRandom } from '../runtime/system-random.ts';
import { createTimers } from '../runtime/timers.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { Output } from '../terminal/output.ts';
import { type Bot, startBot } from './bot.ts';
import type { VenueBeside } from './start/bot-venue.ts';

/** An outcome that is not known takes up to two minutes and a half. */
const settleMsMax = 180_000;
const lookEveryMs = 250;

export type RepairOptions = VenueBeside & {
  readonly settings: BotSettings;
  readonly ordersGoTo: 'simulator' | 'exchange';
  readonly home: string;
  readonly config: string;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly output: Output;
};

/** Runs until everything is settled and balances, or for three minutes. */
export async function repair(options: RepairOptions): Promise<void> {
  const { output, settings } = options;
  const [clock, timers] = [createClock(), createTimers()];
  makeFolder(options.home, 0o700);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const bot = await startBot({
    ...options,
    settings: {
      ...settings,
      strategies: settings.strategies.map((one) => ({ ...one, onStop: 'leave' })),
    },
    acceptedPermissions: [],
    egressCaps: undefined,
    liveFlag: false,
    capture: { days: 0, bytesMax: 0 },
    clock,
    timers,
    random: createSystemRandom(),
    logger: createLogger({ level: 'silent', secrets: [] }),
    isSupervised: false,
    resumeReason: undefined,
    isAdopting: true,
    observes: true,
    onNotice: (notice) => {
      const nowMs = Math.floor(clock.nowMicros() / 1000);
      if (notice.level !== 'info' || notice.topic === 'fill') output.notice(notice, nowMs);
    },
    onFatal: failed.reject,
  });
  try {
    const untilMicros = clock.monotonicMicros() + settleMsMax * 1000;
    while (!isSettled(bot) && clock.monotonicMicros() < untilMicros)
      await Promise.race([
        failed.promise,
        new Promise<void>((resolve) => timers.after(lookEveryMs, resolve)),
      ]);
    bot.stop('everything was looked at');
    await Promise.race([failed.promise, bot.stopped]);
  } finally {
    await bot.close();
  }
}

function isSettled({ engine }: Bot): boolean {
  if (!engine.reconciler.isBalanced) return false;
  for (const order of engine.orders.tracker.live) if (order.state !== 'open') return false;
  return true;
}
