/**
 * Notices that who started this process has gone without a signal: killed, or out of memory. Nobody
 * could stop the bot by the command that started it then, so it stops by itself.
 *
 * That is the launcher, where it stays as the parent (`src/launch.mjs` says so), else the npm that
 * was the parent. A process that neither started, for example by `nohup` or a supervisor, may well
 * outlive its parent, and is left alone.
 */
import { processIdentityOf } from '../../runtime/process-identity.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';

const lookEveryMs = 1_000;

export type LauncherWatchOptions = {
  readonly timers: Pick<Timers, 'every'>;
  readonly environment: { readonly [name: string]: string | undefined };
  /** The number of the present parent; only tests give their own. */
  readonly parentOf?: () => number;
  /** Whether a process runs; only tests give their own. */
  readonly isRunning?: (pid: number) => boolean;
};

/** Calls `gone` once, with who has gone; returns how to stop looking. */
export function watchLauncher(
  options: LauncherWatchOptions,
  gone: (who: 'launcher' | 'npm') => void,
): Cancel {
  const { timers, parentOf = () => process.ppid } = options;
  const watched = watchedOf(options, parentOf());
  if (watched === undefined) return () => {};
  const cancel = timers.every(
    lookEveryMs,
    () => {
      if (parentOf() === watched.pid) return;
      cancel();
      gone(watched.who);
    },
    { unref: true },
  );
  return cancel;
}

function watchedOf(
  { environment, isRunning = isAlive }: LauncherWatchOptions,
  parent: number,
): { readonly who: 'launcher' | 'npm'; readonly pid: number } | undefined {
  const {
    MILLRACE_LAUNCHER_PID: launcher,
    npm_package_name: name,
    npm_lifecycle_event: script,
  } = environment;
  const pid = launcher === undefined ? undefined : Number.parseInt(launcher, 10);
  // One that runs and is not our parent launched something else, of which we are a child.
  if (pid !== undefined && (pid === parent || !isRunning(pid))) return { who: 'launcher', pid };
  const isNpm = name === 'millrace' && (script === 'start' || script === 'millrace');
  return isNpm && pid === undefined ? { who: 'npm', pid: parent } : undefined;
}

function isAlive(pid: number): boolean {
  return processIdentityOf(pid) !== undefined;
}
