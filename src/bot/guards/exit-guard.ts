/**
 * Reports a strategy that ends the process, with `process.exit` or the function below it. Otherwise
 * the process would end silently, perhaps with exit code 0.
 */
import { writeSync } from 'node:fs';
import { errorPlaceOf } from '../../strategy/error-place.ts';
import { exitCodes } from '../../terminal/exit-code.ts';

const standardError = 2;

/** Guards can be nested; only one of them reports. */
let isReported = false;

/** Further lines of the report, and the exit code of the process. */
export type Ended = { readonly lines: readonly string[]; readonly exitCode: number };

/**
 * Runs `work`, which must use the function passed to it to end the process. If anything else ends
 * the process before `work` is done, reports `who` ran, the place in the code, and `ended`'s lines.
 */
export async function withExitGuard<Value>(
  who: string,
  work: (exit: (code: number) => never) => Promise<Value>,
  ended: () => Ended = () => ({ lines: [], exitCode: exitCodes.error }),
): Promise<Value> {
  const report = (): void => {
    if (isReported) return;
    isReported = true;
    const place = errorPlaceOf(new Error('exit'));
    const by = place === undefined ? '' : ` by ${place}`;
    const { lines, exitCode } = ended();
    const all = [`millrace: the process was ended${by} while ${who} ran (MR_STRATEGY)`, ...lines];
    // Before the write, which fails if nobody reads standard error any more.
    process.exitCode = exitCode;
    // Synchronously, since a stream would not be flushed any more.
    writeSync(standardError, all.map((line) => `${line}\n`).join(''));
  };
  // `process.exit` calls this; a direct call emits no `exit` event.
  const ending = process as unknown as { reallyExit: (code: unknown) => void };
  const { reallyExit } = ending;
  const release = (): void => {
    process.off('exit', report);
    ending.reallyExit = reallyExit;
  };
  process.on('exit', report);
  ending.reallyExit = () => {
    report();
    Reflect.apply(reallyExit, process, [process.exitCode]);
  };
  try {
    return await work((code) => {
      release();
      process.exit(code);
    });
  } finally {
    release();
  }
}
