/**
 * Completes a store with evidence from the exchange: it takes over orders that the store does not
 * know, looks up unknown outcomes, books fills from the list of trades and reads missing ledger
 * rows. This is a run of the bot without strategies.
 */

import { createClock } from '../runtime/clock.ts';
import { createLogger } from '../runtime/log.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { createSystemRandom } from '../runtime/system-random.ts';
import { createTimers } from '../runtime/timers.ts';
import type { Output } from '../terminal/output.ts';
import { type Bot, startBot } from './bot.ts';
import type { BotOptions } from './bot-options.ts';

/** Resolving an unknown outcome takes up to two and a half minutes. */
const settleMsMax = 180_000;
const checkEveryMs = 250;
/** A repair that takes longer than this says why. */
const explainAfterMs = 5_000;

export type RepairOptions = Pick<
  BotOptions,
  'settings' | 'venue' | 'credentials' | 'home' | 'config' | 'workspace' | 'plugins'
> & {
  readonly ordersGoTo: 'simulator' | 'exchange';
  readonly output: Output;
};

/** Runs until every order is settled and the ledger balances, at most three minutes. */
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
      strategies: settings.strategies.map((strategy) => ({ ...strategy, onStop: 'leave' })),
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
    const beganMicros = clock.monotonicMicros();
    const untilMicros = beganMicros + settleMsMax * 1000;
    let isExplained = false;
    while (!isSettled(bot) && clock.monotonicMicros() < untilMicros) {
      await Promise.race([
        failed.promise,
        new Promise<void>((resolve) => timers.after(checkEveryMs, resolve)),
      ]);
      const { tracker } = bot.engine.orders;
      const unknown = tracker.count('unknown');
      if (isExplained || unknown === 0) continue;
      if (clock.monotonicMicros() - beganMicros < explainAfterMs * 1000) continue;
      isExplained = true;
      const may =
        unknown === 1
          ? 'an order is not at the exchange, but its request may'
          : `${unknown} orders are not at the exchange, but their requests may`;
      output.line(
        `${may} still arrive; the repair waits until that is impossible, about 2 minutes`,
      );
    }
    bot.stop('the repair has ended');
    await Promise.race([failed.promise, bot.stopped]);
  } finally {
    await bot.close();
  }
  // Throws if what was stored last, while the bot closed, could not be written.
  await Promise.race([failed.promise, Promise.resolve()]);
}

function isSettled({ engine }: Bot): boolean {
  if (!engine.reconciler.isBalanced) return false;
  for (const order of engine.orders.tracker.live) if (order.state !== 'open') return false;
  return true;
}
