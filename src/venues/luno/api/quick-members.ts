/** Checks of members of JSON objects, for the quick decoders. */
import { isPlainDecimal } from '../../../domain/money.ts';

export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether `value` is an amount as documented: a decimal string. */
export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && isPlainDecimal(value);
}
