/** `millrace debug`: steps through a backtest or the journal of a bot, event by event. */

import type { DebuggedRun } from '../../bot/debug/debug-session.ts';
import { DebugSession } from '../../bot/debug/debug-session.ts';
import { withExitGuard } from '../../bot/guards/exit-guard.ts';
import { ConfigError } from '../../domain/errors.ts';
import { withHangWatchdog } from '../../runtime/hang-watchdog.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { eventLines } from '../debug/event-lines.ts';
import { findRun, type RunChoice } from '../debug/find-run.ts';
import { StrategyStop } from '../debug/strategy-stop.ts';
import { hangText } from '../hang-text.ts';

export type DebugCommandOptions = Omit<RunChoice, 'guard'> & {
  /** An order or a time. */
  readonly at: string | undefined;
  /** The number of an event. */
  readonly event: number | undefined;
  /** The port for an editor's debugger; undefined without one. */
  readonly debuggerPort: number | undefined;
  /** The port of the page; undefined picks the usual one. */
  readonly port: number;
  /** How long a strategy may take for one event, in milliseconds. */
  readonly graceMs: number;
  readonly output: Output;
};

/**
 * Prints one event with `--json`; otherwise serves the page until Ctrl-C or another signal. Throws
 * NotFoundError, exit code 4, if the run, the order or the time does not exist.
 */
export async function runDebug(options: DebugCommandOptions): Promise<number> {
  const { output, graceMs, at, event, debuggerPort } = options;
  if (at !== undefined && event !== undefined)
    throw new ConfigError('--at and --event both name an event: remove one of them');
  const guardOf = (ids: readonly string[]) => ({ what: hangText(ids, graceMs), graceMs });
  const run = await findRun({ ...options, guard: guardOf });
  const ids = run.strategies.map(({ id }) => id);
  const stop = debuggerPort === undefined ? undefined : new StrategyStop();
  return withExitGuard(`strategy ${ids.join(' or ')}`, async () => {
    const session = await withHangWatchdog(guardOf(ids), (beat) =>
      openSession(run, { beat, stop, output, wanted: at ?? event }),
    );
    const { facts } = session;
    for (const note of facts.notes) output.line(`! ${note}`);
    const first = await firstEvent(session, options);
    if (stop !== undefined && debuggerPort !== undefined) {
      stop.open(debuggerPort, (address) =>
        output.line(`waiting until a debugger is attached to ${address}`),
      );
      await stopIn(session, stop, first, output);
    }
    const shown = await session.factsOf(first);
    if (output.isJson) output.result({ run: facts, event: shown }, eventLines(shown));
    else await servePage(session, { ...options, first, stop });
    session.close();
    stop?.close();
    return exitCodes.ok;
  });
}

function openSession(
  run: DebuggedRun,
  {
    beat,
    stop,
    output,
    wanted,
  }: {
    readonly beat: (nowMicros: number) => void;
    readonly stop: StrategyStop | undefined;
    readonly output: Output;
    readonly wanted: string | number | undefined;
  },
): Promise<DebugSession> {
  beat(Number.NaN);
  return DebugSession.open({
    run,
    wanted,
    entries: stop,
    onStep: beat,
    onProgress: (events) => output.progress(`${events.toLocaleString('en-US')} events played`),
  });
}

/** Returns the event that was asked for, or the first decision of the run. */
async function firstEvent(
  session: DebugSession,
  { at, event }: Pick<DebugCommandOptions, 'at' | 'event'>,
): Promise<number> {
  if (at !== undefined) return session.numberOf(at);
  if (event !== undefined) return event;
  const query = { from: 0, isBackward: false, strategyId: undefined };
  return session.find({ ...query, kind: 'decision' }) ?? 1;
}

/** Plays the run again up to the event, and lets the debugger stop in the code that runs there. */
async function stopIn(
  session: DebugSession,
  stop: StrategyStop,
  number: number,
  output: Output,
): Promise<void> {
  stop.stopAt(number);
  await session.replayTo(number);
  if (stop.isPending)
    output.line(`! no code of a strategy ran at event ${number} or soon after it`);
}

async function servePage(
  session: DebugSession,
  options: DebugCommandOptions & {
    readonly first: number;
    readonly stop: StrategyStop | undefined;
  },
): Promise<void> {
  const { output, first, stop, port } = options;
  const { DebugServer } = await import('../debug/debug-server.ts');
  const server = new DebugServer({
    ...{ session, first },
    stopAt: stop && ((number) => stopIn(session, stop, number, output)),
    onFault: (error) => output.problem(error),
  });
  const address = await server.listen(port);
  output.line(`page ${address}`);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const unwatch = watchSignals({
    stop: () => end(),
    force: () => process.exit(1),
    fatal: (error) => {
      output.problem(error);
      process.exit(exitCodes.error);
    },
  });
  await ended;
  unwatch();
  await server.close();
}
