/**
 * The memory of a pretended account: a file beside the bot's database, to which every change is
 * appended and synced before the bot hears of it. So a restart finds the account as it was told,
 * also after kill -9, as if the exchange had gone on without us, with our open orders cancelled.
 *
 *     1c291ca3 [{"kind":"paper-account","version":3,"markets":[{"pair":"XBTZAR","priceScale":2,…
 *     9b7e0d12 [{"kind":"order",…},{"kind":"entry",…}]
 *     5d0c77ab [{"kind":"paper-account","version":3,"markets":[{"pair":"XBTZAR",…},{"pair":"ETH…
 *
 * One line for what belongs together, with the CRC-32 of its text. The first one names the pairs
 * that the account trades, with the scales of their ticks and lots, and so does a later one where a
 * pair has come to them; none ever goes. Version 2 named `pairs` without scales, version 1 one
 * `pair`, which its orders did not repeat. A last line that is torn was never told and is dropped;
 * damage anywhere else is refused.
 *
 * Invariant: all prices and volumes of a pair are integers of the same scales.
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

/** Returns where the account of the bot with this database is remembered. */
export function accountFileOf(store: string): string {
  return `${store}-paper`;
}

/** What the account keeps of a market. */
export type TradedMarket = Scales & Pick<Market, 'pair'>;

export class AccountFile {
  readonly path: string;
  /** What an earlier run left; undefined if this is the account's first. */
  readonly before: AccountSnapshot | undefined;
  readonly #file: number;
  #scales: Map<string, Scales | undefined> = new Map();
  #pending: string[] = [];
  /** How long the whole lines are. */
  #bytes: number;
  /** A line that could not be written may stand behind them. */
  #isTorn = false;

  /** Opens the account's file. Throws DecodeError for a damaged one, and for another file. */
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

  /** Every pair that the account has ever traded, in the order in which they came. */
  get pairs(): readonly string[] {
    return [...this.#scales.keys()];
  }

  /**
   * Has the account trade `markets` from now on, among which are all that it traded before, and
   * makes that durable.
   * Throws ConfigError if one of them had other scales: what is remembered would be misread.
   */
  trade(markets: readonly TradedMarket[]): void {
    for (const market of markets) {
      const before = this.#scales.get(market.pair);
      if (before !== undefined && describeScales(before) !== describeScales(market))
        throw new ConfigError(
          `${this.path}: this account cannot go on: it has traded ${market.pair} with ` +
            `${describeScales(before)}, the exchange has ${describeScales(market)} now; ` +
            'use another store, or begin with --fresh',
        );
    }
    if (markets.every(({ pair }) => this.#scales.get(pair) !== undefined)) return;
    for (const { pair, priceScale, volumeScale } of markets)
      this.#scales.set(pair, { priceScale, volumeScale });
    const written = [...this.#scales].map(([pair, scales]) => {
      assert(scales !== undefined, `the account also trades ${pair}, of which nothing was said`);
      return { pair, ...scales };
    });
    this.#pending.push(JSON.stringify({ kind: 'paper-account', version, markets: written }));
    this.flush();
  }

  /** Takes a change, which is durable after the next {@link AccountFile.flush}. */
  note(change: AccountChange): void {
    this.#pending.push(encodeAccountChange(change));
  }

  /**
   * Makes what was noted durable, all of it or nothing. Throws StoreError for the disk; then it is
   * noted still.
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

  /** A line that stays torn would be damage as soon as another one follows. */
  #cutAfterFailure(): void {
    try {
      this.#cut();
    } catch {
      // The next flush cuts it before it writes.
    }
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

function describeScales({ priceScale, volumeScale }: Scales): string {
  return `prices of ${priceScale} and volumes of ${volumeScale} decimals`;
}

type Header = {
  readonly version: number;
  /** By pair; undefined where the file does not say them. */
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
  const [told] = JSON.parse(line) as readonly [WrittenHeader | undefined];
  const { kind, version: written = 0 } = told ?? {};
  const scales = scalesOf(told ?? {});
  if (kind !== 'paper-account' || scales === undefined || written > version)
    throw new DecodeError(`${path}: is no account of mode paper, version 1 to ${version}`);
  return { version: written, scales };
}

function scalesOf({ pair, pairs, markets }: WrittenHeader): Header['scales'] | undefined {
  if (markets !== undefined)
    return new Map(markets.map(({ pair: one, ...scales }) => [one, scales]));
  const unscaled = pairs ?? (pair === undefined ? undefined : [pair]);
  return unscaled && new Map(unscaled.map((one) => [one, undefined]));
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
