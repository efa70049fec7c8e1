/**
 * The memory of a pretended account: a file beside the bot's database, to which every change is
 * appended and synced before the bot hears of it. So a restart finds the account as it was told,
 * also after kill -9, as if the exchange had gone on without us, with our open orders cancelled.
 *
 *     1c291ca3 [{"kind":"paper-account","version":1,"pair":"XBTZAR"}]
 *     9b7e0d12 [{"kind":"order",…},{"kind":"entry",…}]
 *
 * One line for what belongs together, with the CRC-32 of its text. A last line that is torn was
 * never told and is dropped; damage anywhere else is refused.
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
import { ConfigError, DecodeError } from '../domain/errors.ts';
import {
  type DeskChange,
  type DeskMemory,
  decodeDeskMemory,
  encodeDeskChange,
} from '../tape/desk-memory.ts';

const version = 1;

/** Returns where the account of the bot with this database is remembered. */
export function accountFileOf(store: string): string {
  return `${store}-paper`;
}

export class AccountFile {
  readonly path: string;
  /** What an earlier run left; undefined if this is the account's first. */
  readonly before: DeskMemory | undefined;
  readonly #file: number;
  #pending: string[] = [];

  /**
   * Opens the account's file or begins it. Throws ConfigError for the account of another pair, and
   * DecodeError for a damaged one.
   */
  constructor(path: string, pair: string) {
    this.path = path;
    const { lines, bytes } = readWhole(path);
    const [header, ...changes] = lines;
    if (header !== undefined) {
      checkHeader(path, header, pair);
      if (changes.length > 0) this.before = decodeDeskMemory(changes);
    }
    this.#file = openSync(path, 'a', 0o600);
    ftruncateSync(this.#file, bytes);
    if (header !== undefined) return;
    this.#pending.push(JSON.stringify({ kind: 'paper-account', version, pair }));
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

function checkHeader(path: string, line: string, pair: string): void {
  const [header] = JSON.parse(line) as readonly [
    { readonly kind?: string; readonly version?: number; readonly pair?: string } | undefined,
  ];
  if (header?.kind !== 'paper-account' || header.version !== version)
    throw new DecodeError(`${path}: is no account of mode paper, version ${version}`);
  if (header.pair !== pair)
    throw new ConfigError(
      `${path}: is the account of ${header.pair}, the strategies trade ${pair}; use another store`,
    );
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
