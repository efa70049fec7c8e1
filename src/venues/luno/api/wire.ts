/**
 * The scalar types of answers and stream messages.
 *
 * Decoding is tolerant where real servers differ from the documents: amounts as JSON numbers, null
 * for an empty list, times as milliseconds or RFC 3339, 64-bit ids as text or integer, unknown
 * enumeration values. Encoding (`z.encode`) follows the documents exactly.
 */
import * as z from 'zod';
import { Decimal } from '../../../domain/money.ts';

// Accepts the same texts as domain/money.ts.
const plainAmount = /^-?(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/u;

/** A decimal string. A JSON number is accepted and converted to text without an exponent. */
export const amount = z
  .codec(z.union([z.string(), z.number(), z.bigint()]), z.string(), {
    decode: (value, context) => {
      const text = typeof value === 'number' ? new Decimal(value).toFixed() : String(value);
      if (plainAmount.test(text)) return text;
      context.issues.push({ code: 'custom', message: 'not a decimal amount', input: value });
      return z.NEVER;
    },
    encode: (value) => value,
  })
  .meta({ documented: { type: 'string', format: 'amount' } });

/** Returns `text` without leading zeros, or undefined if it is not a 64-bit integer. */
function canonicalInt64(text: string): string | undefined {
  if (!/^-?\d{1,19}$/u.test(text)) return undefined;
  const number = BigInt(text);
  return BigInt.asIntN(64, number) === number ? number.toString() : undefined;
}

const int64 = (encode: (value: string) => string | bigint) =>
  z.codec(z.union([z.string(), z.number(), z.bigint()]), z.string(), {
    decode: (value, context) => {
      const exact = typeof value !== 'number' || Number.isSafeInteger(value);
      const text = exact ? canonicalInt64(String(value)) : undefined;
      if (text !== undefined) return text;
      context.issues.push({ code: 'custom', message: 'not a 64-bit integer', input: value });
      return z.NEVER;
    },
    encode,
  });

/** A 64-bit integer held as text, written as a JSON integer. */
export const integerId = int64((value) => BigInt(value)).meta({
  documented: { type: 'integer', format: 'int64' },
});

/** A 64-bit integer held as text, written as a JSON string. */
export const textId = int64((value) => value).meta({
  documented: { type: 'string', format: 'int64' },
});

/** A position in a stream: a 64-bit integer from 0, held as text, written as a JSON string. */
export const streamSequence = textId.refine((value) => !value.startsWith('-'), 'negative');

/** A count or position that a JavaScript number holds exactly. */
export const integer = z
  .codec(z.union([z.string(), z.number(), z.bigint()]), z.number(), {
    decode: (value, context) => {
      const number = typeof value === 'number' ? value : Number.parseInt(String(value), 10);
      if (Number.isSafeInteger(number) && String(number) === String(value)) return number;
      context.issues.push({ code: 'custom', message: 'not a safe integer', input: value });
      return z.NEVER;
    },
    encode: (value) => value,
  })
  .meta({ documented: { type: 'integer' } });

// 2009-01-01 to 2100-01-01: excludes seconds or microseconds in a millisecond field. Ledgers,
// orders and addresses go back to the first years of the exchange, before 2014.
const timeMsMin = 1_230_768_000_000;
const timeMsMax = 4_102_444_800_000;

// Date.parse would also accept texts like "May 2021".
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/u;

function parseTimeText(text: string): number {
  if (/^\d{1,16}$/u.test(text)) return Number.parseInt(text, 10);
  return rfc3339.test(text) ? Date.parse(text) : Number.NaN;
}

/** Returns whether `ms` is 0 or a time between 2009 and 2100, in whole milliseconds. */
export function isTimeMs(ms: number): boolean {
  return ms === 0 || (Number.isSafeInteger(ms) && ms >= timeMsMin && ms < timeMsMax);
}

/** Milliseconds since the UTC epoch; 0 means "not applicable". RFC 3339 is accepted, too. */
export const time = z
  .codec(z.union([z.string(), z.number()]), z.number(), {
    decode: (value, context) => {
      const ms = typeof value === 'number' ? value : parseTimeText(value);
      if (isTimeMs(ms)) return ms;
      context.issues.push({
        code: 'custom',
        message: 'not a time between 2009 and 2100',
        input: value,
      });
      return z.NEVER;
    },
    encode: (value) => value,
  })
  .meta({ documented: { type: 'integer', format: 'ms' } });

/**
 * A list; null is read as empty. A missing member is an error: "{}" must not prove that there are
 * no orders.
 */
export function list<T extends z.ZodType>(item: T) {
  return z
    .codec(z.array(item).nullable(), z.array(z.custom<z.output<T>>()), {
      decode: (value) => (value ?? []) as z.output<T>[],
      encode: (value) => value as never,
    })
    .meta({ isNullUndocumented: true });
}

/** An optional list; null or a missing member is read as empty. */
export function optionalList<T extends z.ZodType>(item: T) {
  return z.codec(z.array(item).nullish(), z.array(z.custom<z.output<T>>()), {
    decode: (value) => (value ?? []) as z.output<T>[],
    encode: (value) => value as never,
  });
}

/** An optional member; null, which some servers write, is read as missing. */
export function optionalMember<T extends z.ZodType>(member: T) {
  return z
    .codec(member.nullish(), z.custom<z.output<T>>().optional(), {
      decode: (value) => value ?? undefined,
      encode: (value) => value as never,
    })
    .meta({ documented: member.meta()?.['documented'], isNullUndocumented: true });
}

/** Text with known values; unknown values are accepted, because the exchange may add some. */
export function openEnumeration<const V extends readonly string[]>(values: V) {
  return z.string().meta({ examples: [...values] }) as unknown as z.ZodType<
    V[number] | (string & {}),
    string
  >;
}

/** Optional text; missing or null is read as the empty text. */
export const optionalText = z
  .codec(z.string().nullish(), z.string(), {
    decode: (value) => value ?? '',
    encode: (value) => value,
  })
  .meta({ documented: { type: 'string' } });

/** An id of undocumented type, text or integer; missing or null is read as the empty text. */
export const optionalId = z
  .codec(z.union([z.string(), z.number(), z.bigint()]).nullish(), z.string(), {
    decode: (value) => String(value ?? ''),
    encode: (value) => value,
  })
  .meta({ documented: { type: 'string' } });

/**
 * An amount whose zero means "none": missing, null, empty text and zero are read as undefined.
 * Undefined is written as "0", which every reader of amounts accepts.
 */
export const amountOrZero = z
  .codec(z.union([amount, z.literal('')]).nullish(), z.string().optional(), {
    decode: (value) => (value && !/^-?0(?:\.0+)?$/u.test(value) ? value : undefined),
    encode: (value) => value ?? '0',
  })
  .meta({ documented: { type: 'string', format: 'amount' } });
