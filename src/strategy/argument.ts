/**
 * Checks of the arguments that a strategy passes: plugins are untyped JavaScript when they run, and
 * a misspelt parameter is undefined. Each throws RangeError with the function, the argument, what
 * is allowed and what was given.
 */
import { Decimal, decimalOf, isPlainDecimal } from '../domain/money.ts';
import { describe } from './json-value.ts';

/** The function that was called, such as `market.lots`, and its argument. */
export type Argument = readonly [call: string, name: string];

export function refuseArgument([call, name]: Argument, allowed: string, value: unknown): never {
  throw new RangeError(`${call}: ${name} must be ${allowed}, was ${describe(value)}`);
}

/** Checks that `value` is one of two texts. */
export function checkChoice(argument: Argument, value: unknown, one: string, other: string): void {
  if (value !== one && value !== other) refuseArgument(argument, `${one} or ${other}`, value);
}

/** Checks that `value` is a whole number of `unit`. */
export function checkWhole(argument: Argument, value: unknown, unit: 'ticks' | 'lots'): void {
  if (!Number.isSafeInteger(value)) refuseArgument(argument, `a whole number of ${unit}`, value);
}

/** Checks that `value` can be the key of an order. */
export function checkKey(argument: Argument, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    refuseArgument(argument, 'the key of an order', value);
}

/** Checks that `value` is plain decimal text. */
export function checkDecimalText(argument: Argument, value: unknown): void {
  if (typeof value !== 'string' || !isPlainDecimal(value))
    refuseArgument(argument, 'decimal text such as "0.01"', value);
}

/** Returns the number that decimal text or a Decimal states. */
export function decimalArgument(argument: Argument, value: unknown): Decimal {
  if (Decimal.isDecimal(value) && value.isFinite()) return value;
  if (typeof value === 'string' && isPlainDecimal(value)) return decimalOf(value);
  return refuseArgument(argument, 'decimal text such as "0.01", or a finite Decimal', value);
}
