/** Reads the beginning of a file, to tell what kind of file it is. */
import { closeSync, openSync, readSync } from 'node:fs';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { fileHeadBytes } from '../domain/file-kind.ts';

/** Returns the first bytes of the regular file at `path` as text, decompressed; '' on an error. */
export function fileHeadOf(path: string): string {
  let handle: number | undefined;
  try {
    handle = openSync(path, 'r');
    const bytes = Buffer.alloc(fileHeadBytes);
    const head = bytes.subarray(0, readSync(handle, bytes, 0, fileHeadBytes, 0));
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    // The head of a compressed file ends within its data.
    return (isGzip ? gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH }) : head).toString();
  } catch {
    // Whoever reads the file itself reports the error.
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
