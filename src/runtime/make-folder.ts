/**
 * Creates folders level by level. With the option `recursive`, mkdir of Node hangs below a folder
 * that exists and cannot have folders, such as /proc (Node 24.21.0, seen on 2026-11-21).
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../domain/errors.ts';

/** Creates `path` and its missing parents; throws StoreError if that is not possible. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    makeLevels(resolve(path), mode);
  } catch (cause) {
    const { message } = cause as Error;
    throw new StoreError(
      `folder ${path} cannot be created: ${message}; choose another folder, or make its parent writable`,
      { cause },
    );
  }
}

function makeLevels(path: string, mode: number): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeLevels(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
