/**
 * Process signals and uncaught errors: the only place that listens for them.
 *
 *     running ──INT, TERM, HUP──▶ stop() ──again, later──▶ force()
 *        └────uncaught error────▶ fatal(error)
 *
 * One Ctrl-C can arrive more than once, because the terminal, npm and the launcher each deliver it;
 * repeated signals within a second therefore count as one.
 */
import { type Clock, createClock } from './clock.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const sameSignalMicros = 1_000_000;

export type StopSignal = (typeof stopSignals)[number];

export type SignalHandlers = {
  /** Called once, at the first signal. */
  readonly stop: (signal: StopSignal) => void;
  /** Called once, at a later signal while stopping. The process should end now. */
  readonly force: (signal: StopSignal) => void;
  /** Called for each uncaught error; the process must not continue. */
  readonly fatal: (error: unknown) => void;
};

/** The part of `process` that emits the signals; only tests pass their own. */
export type SignalSource = {
  on(name: string, listener: (...values: unknown[]) => void): unknown;
  off(name: string, listener: (...values: unknown[]) => void): unknown;
};

/**
 * Calls back before Ctrl-Z stops the process, until the returned function is called. The process
 * goes on where it was when the shell continues it.
 */
export function watchSuspension(suspend: () => void): () => void {
  if (process.platform === 'win32') return () => {};
  const listener = (): void => {
    suspend();
    // A signal that has a listener stops nothing by itself; this one cannot have any.
    process.kill(process.pid, 'SIGSTOP');
  };
  process.on('SIGTSTP', listener);
  return () => process.off('SIGTSTP', listener);
}

/** Listens until the returned function is called. */
export function watchSignals(
  handlers: SignalHandlers,
  source: SignalSource = process,
  clock: Clock = createClock(),
): () => void {
  let stoppedMicros: number | undefined;
  let isForced = false;
  const listeners = stopSignals.map((signal) => {
    const listener = (): void => {
      const nowMicros = clock.monotonicMicros();
      if (stoppedMicros === undefined) {
        stoppedMicros = nowMicros;
        handlers.stop(signal);
      } else if (!isForced && nowMicros - stoppedMicros >= sameSignalMicros) {
        isForced = true;
        handlers.force(signal);
      }
    };
    return [signal, listener] as const;
  });
  const fatal = (error: unknown): void => handlers.fatal(error);
  const all = [...listeners, ['uncaughtException', fatal], ['unhandledRejection', fatal]] as const;
  for (const [name, listener] of all) source.on(name, listener);
  return () => {
    for (const [name, listener] of all) source.off(name, listener);
  };
}
