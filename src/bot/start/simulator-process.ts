/**
 * Runs the simulated exchange as a child process of `start`.
 *
 * The child prints its address as one JSON line, and ends when its standard input is closed. So it
 * never outlives its parent, even if that is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AlreadyRunningError, type MillraceError, StoreError } from '../../domain/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import { moduleEnding } from '../../runtime/module-ending.ts';
import type { Timers } from '../../runtime/timers.ts';
import { exitCodes } from '../../terminal/exit-code.ts';

export type SimulatorAddress = { readonly baseUrl: string; readonly streamUrl: string };

export type SimulatorChild = {
  readonly address: SimulatorAddress;
  readonly pid: number;
  /** Stops the child and waits for its end; it is killed after 5 s. */
  close(): Promise<void>;
};

const startWithinMs = 20_000;
const retryMs = 250;
const closeWithinMs = 5_000;

export type SimulatorChildOptions = {
  readonly home: string;
  readonly seed: string;
  /** Further options of `millrace exchange`. */
  readonly more?: readonly string[];
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called when a running child ends by itself, and when it listens again at the same address. */
  readonly onLost: (what: string) => void;
  readonly onBack: () => void;
};

/** Starts the simulator and keeps it running: if it ends, it is restarted at the same port. */
export async function startSimulatorChild(options: SimulatorChildOptions): Promise<SimulatorChild> {
  const { clock, timers } = options;
  let isClosing = false;
  let running = await start(0);
  let restarted: Promise<void> = Promise.resolve();

  async function start(port: number): Promise<Running> {
    const deadlineMicros = clock.monotonicMicros() + startWithinMs * 1000;
    for (;;) {
      const attempt = await launch(options, port);
      if (!('failure' in attempt)) return watch(attempt);
      // The previous simulator may still hold the folder or the port, and whatever killed it may
      // have killed this one, too.
      const mayPass = port !== 0 || attempt.mayPass;
      if (!mayPass || isClosing || clock.monotonicMicros() > deadlineMicros) throw attempt.failure;
      await new Promise<void>((resolve) => timers.after(retryMs, resolve));
    }
  }

  function watch(one: Running): Running {
    one.child.once('exit', (code, signal) => {
      if (isClosing) return;
      const how = signal ?? `exit code ${code}`;
      const why = one.errorText();
      options.onLost(
        `the simulator ended (${how}${why === '' ? '' : `: ${why}`}); starting it again`,
      );
      restarted = restart(one);
    });
    return one;
  }

  async function restart({ address }: Running): Promise<void> {
    try {
      running = await start(Number.parseInt(new URL(address.baseUrl).port, 10));
      options.onBack();
    } catch (error) {
      if (!isClosing) options.onLost(`the simulator does not start: ${String(error)}`);
    }
  }

  return {
    address: running.address,
    get pid() {
      return running.child.pid ?? -1;
    },
    async close() {
      isClosing = true;
      await restarted;
      const { child } = running;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.stdin?.end();
      const cancel = timers.after(closeWithinMs, () => child.kill('SIGKILL'));
      await exited;
      cancel();
    },
  };
}

type Running = {
  readonly child: ChildProcess;
  readonly address: SimulatorAddress;
  /** The end of its standard error output. */
  readonly errorText: () => string;
};

async function launch(
  options: SimulatorChildOptions,
  port: number,
): Promise<Running | { readonly failure: MillraceError; readonly mayPass: boolean }> {
  const main = join(import.meta.dirname, '..', '..', `main${moduleEnding}`);
  const child = spawn(
    process.execPath,
    [
      main,
      'exchange',
      '--home',
      options.home,
      '--port',
      String(port),
      '--seed',
      options.seed,
      '--child',
      '--json',
      ...(options.more ?? []),
    ],
    // Ctrl-C reaches the whole process group, but the simulator must live until the bot has
    // cancelled its orders.
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  );
  child.stdin?.on('error', () => {});
  let errorText = '';
  child.stderr?.on('data', (data: Buffer) => {
    errorText = (errorText + data.toString()).slice(-2_000);
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({
        failure: new StoreError(`the simulator cannot be started: ${error.message}`),
        mayPass: false,
      }),
    );
    // `close` comes after the pipes have ended, so that the error output is complete.
    child.once('close', (code, signal) => {
      const text = `the simulator ended (${signal ?? `exit code ${code}`}): ${errorText.trim()}`;
      const isHeld = code === exitCodes.alreadyRunning;
      resolve({
        failure: isHeld ? new AlreadyRunningError(text) : new StoreError(text),
        mayPass: isHeld || signal !== null,
      });
    });
    lines.once('line', (line) => {
      const address = JSON.parse(line) as SimulatorAddress;
      resolve({ child, address, errorText: () => errorText.trim() });
    });
  });
}
