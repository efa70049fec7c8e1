/**
 * Ends a bot whose loop has stood still for a minute: no signal reaches a process that a strategy
 * keeps for ever, and its orders rest with nobody to look after them. A machine that sleeps and a
 * process that is stopped do not count: the thread that looks stands still with them.
 */
import { url as debuggerUrl } from 'node:inspector';
import type { Clock } from '../../runtime/clock.ts';
import { withStandstillGuard } from '../../runtime/hang-watchdog.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import { botCommand } from '../../terminal/command-hints.ts';

const graceMs = 60_000;
const beatEveryMs = 1_000;

export type LoopGuardOptions = {
  readonly settings: { readonly strategies: readonly { readonly id: string }[] };
  /** The absolute path of the settings' file. */
  readonly config: string;
  readonly home: string;
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly timers: Pick<Timers, 'every'>;
};

/** Does `work`, whose loop is looked at from when it calls what it is given until it cancels. */
export function withLoopGuard<Value>(
  options: LoopGuardOptions,
  work: (begin: () => Cancel) => Promise<Value>,
): Promise<Value> {
  const { clock, timers } = options;
  return withStandstillGuard({ what: standstillText(options), graceMs }, (beat) =>
    work(() => {
      // Who debugs stops the loop on purpose.
      if (debuggerUrl() !== undefined) return () => {};
      beat(clock.nowMicros());
      return timers.every(beatEveryMs, () => beat(clock.nowMicros()), { unref: true });
    }),
  );
}

function standstillText({ settings, config, home }: LoopGuardOptions): string {
  const ids = settings.strategies.map(({ id }) => id).join(' or ');
  return (
    `the bot has stood still for ${graceMs / 1000} s: strategy ${ids} never returned, or the disk ` +
    'hangs; it is ended by force. ORDERS MAY BE OPEN: start again, which takes them over, or stop ' +
    `them with:\n${botCommand('panic', { config, home })}\nit last moved at`
  );
}
