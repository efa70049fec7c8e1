/** Writes to a file completely, or throws. */
import { writeSync } from 'node:fs';

/**
 * Writes all of `bytes` at the current position of the file. A nearly full disk may accept only a
 * part of them; the next write then throws the reason.
 */
export function writeAll(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(handle, bytes, written, bytes.length - written);
}
