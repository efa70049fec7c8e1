/** The rules of a market in a capture: written at its start, daily, and when they change. */
import { DecodeError } from '../../domain/errors.ts';
import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { CaptureEntry } from './capture-entry.ts';

type LimitName = 'priceMin' | 'priceMax' | 'volumeMin' | 'volumeMax';

/** The rules, with the limits as text: their ticks and lots depend on the scales. */
export type Rules = ReturnType<typeof rulesIn>;

/** Returns the JSON of an entry. Throws DecodeError; its message begins with `where`. */
export function captureJson(entry: CaptureEntry, where: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(entry.text) as Record<string, unknown>;
  } catch (cause) {
    throw new DecodeError(`${where}: ${entry.kind} is not JSON`, { cause });
  }
}

/**
 * Returns the protocol of the frames after the first entry of a file; undefined in captures from
 * before it was written. Throws DecodeError; its message begins with `where`.
 */
export function protocolIn(entry: CaptureEntry, where: string): string | undefined {
  const { protocol } = captureJson(entry, where);
  return protocol === undefined ? undefined : String(protocol);
}

/** Returns the rules of an entry. Throws DecodeError; its message begins with `where`. */
export function rulesIn(entry: CaptureEntry, where: string) {
  const json = captureJson(entry, where) as unknown as Record<keyof Market, never>;
  const { priceScale, volumeScale, feeScale } = json as unknown as Record<string, number>;
  if (![priceScale, volumeScale, feeScale].every((scale) => Number.isInteger(scale)))
    throw new DecodeError(`${where}: the market's scales must be integers`);
  const rules = json as unknown as Omit<Market, LimitName> & Record<LimitName, string>;
  return { ...rules, atMicros: entry.atMicros };
}

/** Returns the market with the finest scales it ever had: all its prices and volumes are exact. */
export function marketWithFinestScales(rules: readonly Rules[]): Market {
  const last = rules.at(-1) as Rules;
  const priceScale = Math.max(...rules.map((known) => known.priceScale));
  const volumeScale = Math.max(...rules.map((known) => known.volumeScale));
  const scales = { priceScale, volumeScale };
  return {
    pair: last.pair,
    base: last.base,
    counter: last.counter,
    ...scales,
    feeScale: last.feeScale,
    priceMin: parseTicks(last.priceMin, scales) ?? ticksOf(1),
    priceMax: parseTicks(last.priceMax, scales) ?? ticksOf(Number.MAX_SAFE_INTEGER),
    volumeMin: parseLots(last.volumeMin, scales) ?? lotsOf(1),
    volumeMax: parseLots(last.volumeMax, scales) ?? lotsOf(Number.MAX_SAFE_INTEGER),
    status: last.status,
  };
}
