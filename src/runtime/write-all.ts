/** Writing that is complete or throws. */
import { writeSync } from 'node:fs';

/**
 * Writes all of `bytes` where the file stands. A nearly full disk may take a part of them only; the
 * next call then says why.
 */
export function writeAll(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(handle, bytes, written, bytes.length - written);
}
