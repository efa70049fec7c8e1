/** Checks of files before they are read. */
import { statSync } from 'node:fs';
import { DecodeError, NotFoundError } from '../domain/errors.ts';

/**
 * Throws NotFoundError if `path` does not exist, and DecodeError if it is not a regular file:
 * opening a pipe waits for a writer, and a device may have no end.
 */
export function checkInputFile(path: string): void {
  const status = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (status === undefined) throw new NotFoundError(`${path} does not exist`);
  if (!status.isFile())
    throw new DecodeError(`${path}: is not a regular file; give the path of a file`);
}

function attempt<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}
