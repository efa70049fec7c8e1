/** A temporary file without a name, which is gone when it is closed or the process ends. */
import { closeSync, mkdtempSync, openSync, rmdirSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the handle of an empty file. Throws the system's error. */
export function openUnnamedFile(): number {
  const folder = makeFolder();
  const path = join(folder, 'rows');
  let handle: number | undefined;
  try {
    handle = openSync(path, 'wx+');
    unlinkSync(path);
    rmdirSync(folder);
    return handle;
  } catch (cause) {
    if (handle !== undefined) closeSync(handle);
    throw cause;
  }
}

/** Makes a folder on a disk: `/tmp`, which is the default, is memory on many machines. */
function makeFolder(): string {
  const folder = tmpdir();
  if (folder === '/tmp')
    try {
      return mkdtempSync('/var/tmp/millrace-');
    } catch {}
  return mkdtempSync(join(folder, 'millrace-'));
}
