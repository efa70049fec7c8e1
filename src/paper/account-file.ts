/**
 * The memory of a pretended account: a file beside the bot's database, to which every change is
 * appended and synced before the bot hears of it. So a restart finds the account as it was told,
 * also after kill -9, as if the exchange had gone on without us, with our open orders cancelled.
 *
 *     1c291ca3 [{"kind":"paper-account","version":2,"pairs":["XBTZAR"]}]
 *     9b7e0d12 [{"kind":"order",…},{"kind":"entry",…}]
 *     5d0c77ab [{"kind":"paper-account","version":2,"pairs":["XBTZAR","ETHXBT"]}]
 *
 * One line for what belongs together, with the CRC-32 of its text. The first one names the pairs
 * that the account trades, and so does a later one where a pair has come to them; none ever goes.
 * Version 1 named one `pair`, which its orders did not repeat. A last line that is torn was never
 * told and is dropped; damage anywhere else is refused.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { DecodeError } from '../domain/errors.ts';
import {
  type DeskChange,
  type DeskMemory,
  decodeDeskMemory,
  encodeDeskChange,
} from '../tape/desk-memory.ts';

const version = 2;

/** Returns where the account of the bot with this database is remembered. */
export function accountFileOf(store: string): string {
  return `${store}-paper`;
}

export class AccountFile {
  readonly path: string;
  /** What an earlier run left; undefined if this is the account's first. */
  readonly before: DeskMemory | undefined;
  readonly #file: number;
  #pairs: readonly string[] = [];
  #pending: string[] = [];

  /** Opens the account's file. Throws DecodeError for a damaged one, and for another file. */
  constructor(path: string) {
    this.path = path;
    const { lines, bytes } = readWhole(path);
    const [first, ...others] = lines;
    if (first !== undefined) {
      const header = decodeHeader(path, first);
      const last = others.findLast(isHeader);
      this.#pairs = last === undefined ? header.pairs : decodeHeader(path, last).pairs;
      const changes = others.filter((line) => !isHeader(line));
      const pair = header.version === 1 ? header.pairs[0] : undefined;
      if (changes.length > 0) this.before = decodeDeskMemory(changes, pair);
    }
    this.#file = openSync(path, 'a', 0o600);
    ftruncateSync(this.#file, bytes);
  }

  /** Every pair that the account has ever traded, in the order in which they came. */
  get pairs(): readonly string[] {
    return this.#pairs;
  }

  /** Has the account trade `pairs` from now on besides those that it traded before. Durable. */
  trade(pairs: readonly string[]): void {
    const all = [...new Set([...this.#pairs, ...pairs])];
    if (all.length === this.#pairs.length) return;
    this.#pairs = all;
    this.#pending.push(JSON.stringify({ kind: 'paper-account', version, pairs: all }));
    this.flush();
  }

  /** Takes a change, which is durable after the next {@link AccountFile.flush}. */
  note(change: DeskChange): void {
    this.#pending.push(encodeDeskChange(change));
  }

  /** Makes what was noted durable, all of it or nothing. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const text = `[${this.#pending.join(',')}]`;
    this.#pending = [];
    writeSync(this.#file, `${checksumOf(text)} ${text}\n`);
    fdatasyncSync(this.#file);
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** Returns the whole lines of the file, and how long they are; none if there is no file. */
function readWhole(path: string): { readonly lines: readonly string[]; readonly bytes: number } {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const lines: string[] = [];
  let bytes = 0;
  const written = text.split('\n');
  for (const [index, line] of written.entries()) {
    const body = line.slice(9);
    const isWhole = index < written.length - 1 && line.slice(0, 8) === checksumOf(body);
    if (isWhole) {
      lines.push(body);
      bytes += Buffer.byteLength(line) + 1;
      continue;
    }
    // Only the last line can be torn; it has no line feed, or is followed by nothing.
    if (index < written.length - 2)
      throw new DecodeError(
        `${path}: line ${index + 1} is damaged: the pretended account cannot go on; use another store`,
      );
    break;
  }
  return { lines, bytes };
}

type Header = { readonly version: number; readonly pairs: readonly string[] };

function isHeader(line: string): boolean {
  return line.startsWith('[{"kind":"paper-account",');
}

function decodeHeader(path: string, line: string): Header {
  const [told] = JSON.parse(line) as readonly [
    (Partial<Header> & { readonly kind?: string; readonly pair?: string }) | undefined,
  ];
  const { kind, pair, version: written = 0 } = told ?? {};
  const pairs = written === 1 && pair !== undefined ? [pair] : told?.pairs;
  if (kind !== 'paper-account' || pairs === undefined || written > version)
    throw new DecodeError(`${path}: is no account of mode paper, version 1 to ${version}`);
  return { version: written, pairs };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
