/**
 * A profile of recorded order flow, made before it is read with the scales of a market: the
 * decimals that it needs, the range of its prices, and the usual size of its orders.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { DecodeError } from '../../domain/errors.ts';
import { parseScaled } from '../../domain/money.ts';
import { checkInputFile } from '../../runtime/input-file.ts';
import { readGzipLines } from './gzip-lines.ts';

export type FlowProfile = {
  /** SHA-256 of both files' bytes, in hexadecimal. */
  readonly digest: string;
  /** The venue named in the snapshot; empty if it names none. */
  readonly venue: string;
  readonly symbol: string;
  /** Number of decimals that the prices and the volumes need. */
  readonly priceScale: number;
  readonly volumeScale: number;
  /** In ticks: the smallest price step, the best prices at the start, and the highest price. */
  readonly priceStep: number;
  readonly bestBid: number;
  readonly bestAsk: number;
  readonly priceHighest: number;
  /** Root mean square of the change of the last trade price from minute to minute, in ticks. */
  readonly moveOfMinute: number;
  /** In lots: the most common volume of a new order, and the largest volume of all. */
  readonly orderVolume: number;
  readonly volumeHighest: number;
};

export type FlowFiles = {
  readonly snapshot: string;
  readonly events: string;
  /** Number of bytes to read of the events; all of them by default. */
  readonly eventsBytesMax?: number;
};

type Row = {
  readonly type?: unknown;
  readonly price?: unknown;
  readonly volume?: unknown;
  readonly timestamp?: unknown;
};

/**
 * Returns the profile. Throws {@link DecodeError} for files that are not order flow and, unless
 * `mayBeEmpty`, for a side without orders, whose best price would be infinite.
 */
export async function profileOrderFlow(
  files: FlowFiles,
  { mayBeEmpty = false } = {},
): Promise<FlowProfile> {
  const hash = createHash('sha256');
  const snapshotBytes = await readBytes(files.snapshot);
  hash.update(snapshotBytes).update(await readBytes(files.events));
  const snapshot = parseSnapshot(files.snapshot, snapshotBytes);
  const prices = new Set<string>();
  const volumes = new Map<string, number>();
  const lastByMinute = new Map<number, unknown>();
  const note = ({ price, volume }: Row, isNewOrder: boolean): void => {
    if (typeof price === 'string') prices.add(price);
    if (typeof volume === 'string')
      volumes.set(volume, (volumes.get(volume) ?? 0) + (isNewOrder ? 1 : 0));
  };
  for (const order of [...snapshot.bids, ...snapshot.asks]) note(order, false);
  for await (const lines of readGzipLines(files.events, files.eventsBytesMax))
    for (const line of lines) {
      if (line === '') continue;
      const row = parseRow(files.events, line);
      note(row, row.type === 'create');
      if (row.type === 'trade' && typeof row.timestamp === 'number')
        lastByMinute.set(Math.floor(row.timestamp / 60_000), row.price);
    }
  const priceScale = decimalsOf(prices);
  const volumeScale = decimalsOf(volumes.keys());
  const scaled = (text: unknown, scale: number): number => {
    const value = typeof text === 'string' ? parseScaled(text, scale) : undefined;
    if (value === undefined)
      throw new DecodeError(`${files.events}: ${String(text)} is not an amount`);
    return value;
  };
  const ticks = [...prices].map((text) => scaled(text, priceScale));
  const lots = [...volumes.keys()].map((text) => scaled(text, volumeScale));
  const sideTicks = (orders: readonly Row[]) =>
    orders.map(({ price }) => scaled(price, priceScale));
  const bids = sideTicks(snapshot.bids);
  const asks = sideTicks(snapshot.asks);
  if (!mayBeEmpty && (bids.length === 0 || asks.length === 0))
    throw new DecodeError(`${files.snapshot}: must have orders on both sides`);
  const mostCommon = [...volumes].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
  return {
    digest: hash.digest('hex'),
    venue: snapshot.venue,
    symbol: snapshot.symbol,
    priceScale,
    volumeScale,
    priceStep: ticks.reduce(greatestCommonDivisor, 0),
    bestBid: bids.reduce((a, b) => Math.max(a, b), -Infinity),
    bestAsk: asks.reduce((a, b) => Math.min(a, b), Infinity),
    priceHighest: ticks.reduce((a, b) => Math.max(a, b)),
    moveOfMinute: rootMeanSquareOfSteps(
      [...lastByMinute.values()].map((text) => scaled(text, priceScale)),
    ),
    orderVolume: scaled(mostCommon, volumeScale),
    volumeHighest: lots.reduce((a, b) => Math.max(a, b)),
  };
}

async function readBytes(path: string): Promise<Buffer> {
  checkInputFile(path);
  try {
    return await readFile(path);
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function parseSnapshot(path: string, bytes: Buffer) {
  try {
    const body = JSON.parse(gunzipSync(bytes).toString('utf8')) as Record<string, unknown>;
    const { bids, asks, venue, symbol } = body;
    if (Array.isArray(bids) && Array.isArray(asks))
      return {
        bids: bids as readonly Row[],
        asks: asks as readonly Row[],
        venue: typeof venue === 'string' ? venue : '',
        symbol: typeof symbol === 'string' ? symbol : '',
      };
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
  throw new DecodeError(`${path}: must hold bids and asks`);
}

function parseRow(path: string, line: string): Row {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row === 'object' && row !== null) return row;
  } catch (cause) {
    throw new DecodeError(`${path}: is not JSON: ${line.slice(0, 80)}`, { cause });
  }
  throw new DecodeError(`${path}: each line must be a JSON object`);
}

function decimalsOf(texts: Iterable<string>): number {
  let most = 0;
  for (const text of texts)
    most = Math.max(most, (text.split('.')[1] ?? '').replace(/0+$/u, '').length);
  return most;
}

function rootMeanSquareOfSteps(values: readonly number[]): number {
  let sum = 0;
  for (let i = 1; i < values.length; i++)
    sum += ((values[i] as number) - (values[i - 1] as number)) ** 2;
  return Math.sqrt(sum / Math.max(1, values.length - 1));
}

export function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : greatestCommonDivisor(b, a % b);
}
