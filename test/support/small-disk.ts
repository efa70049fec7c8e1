/**
 * A real file system of a few megabytes in memory, for tests that fill it. Only root on Linux can
 * mount one; ask {@link canMount} first.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mounted = new Set<string>();

/** Whether this process may mount. */
export function canMount(): boolean {
  try {
    releaseDisk(mountDisk(1));
    return true;
  } catch {
    return false;
  }
}

/** Mounts a file system of `megabytes` and returns its folder. */
export function mountDisk(megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder];
  try {
    execFileSync('mount', options, { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  mounted.add(folder);
  return folder;
}

/** Writes a file until the disk is full. */
export function fillDisk(folder: string): void {
  const handle = openSync(ballastOf(folder), 'w');
  try {
    for (let bytes = 2 ** 20; bytes >= 1; )
      try {
        if (writeSync(handle, Buffer.alloc(bytes)) === 0) bytes = Math.floor(bytes / 2);
      } catch {
        bytes = Math.floor(bytes / 2);
      }
  } finally {
    closeSync(handle);
  }
}

/** Frees the space again. */
export function freeDisk(folder: string): void {
  rmSync(ballastOf(folder));
}

/** Makes the file system read-only; no file may be open for writing. */
export function freezeDisk(folder: string): void {
  execFileSync('mount', ['-o', 'remount,ro', folder], { stdio: 'pipe' });
}

export function thawDisk(folder: string): void {
  execFileSync('mount', ['-o', 'remount,rw', folder], { stdio: 'pipe' });
}

/** Unmounts the file system; its files are lost. */
export function releaseDisk(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'pipe' });
  mounted.delete(folder);
  rmdirSync(folder);
}

/** Unmounts all file systems that a test has left. */
export function releaseAllDisks(): void {
  for (const folder of [...mounted]) releaseDisk(folder);
}

function ballastOf(folder: string): string {
  return join(folder, 'ballast');
}
