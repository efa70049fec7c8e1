/**
 * Request parameters. A declaration defines the client's type, the text on the wire and how the
 * simulator reads that text.
 *
 * Invariant: `parse(format(value))` is `value` for every value that `parse` accepts.
 */
import type { ErrorCode } from './error-codes.ts';

/** How one value is written on the wire and read back. */
export type Parameter<T, Required extends boolean = boolean> = {
  readonly in: 'path' | 'query';
  readonly required: Required;
  /** Whether the document requires it, although the exchange does without it. */
  readonly isRequiredByDocument?: boolean;
  /** Whether the value is an array, sent by repeating the parameter. */
  readonly repeated: boolean;
  readonly description: string;
  /** The error code for an invalid text; ErrInvalidArguments unless given. */
  readonly errorCode: ErrorCode;
  /** The error code for a missing or empty required parameter; ErrInvalidArguments unless given. */
  readonly missingErrorCode?: ErrorCode;
  /** Whether a text means "not given", as real clients send it. Only for optional parameters. */
  readonly absent: (text: string) => boolean;
  readonly parse: (text: string) => T | undefined;
  readonly format: (value: T) => string;
  /** Why our client does not send a value, although an exchange must accept it; or undefined. */
  readonly objection?: (value: T) => string | undefined;
  /** JSON schema of one value, for the reference page. */
  readonly schema: Readonly<Record<string, unknown>>;
};

type Kind<T> = Pick<Parameter<T>, 'parse' | 'format' | 'objection' | 'schema' | 'absent'> & {
  readonly errorCode?: ErrorCode;
  readonly missingErrorCode?: ErrorCode;
};

const isEmpty = (text: string): boolean => text === '';
const isEmptyOrZero = (text: string): boolean => text === '' || /^0+(?:\.0*)?$/u.test(text);

