/**
 * Writes the results of a backtest as one JSON file. The texts of its rows are only copied, some
 * at a time, so that results of any length need little memory. A long file is synced in parts
 * while the rest of it is still being written.
 *
 * Invariant: the file is complete or does not exist; it equals `JSON.stringify(value, null, 1)`.
 */
import { closeSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { writeAll } from '../runtime/write-all.ts';
import { writeFileAtomically } from '../terminal/atomic-file.ts';

const pieceLength = 65_536;
/** How many bytes are written between two syncs. */
const syncEvery = 4_194_304;

const fsyncLater = promisify(fsync);

/**
 * Writes the keys of `head`, at least one, and then `lists`, each as a list of its name. A list is
 * given in pieces of one or more rows: JSON in UTF-8, indented by two spaces, each row after a
 * comma and a line break.
 */
export function writeResultFile(
  path: string,
  head: object,
  lists: Readonly<Record<string, Iterable<Uint8Array>>>,
): Promise<void> {
  return writeFileAtomically(path, async (partial) => {
    const file = new BufferedFile(partial);
    try {
      file.add(Buffer.from(JSON.stringify(head, null, 1).replace(/\n\}$/u, '')));
      for (const [name, rows] of Object.entries(lists)) addList(file, name, rows);
      file.add(Buffer.from('\n}\n'));
      file.flush();
      file.sync();
    } catch (error) {
      // What went wrong first is the cause; the disk may then refuse the rest as well.
      await file.close().catch(() => {});
      throw error;
    }
    await file.close();
  });
}

function addList(file: BufferedFile, name: string, pieces: Iterable<Uint8Array>): void {
  file.add(Buffer.from(`,\n ${JSON.stringify(name)}: [`));
  let isEmpty = true;
  for (const piece of pieces) {
    file.add(isEmpty ? piece.subarray(1) : piece);
    isEmpty = false;
  }
  file.add(Buffer.from(isEmpty ? ']' : '\n ]'));
}

/** A file to which bytes are written in pieces of {@link pieceLength}. */
class BufferedFile {
  readonly #file: number;
  readonly #piece = new Uint8Array(pieceLength);
  #length = 0;
  #unsynced = 0;
  readonly #syncs: Promise<void>[] = [];

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  add(bytes: Uint8Array): void {
    if (this.#length + bytes.length > pieceLength) this.flush();
    if (bytes.length > pieceLength) {
      this.#write(bytes);
      return;
    }
    this.#piece.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  flush(): void {
    this.#write(this.#piece.subarray(0, this.#length));
    this.#length = 0;
  }

  /** Starts to sync what has been written, without waiting for it. */
  sync(): void {
    this.#unsynced = 0;
    this.#syncs.push(fsyncLater(this.#file));
  }

  /** Waits for all syncs, closes the file, and throws the error of a failed sync. */
  async close(): Promise<void> {
    const synced = await Promise.allSettled(this.#syncs);
    closeSync(this.#file);
    for (const sync of synced) if (sync.status === 'rejected') throw sync.reason;
  }

  #write(bytes: Uint8Array): void {
    writeAll(this.#file, bytes);
    this.#unsynced += bytes.length;
    if (this.#unsynced >= syncEvery) this.sync();
  }
}
