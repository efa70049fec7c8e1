/**
 * Writes the results of a backtest as one JSON file. The rows of its lists are copied one at a
 * time, so that results of any length need little memory.
 *
 * Invariant: the file is complete or does not exist; it equals `JSON.stringify(value, null, 1)`.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { rowIndent } from '../backtest/run/row-text.ts';
import { writeFileAtomically } from '../terminal/atomic-file.ts';

const pieceLength = 65_536;

/**
 * Writes the keys of `head`, at least one, and then `lists`, each as a list of its name. Rows are
 * JSON in UTF-8, indented as {@link rowIndent} says.
 */
export function writeResultFile(
  path: string,
  head: object,
  lists: Readonly<Record<string, Iterable<Uint8Array>>>,
): Promise<void> {
  return writeFileAtomically(path, (partial) => {
    const file = new BufferedFile(partial);
    try {
      file.add(Buffer.from(JSON.stringify(head, null, 1).replace(/\n\}$/u, '')));
      for (const [name, rows] of Object.entries(lists)) addList(file, name, rows);
      file.add(Buffer.from('\n}\n'));
      file.flush();
    } finally {
      file.close();
    }
  });
}

function addList(file: BufferedFile, name: string, rows: Iterable<Uint8Array>): void {
  file.add(Buffer.from(`,\n ${JSON.stringify(name)}: [`));
  const [first, next] = [Buffer.from(`\n${rowIndent}`), Buffer.from(`,\n${rowIndent}`)];
  let isEmpty = true;
  for (const row of rows) {
    file.add(isEmpty ? first : next);
    file.add(row);
    isEmpty = false;
  }
  file.add(Buffer.from(isEmpty ? ']' : '\n ]'));
}

/** A file to which bytes are written in pieces of {@link pieceLength}. */
class BufferedFile {
  readonly #file: number;
  readonly #piece = new Uint8Array(pieceLength);
  #length = 0;

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

  close(): void {
    closeSync(this.#file);
  }

  #write(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) at += writeSync(this.#file, bytes, at);
  }
}
