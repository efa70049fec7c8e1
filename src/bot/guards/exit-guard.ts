/**
 * Notices that code of a strategy ends the process, with `process.exit` or what is below it:
 * nothing would be said, and its code may be 0.
 */
import { writeSync } from 'node:fs';
import { errorPlaceOf } from '../../strategy/error-place.ts';
import { exitCodes } from '../../terminal/exit-code.ts';

const standardError = 2;

/** One guard within another: the outer one tells it. */
let isTold = false;

/** What is said where the process was ended, and what it ends with. */
export type Ended = { readonly lines: readonly string[]; readonly exitCode: number };

/**
 * Does `work`, which ends the process by what it is given, if at all. If something else ends it
 * before `work` is done, while `who` ran, that is said, with where, and what `ended` adds.
 */
export async function withExitGuard<Value>(
  who: string,
  work: (exit: (code: number) => never) => Promise<Value>,
  ended: () => Ended = () => ({ lines: [], exitCode: exitCodes.error }),
): Promise<Value> {
  const tell = (): void => {
    if (isTold) return;
    isTold = true;
    const place = errorPlaceOf(new Error('exit'));
    const by = place === undefined ? '' : ` by ${place}`;
    const { lines, exitCode } = ended();
    const all = [`millrace: the process was ended${by} while ${who} ran (MR_STRATEGY)`, ...lines];
    // First, since the write fails where nobody reads any more.
    process.exitCode = exitCode;
    // What was written to a stream would not leave any more.
    writeSync(standardError, all.map((line) => `${line}\n`).join(''));
  };
  // What `process.exit` ends with, and what ends without saying so where it is called by itself.
  const ending = process as unknown as { reallyExit: (code: unknown) => void };
  const { reallyExit } = ending;
  const release = (): void => {
    process.off('exit', tell);
    ending.reallyExit = reallyExit;
  };
  process.on('exit', tell);
  ending.reallyExit = () => {
    tell();
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
