/**
 * Watches files for changes of their content. Editors write a file in several steps, or replace it
 * by another one, so the folders are watched and the files compared once the folder is quiet.
 */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Cancel, Timers } from '../../runtime/timers.ts';

/** How long a folder must be quiet, in milliseconds. */
const quietMs = 40;

export class SourceWatch {
  readonly #onChange: (changed: readonly string[]) => void;
  readonly #timers: Pick<Timers, 'after'>;
  /** By folder. */
  readonly #watchers = new Map<string, FSWatcher>();
  /** What identifies the content of each file, by path. */
  #stamps = new Map<string, string>();
  #cancel: Cancel | undefined;

  /** `onChange` gets the paths of the files that changed, appeared or are gone. */
  constructor(timers: Pick<Timers, 'after'>, onChange: (changed: readonly string[]) => void) {
    this.#timers = timers;
    this.#onChange = onChange;
  }

  /** Watches these files, by absolute path, and no others. A file need not exist. */
  set(files: readonly string[]): void {
    const before = this.#stamps;
    this.#stamps = new Map(files.map((file) => [file, before.get(file) ?? stampOf(file)]));
    const folders = new Set(files.map((file) => existingFolder(dirname(file))));
    for (const [folder, watcher] of this.#watchers)
      if (!folders.has(folder)) this.#end(folder, watcher);
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#begin(folder);
  }

  close(): void {
    this.#cancel?.();
    for (const [folder, watcher] of this.#watchers) this.#end(folder, watcher);
  }

  #begin(folder: string): void {
    const watcher = watch(folder, { persistent: true }, () => this.#wait());
    // A folder that is removed: the next look at the files watches one above it.
    watcher.on('error', () => this.#wait());
    this.#watchers.set(folder, watcher);
  }

  #end(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(folder);
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = this.#timers.after(quietMs, () => this.#look());
  }

  #look(): void {
    const changed = [...this.#stamps].filter(([file, stamp]) => stampOf(file) !== stamp);
    for (const [file] of changed) this.#stamps.set(file, stampOf(file));
    this.set([...this.#stamps.keys()]);
    if (changed.length > 0) this.#onChange(changed.map(([file]) => file));
  }
}

/** A file that is written again has another time; one that is replaced has another number. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'absent' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/** Returns `folder`, or the nearest folder above it that exists. */
function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(dirname(folder));
}
