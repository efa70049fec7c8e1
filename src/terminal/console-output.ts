/**
 * Makes what plugins print outside of their events lines of the command: while they are loaded, in
 * their hooks, and in promises. What they print in an event is taken by their host.
 */
import { createLineConsole, divertConsole } from '../runtime/line-console.ts';
import type { Output } from './output.ts';

/** How a line begins that a plugin prints outside of its events. */
export const printedByPlugin = 'printed by a plugin: ';

const linesMax = 1_000;

/**
 * Diverts the global console to `output`, for the whole process. Returns a function that prints how
 * many lines were left out, of more than {@link linesMax}.
 */
export function printConsoleTo(output: Pick<Output, 'line'>): () => void {
  let count = 0;
  const lines = createLineConsole((_level, line) => {
    if (++count <= linesMax) output.line(`${printedByPlugin}${line}`);
  });
  divertConsole(() => lines);
  return () => {
    if (count > linesMax)
      output.line(`! plugins printed ${count - linesMax} more lines, which are left out`);
  };
}
