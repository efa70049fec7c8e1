/**
 * Feeds: named series of numbers from outside of the exchange, such as a reference price. Their
 * values are decimal text by field; a feed of one number has the field `value`.
 */
import { Decimal, isPlainDecimal } from './money.ts';

/** The numbers of one message of a feed, as decimal text by field. */
export type FeedValues = Readonly<Record<string, string>>;

/** What the engine knows of a feed: its name, and when its last value is too old to be used. */
export type FeedRule = { readonly name: string; readonly ageMsMax: number };

/** What a feed said at one time. */
export type FeedReading = {
  readonly name: string;
  readonly values: FeedValues;
  /** When it was received, by our clock. */
  readonly receivedMicros: number;
};

/** Where a feed comes from, and what of it is accepted. */
export type FeedSource = FeedRule & {
  readonly place: FeedPlace;
  /** Where the number of each field is in a message: `data.price`; empty for the whole message. */
  readonly fields: Readonly<Record<string, string>>;
  /** Where the source's own time is in a message; undefined if it is not looked at. */
  readonly time: string | undefined;
  /** The time from one reading to the next, at least. */
  readonly everyMs: number;
  readonly bytesMax: number;
  readonly min: string | undefined;
  readonly max: string | undefined;
  /** A source that repeats itself for longer is not believed; undefined believes it. */
  readonly unchangedMsMax: number | undefined;
};

export type FeedPlace =
  | { readonly kind: 'http'; readonly url: string; readonly headers: FeedHeaders }
  | {
      readonly kind: 'websocket';
      readonly url: string;
      readonly headers: FeedHeaders;
      /** Sent when the connection is open; undefined sends nothing. */
      readonly subscribe: string | undefined;
    }
  | { readonly kind: 'file'; readonly path: string };

export type FeedHeaders = Readonly<Record<string, string>>;

const digitsMax = 60;

/** Returns a number, also one with an exponent, as plain decimal text; undefined for other text. */
export function plainNumber(text: string): string | undefined {
  if (isPlainDecimal(text)) return text;
  if (text.length > digitsMax || !/^-?\d+(?:\.\d+)?[eE][+-]?\d{1,2}$/u.test(text)) return undefined;
  const plain = new Decimal(text).toFixed();
  return isPlainDecimal(plain) ? plain : undefined;
}

/** Returns values that were stored as JSON; undefined if they are not the values of a feed. */
export function feedValuesOf(json: string): FeedValues | undefined {
  try {
    const values: unknown = JSON.parse(json);
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined;
    const all: readonly unknown[] = Object.values(values);
    const isValid = all.every((one) => typeof one === 'string' && isPlainDecimal(one));
    return isValid && all.length > 0 ? (values as FeedValues) : undefined;
  } catch {
    return undefined;
  }
}
