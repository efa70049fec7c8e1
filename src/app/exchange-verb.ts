/** `millrace exchange`: the simulated exchange in the foreground, until it is asked to stop. */
import { join } from 'node:path';
import { createClock } from '../runtime/clock.ts';
import { watchSignals } from '../runtime/signals.ts';
import { createTimers } from '../runtime/timers.ts';
import { credentialsPath } from '../simulator/credentials-file.ts';
import { startSimulatorServer } from '../simulator/server.ts';
import type { Output } from './output.ts';

export type ExchangeVerbOptions = {
  readonly home: string;
  readonly port: number;
  readonly seed: string;
  /** Ends when standard input ends. */
  readonly child: boolean;
  readonly output: Output;
};

/** Where the simulator of `home` keeps its state and its keys. */
export function simulatorFolder(home: string): string {
  return join(home, 'simulator');
}

/** Runs the simulator; returns the exit code. */
export async function runExchange(options: ExchangeVerbOptions): Promise<number> {
  const { output } = options;
  const ended = Promise.withResolvers<number>();
  const fatal = (error: unknown): void => {
    output.problem(error);
    // What was answered is on the disk; what is half done must not be answered any more.
    process.exit(1);
  };
  const clock = createClock();
  const unwatch = watchSignals({
    stop: () => ended.resolve(0),
    force: () => process.exit(1),
    fatal,
  });
  const server = await startSimulatorServer({
    folder: simulatorFolder(options.home),
    port: options.port,
    seed: options.seed,
    clock,
    timers: createTimers(),
    fail: fatal,
  });
  output.result(
    { baseUrl: server.baseUrl, streamUrl: server.streamUrl, replayed: server.replayed },
    [
      `simulated exchange at ${server.baseUrl}, streams at ${server.streamUrl}`,
      `key in ${credentialsPath(simulatorFolder(options.home))}; Ctrl-C ends it`,
    ],
  );
  if (options.child) {
    process.stdin.once('end', () => ended.resolve(0));
    process.stdin.once('close', () => ended.resolve(0));
    process.stdin.resume();
  }
  const code = await ended.promise;
  unwatch();
  await server.close();
  process.stdin.destroy();
  return code;
}
