/** Long writing that may be interrupted. */
import { PartialFile } from '../runtime/partial-file.ts';
import { watchSignals } from '../runtime/signals.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';

/**
 * Does `work`, which fills a partial file of `out` and waits for the event loop now and then. A
 * signal meanwhile removes it and ends the process, as does an error that nobody caught.
 */
export async function interruptible<Value>(
  { out, output }: { readonly out: string; readonly output: Output },
  work: () => Promise<Value>,
): Promise<Value> {
  const leave = (): void => {
    unwatch();
    new PartialFile(out).discard();
  };
  const unwatch = watchSignals({
    stop: (signal) => {
      leave();
      // Nobody listens now: whoever started the process sees what has ended it.
      process.kill(process.pid, signal);
    },
    force: () => {},
    fatal: (error) => {
      leave();
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
