/**
 * A console whose lines go to a function. Node's own reads the environment to find out whether its
 * output has colours, and writes to standard output, which may be for programs.
 *
 * Invariant: no clock, I/O or randomness of its own, so that a strategy's host may use it.
 */
import { Console } from 'node:console';
import { runCodeOf } from './running-code.ts';

export type LineLevel = 'info' | 'warn';
export type TakeLine = (level: LineLevel, line: string) => void;

/** A longer line is cut. */
const lineLengthMax = 500;
/** No more of one text is split into lines. */
const textLengthMax = 100_000;

/** Returns a console that passes each line, cut to 500 characters, to `take`. */
export function createLineConsole(take: TakeLine): Console {
  const streamOf = (level: LineLevel) =>
    ({
      write(text: string) {
        const lines = text.slice(0, textLengthMax).replace(/\n$/u, '').split('\n');
        for (const line of lines)
          take(level, line.length > lineLengthMax ? `${line.slice(0, lineLengthMax)}…` : line);
        return true;
      },
    }) as NodeJS.WritableStream;
  return new Console({
    ...{ stdout: streamOf('info'), stderr: streamOf('warn') },
    ...{ colorMode: false, ignoreErrors: false },
  });
}

/** Lets the global console pass each call to the one that `chosen` returns, if it returns one. */
export function divertConsole(chosen: () => Console | undefined): void {
  const methods = console as unknown as Record<string, Called>;
  for (const name of Object.keys(createLineConsole(() => {}))) {
    const original = methods[name];
    if (typeof original !== 'function') continue;
    methods[name] = (...values) => {
      const other = chosen() as unknown as Record<string, Called> | undefined;
      // Its own work is Millrace's: a trap must not take it for the plugin's.
      return other === undefined
        ? Reflect.apply(original, console, values)
        : runCodeOf('millrace', () => other[name]?.(...values));
    };
  }
}

type Called = (...values: readonly unknown[]) => unknown;
