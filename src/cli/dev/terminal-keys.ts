/** Single keys as commands, if the input is a terminal. */
import type { Cancel } from '../../runtime/timers.ts';
import type { Output } from '../../terminal/output.ts';

/** By key: what it does in words, and the function that does it. `q` also stands for Ctrl-C. */
export type Keys = Readonly<Record<string, readonly [text: string, act: () => void]>>;

const controlC = '\u0003';

/** Prints the keys and reads them until the returned function is called. */
export function watchKeys(output: Pick<Output, 'line'>, keys: Keys): Cancel {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  output.line(
    `keys ${Object.entries(keys)
      .map(([key, [text]]) => `${key}: ${text}`)
      .join('; ')}`,
  );
  const read = (bytes: Buffer): void => {
    // In this mode the terminal sends Ctrl-C as a character and not as a signal.
    const key = bytes.toString('utf8') === controlC ? 'q' : bytes.toString('utf8');
    keys[key]?.[1]();
  };
  stdin.setRawMode(true);
  stdin.on('data', read);
  return () => {
    stdin.off('data', read);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