/** Returns the number of Unicode characters; a surrogate pair counts as one. */
export function characterCount(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** Text of 1 to `lengthMax` characters. */
export function text(lengthMax = 1000): Kind<string> {
  return {
    parse: (value) => (value !== '' && characterCount(value) <= lengthMax ? value : undefined),
    format: (value) => value,
    absent: isEmpty,
    schema: { type: 'string', minLength: 1, maxLength: lengthMax },
  };
}

/** Text that matches `pattern`. */
export function pattern(expression: RegExp, errorCode?: ErrorCode): Kind<string> {
  return {
    parse: (value) => (expression.test(value) ? value : undefined),
    format: (value) => value,
    absent: isEmpty,
    schema: { type: 'string', pattern: expression.source },
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

/** A decimal string without sign and exponent: up to 12 digits, up to 18 decimals. */
export const amount: Kind<string> = {
  parse: (value) => (/^(?:0|[1-9]\d{0,11})(?:\.\d{1,18})?$/u.test(value) ? value : undefined),
  format: (value) => value,
  absent: isEmptyOrZero,
  schema: { type: 'string', format: 'amount' },
  // Seen on the wire for an amount with an exponent; the documents have no code for it.
  errorCode: 'ErrInvalidValue',
};

/** A 64-bit integer in its usual form, surely below 2^63. */
const plainInt64 = /^(?:0|[1-9]\d{0,17}|[1-8]\d{18})$/u;

/** A 64-bit integer, as text. */
export const int64: Kind<string> = {
  parse: (value) => {
    if (plainInt64.test(value)) return value;
    if (!/^-?\d{1,19}$/u.test(value)) return undefined;
    const number = BigInt(value);
    return BigInt.asIntN(64, number) === number ? number.toString() : undefined;
  },
  format: (value) => value,
  absent: isEmptyOrZero,
  schema: { type: 'string', format: 'int64' },
};

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number, errorCode?: ErrorCode): Kind<number> {
  return {
    parse: (value) => {
      const number = /^-?\d{1,16}$/u.test(value) ? Number.parseInt(value, 10) : Number.NaN;
      return Number.isSafeInteger(number) && number >= min && number <= max ? number : undefined;
    },
    format: String,
    absent: isEmptyOrZero,
    schema: { type: 'integer', minimum: min, maximum: max },
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

const timeMsMax = 4_102_444_800_000;
/** September 2001 in seconds. As milliseconds it would be January 1970, which is never meant. */
const timeSecondsMin = 1_000_000_000;

/**
 * Milliseconds since the UTC epoch; a 64-bit integer in the documents. Times before 1970 or after
 * 2099 are read as the nearest valid time; our client does not send them.
 */
export const timeMs: Kind<number> = {
  parse: (value) => {
    const whole = int64.parse(value);
    if (whole === undefined) return undefined;
    return Math.min(Math.max(0, Number.parseInt(whole, 10)), timeMsMax);
  },
  format: String,
  absent: isEmptyOrZero,
  objection: (value) => {
    if (value < 0 || value > timeMsMax)
      return 'it must be milliseconds since 1970, and before 2100';
    return value >= timeSecondsMin && value <= timeMsMax / 1000
      ? 'it must be milliseconds since 1970, and this looks like seconds: multiply by 1000'
      : undefined;
  },
  schema: { type: 'integer', format: 'int64', minimum: 0, maximum: timeMsMax },
};

/** true or false; also accepts `True`, `1` and the like, which real clients send. */
export const flag: Kind<boolean> = {
  parse: (value) => {
    if (/^(?:true|1)$/iu.test(value)) return true;
    return /^(?:false|0)$/iu.test(value) ? false : undefined;
  },
  format: String,
  absent: isEmpty,
  schema: { type: 'boolean' },
};

/** One of the named values. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  errorCode?: ErrorCode,
): Kind<V[number]> {
  return {
    parse: (value) => (values.includes(value) ? value : undefined),
    format: (value) => value,
    absent: isEmpty,
    schema: { type: 'string', enum: values },
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

/** Returns `kind` with zero as a normal value: only empty text means "not given". */
export function withZero<T>(kind: Kind<T>): Kind<T> {
  return { ...kind, absent: isEmpty };
}

/**
 * Returns `kind` for an optional parameter that our client never sends as zero. Zero means "not
 * given" on the wire, so the exchange would silently do something else.
 */
export function neverZero<T>(kind: Kind<T>): Kind<T> {
  return {
    ...kind,
    objection: (value) =>
      kind.absent(kind.format(value))
        ? 'zero means "not given" to the exchange: leave the parameter out instead'
        : kind.objection?.(value),
  };
}

const never = (): boolean => false;

function declare<T, R extends boolean>(
  kind: Kind<T>,
  rest: Pick<Parameter<T>, 'in' | 'repeated' | 'description'> & { readonly required: R },
): Parameter<T, R> {
  return {
    errorCode: 'ErrInvalidArguments',
    ...kind,
    ...rest,
    absent: rest.required ? never : kind.absent,
  };
}

/** A parameter that every request must have. */
export function required<T>(kind: Kind<T>, description: string): Parameter<T, true> {
  return declare(kind, { in: 'query', repeated: false, required: true, description });
}

/** A parameter that may be left out. */
export function optional<T>(kind: Kind<T>, description: string): Parameter<T, false> {
  return declare(kind, { in: 'query', repeated: false, required: false, description });
}

/**
 * A parameter that the document requires, but that real clients leave out: a strict exchange
 * refuses their call.
 */
export function requiredByDocument<T>(kind: Kind<T>, description: string): Parameter<T, false> {
  return { ...optional(kind, description), isRequiredByDocument: true };
}

/** A path parameter, written `:name` in the path. */
export function inPath<T>(kind: Kind<T>, description: string): Parameter<T, true> {
  return declare(kind, { in: 'path', repeated: false, required: true, description });
}

/** A parameter that may be repeated. */
export function repeated<T>(kind: Kind<T>, description: string): Parameter<readonly T[], false> {
  // Each item of the list is sent as its own text, so the item's parser and writer are kept.
  const one = declare(kind, { in: 'query', repeated: true, required: false, description });
  return one as unknown as Parameter<readonly T[], false>;
}
