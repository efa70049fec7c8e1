/**
 * Folders, made level by level: with `recursive`, Node never returns from a folder below one that
 * is there and takes none, as /proc is (Node 24.21.0, seen on 2026-11-21).
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../domain/errors.ts';

/** Makes `path` and what is missing above it; throws StoreError if that cannot be. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    makeLevels(resolve(path), mode);
  } catch (cause) {
    const { message } = cause as Error;
    throw new StoreError(
      `folder ${path} cannot be made: ${message}; name another one, or let it be made`,
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
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
