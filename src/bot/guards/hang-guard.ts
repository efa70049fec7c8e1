/**
 * Ends a bot whose event loop has been blocked for a minute. While a strategy blocks it, no signal
 * reaches the process, and nobody manages its orders. A suspended machine or process does not
 * count, because the watching thread is suspended with it.
 */
import { url as debuggerUrl } from 'node:inspector';
import type { Clock } from '../../runtime/clock.ts';
import { withHangWatchdog } from '../../runtime/hang-watchdog.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import { type BotPlace, botCommand } from '../../terminal/command-hints.ts';

const graceMs = 60_000;
const beatEveryMs = 1_000;

export type LoopGuardOptions = BotPlace & {
  readonly settings: { readonly strategies: readonly { readonly id: string }[] };
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly timers: Pick<Timers, 'every'>;
};

/** Runs `work`; the guard is active from when `work` calls `begin` until it cancels. */
export function withLoopGuard<Value>(
  options: LoopGuardOptions,
  work: (begin: () => Cancel) => Promise<Value>,
): Promise<Value> {
  const { clock, timers } = options;
  return withHangWatchdog({ what: standstillText(options), graceMs }, (beat) =>
    work(() => {
      // A debugger blocks the loop on purpose.
      if (debuggerUrl() !== undefined) return () => {};
      beat(clock.nowMicros());
      return timers.every(beatEveryMs, () => beat(clock.nowMicros()), { unref: true });
    }),
  );
}

function standstillText({ settings, ...place }: LoopGuardOptions): string {
  const ids = settings.strategies.map(({ id }) => id).join(' or ');
  return (
    `the bot has been blocked for ${graceMs / 1000} s: strategy ${ids} has not returned, or the ` +
    'disk hangs; the process is killed. ORDERS MAY BE OPEN: start the bot again, which takes them ' +
    `over, or cancel them with:\n${botCommand('panic', place)}\nit last ran at`
  );
}
