/**
 * Notices that the process that started this one has died without a signal, for example killed or
 * out of memory. The terminal that started the bot could not stop it any more, so it stops by
 * itself.
 *
 * The watched process is the launcher if it stayed as the parent (`src/run-script.mjs`), otherwise
 * the npm that is the parent. A process that neither of them started, for example by `nohup` or a
 * supervisor, may outlive its parent and is not watched.
 */
import { processIdentityOf } from '../../runtime/process-identity.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';

const lookEveryMs = 1_000;

export type LauncherWatchOptions = {
  readonly timers: Pick<Timers, 'every'>;
  readonly environment: { readonly [name: string]: string | undefined };
  /** The process id of the current parent; only tests replace it. */
  readonly parentOf?: () => number;
  /** Whether a process runs; only tests replace it. */
  readonly isRunning?: (pid: number) => boolean;
};

/** Calls `gone` once, with the process that died; the returned function ends the watch. */
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
  // A launcher that runs and is not our parent started another process, and that one started us.
  if (pid !== undefined && (pid === parent || !isRunning(pid))) return { who: 'launcher', pid };
  const isNpm = name === 'millrace' && (script === 'start' || script === 'millrace');
  return isNpm && pid === undefined ? { who: 'npm', pid: parent } : undefined;
}

function isAlive(pid: number): boolean {
  return processIdentityOf(pid) !== undefined;
}
