/** Files that are read as a whole. */
import { statSync } from 'node:fs';
import { DecodeError, NotFoundError } from '../domain/errors.ts';

/**
 * Throws NotFoundError if nothing is at `path`, and DecodeError for what is no file: to open a pipe
 * waits for a writer, and a device may have no end.
 */
export function checkInputFile(path: string): void {
  const status = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (status === undefined) throw new NotFoundError(`${path} is not there`);
  if (!status.isFile()) throw new DecodeError(`${path}: is no file; give the path of one`);
}

function attempt<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}
