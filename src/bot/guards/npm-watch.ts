/**
 * Notices that the npm which started this process has gone without a signal: killed, or out of
 * memory. Nobody could stop the bot by the command that started it then, so it stops by itself.
 *
 * A process that npm did not start, for example by `nohup` or a supervisor, may well outlive its
 * parent, and is left alone.
 */
import type { Cancel, Timers } from '../../runtime/timers.ts';

const lookEveryMs = 1_000;

/** Calls `gone` once when npm was the parent and is not any more; returns how to stop looking. */
export function watchNpm(timers: Timers, gone: () => void): Cancel {
  const { npm_package_name: name, npm_lifecycle_event: script } = process.env;
  if (name !== 'millrace' || (script !== 'start' && script !== 'millrace')) return () => {};
  const parent = process.ppid;
  const cancel = timers.every(
    lookEveryMs,
    () => {
      if (process.ppid === parent) return;
      cancel();
      gone();
    },
    { unref: true },
  );
  return cancel;
}
