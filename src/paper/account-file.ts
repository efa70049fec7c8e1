/**
 * The file of a paper account, beside the bot's database. Every change is appended and synced
 * before the bot receives it. So a restart, even after kill -9, finds the account as last reported,
 * as if the exchange had continued without us and cancelled our open orders.
 *
 *     1c291ca3 [{"kind":"paper-account","version":3,"markets":[{"pair":"XBTZAR","priceScale":2,…
 *     9b7e0d12 [{"kind":"order",…},{"kind":"entry",…}]
 *     5d0c77ab [{"kind":"paper-account","version":3,"markets":[{"pair":"XBTZAR",…},{"pair":"ETH…
 *
 * Each line holds changes that belong together, after the CRC-32 of its text. The first line is a
 * header with the pairs that the account trades and the scales of their ticks and lots; another
 * header follows when a pair is added. Pairs are never removed. Version 2 had `pairs` without
 * scales, version 1 one `pair`, which its orders did not repeat. A torn last line was never
 * reported and is dropped; damage anywhere else is refused.
 *
 * Invariant: all prices and volumes of a pair are integers with the same scales.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { assert, ConfigError, DecodeError, StoreError } from '../domain/errors.ts';
import type { Market, Scales } from '../domain/market.ts';
import {
  type AccountChange,
  type AccountSnapshot,
  decodeAccountSnapshot,
  encodeAccountChange,
} from '../replay-exchange/account/account-snapshot.ts';
import { writeAll } from '../runtime/write-all.ts';

const version = 3;

export function accountFileOf(store: string): string {
  return `${store}-paper`;
}

/** What the file stores about a market. */
export type TradedMarket = Scales & Pick<Market, 'pair'>;

export class AccountFile {
  readonly path: string;
  /** The account's state from earlier runs; undefined in its first run. */
  readonly before: AccountSnapshot | undefined;
  readonly #file: number;
  #scales: Map<string, Scales | undefined> = new Map();
  #pending: string[] = [];
  /** The length of the complete lines. */
  #bytes: number;
  /** Whether a partial line may follow the complete lines. */
  #isTorn = false;

  /** Opens the account's file. Throws DecodeError if it is damaged or not an account file. */
  constructor(path: string) {
    this.path = path;
    const { lines, bytes } = readWhole(path);
    const [first, ...others] = lines;
    if (first !== undefined) {
      const header = decodeHeader(path, first);
      const last = others.findLast(isHeader);
      this.#scales = last === undefined ? header.scales : decodeHeader(path, last).scales;
      const changes = others.filter((line) => !isHeader(line));
      const pair = header.version === 1 ? [...header.scales.keys()][0] : undefined;
      if (changes.length > 0) this.before = decodeAccountSnapshot(changes, pair);
    }
    this.#file = openSync(path, 'a', 0o600);
    this.#bytes = bytes;
    this.#cut();
  }

  /** Every pair that the account has ever traded, in order of addition. */
  get pairs(): readonly string[] {
    return [...this.#scales.keys()];
  }

  /**
   * Lets the account trade `markets` from now on, and makes that durable. They must include all
   * markets that it traded before. Throws ConfigError if the scales of one have changed: its stored
   * prices and volumes would be misread.
   */
  trade(markets: readonly TradedMarket[]): void {
    for (const market of markets) {
      const before = this.#scales.get(market.pair);
      if (before !== undefined && describeScales(before) !== describeScales(market))
        throw new ConfigError(
          `${this.path}: this account cannot continue: it traded ${market.pair} with ` +
            `${describeScales(before)}, but the exchange now has ${describeScales(market)}; ` +
            'use another store, or start with --fresh',
        );
    }
    if (markets.every(({ pair }) => this.#scales.get(pair) !== undefined)) return;
    for (const { pair, priceScale, volumeScale } of markets)
      this.#scales.set(pair, { priceScale, volumeScale });
    const written = [...this.#scales].map(([pair, scales]) => {
      assert(scales !== undefined, `the account also trades ${pair}, whose scales are missing`);
      return { pair, ...scales };
    });
    this.#pending.push(JSON.stringify({ kind: 'paper-account', version, markets: written }));
    this.flush();
  }

  /** Adds a change, which is durable after the next {@link AccountFile.flush}. */
  note(change: AccountChange): void {
    this.#pending.push(encodeAccountChange(change));
  }

  /**
   * Makes all added changes durable, or none of them. Throws StoreError if the disk cannot be
   * written; the changes are then kept for the next attempt.
   */
  flush(): void {
    if (this.#pending.length === 0) return;
    const text = `[${this.#pending.join(',')}]`;
    const line = Buffer.from(`${checksumOf(text)} ${text}\n`);
    try {
      if (this.#isTorn) this.#cut();
      this.#isTorn = true;
      writeAll(this.#file, line);
      fdatasyncSync(this.#file);
      this.#isTorn = false;
    } catch (cause) {
      this.#cutAfterFailure();
      throw new StoreError(`${this.path} cannot be written: ${(cause as Error).message}`, {
        cause,
      });
    }
    this.#bytes += line.length;
    this.#pending = [];
  }

  close(): void {
    try {
      this.flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #cut(): void {
    ftruncateSync(this.#file, this.#bytes);
    this.#isTorn = false;
  }

  /** Removes a partial line, which would be damage if another line followed it. */
  #cutAfterFailure(): void {
    try {
      this.#cut();
    } catch {
      // The next flush tries again before it writes.
    }
  }
}

/** Returns the complete lines of the file and their length; no lines if there is no file. */
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
    // Only the last line can be torn: it has no line feed, or nothing follows it.
    if (index < written.length - 2)
      throw new DecodeError(
        `${path}: line ${index + 1} is damaged, so the paper account cannot continue; use another store`,
      );
    break;
  }
  return { lines, bytes };
}

function describeScales({ priceScale, volumeScale }: Scales): string {
  return `${priceScale} decimals in prices and ${volumeScale} in volumes`;
}

type Header = {
  readonly version: number;
  /** By pair; undefined if the file does not contain them. */
  readonly scales: Map<string, Scales | undefined>;
};

type WrittenHeader = {
  readonly kind?: string;
  readonly version?: number;
  readonly pair?: string;
  readonly pairs?: readonly string[];
  readonly markets?: readonly TradedMarket[];
};

function isHeader(line: string): boolean {
  return line.startsWith('[{"kind":"paper-account",');
}

function decodeHeader(path: string, line: string): Header {
  const [header] = JSON.parse(line) as readonly [WrittenHeader | undefined];
  const { kind, version: written = 0 } = header ?? {};
  const scales = scalesOf(header ?? {});
  if (kind !== 'paper-account' || scales === undefined || written > version)
    throw new DecodeError(`${path}: is not an account file of mode paper, version 1 to ${version}`);
  return { version: written, scales };
}

function scalesOf({ pair, pairs, markets }: WrittenHeader): Header['scales'] | undefined {
  if (markets !== undefined)
    return new Map(markets.map(({ pair: name, ...scales }) => [name, scales]));
  const unscaled = pairs ?? (pair === undefined ? undefined : [pair]);
  return unscaled && new Map(unscaled.map((name) => [name, undefined]));
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
