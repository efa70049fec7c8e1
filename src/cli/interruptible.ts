/** Makes a long write safe to interrupt. */
import { PartialFile } from '../runtime/partial-file.ts';
import { watchSignals } from '../runtime/signals.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';

/**
 * Runs `work`, which writes a partial file for `out` and regularly yields to the event loop. A
 * signal or an uncaught error removes the partial file and ends the process.
 */
export async function interruptible<Value>(
  { out, output }: { readonly out: string; readonly output: Output },
  work: () => Promise<Value>,
): Promise<Value> {
  const cleanUp = (): void => {
    unwatch();
    new PartialFile(out).discard();
  };
  const unwatch = watchSignals({
    stop: (signal) => {
      cleanUp();
      // Without our handler, the parent process sees which signal ended this one.
      process.kill(process.pid, signal);
    },
    force: () => {},
    fatal: (error) => {
      cleanUp();
      output.problem(error);
      process.exit(exitCodes.error);
    },
  });
  try {
    return await work();
  } finally {
    unwatch();
  }
}
