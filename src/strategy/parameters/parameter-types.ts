/**
 * Types for the schema of a strategy's parameters. Their values are text with a unit, so that a
 * bare number is never mistaken for percent, basis points or seconds.
 */
import { z } from 'zod';
import { Decimal, parseDecimal } from '../../domain/money.ts';
import { parseShare, parseSpanMs } from '../../domain/unit-text.ts';

/** "250ms", "15s", "5m", "24h", "7d": a span above 0, parsed to whole milliseconds. */
export const span: z.ZodType<number, string> = z
  .string('must be a quoted span such as "15s"')
  .transform((text, context) => {
    const spanMs = parseSpanMs(text);
    if (spanMs !== undefined && spanMs > 0) return spanMs;
    context.addIssue(`must be a span such as "250ms", "15s", "5m" or "24h", was "${text}"`);
    return z.NEVER;
  });

/** "20bps", "2%": a share, parsed to an exact fraction (0.002, 0.02). */
export const exactShare: z.ZodType<Decimal, string> = z
  .string('must be a quoted share such as "20bps"')
  .transform((text, context) => {
    const share = parseShare(text);
    if (share !== undefined) return new Decimal(share);
    context.addIssue(`must be a share such as "20bps" or "2%", was "${text}"`);
    return z.NEVER;
  });

/** "20bps", "2%": a share, parsed to a fraction (0.002, 0.02) in floating point: for distances. */
// A signal, not money.
export const share: z.ZodType<number, string> = exactShare.transform((exact) => exact.toNumber());

/** No market has finer steps. */
const amountDecimalsMax = 18;

/**
 * "0.01": an amount above zero, kept as decimal text. `market.lots()` and `market.ticks()` convert
 * it.
 */
export const amount: z.ZodType<string, string> = z
  .string('must be a quoted amount such as "0.01"')
  .refine((text) => parseDecimal(text)?.greaterThan(0) === true, {
    error: (issue) =>
      `must be a decimal amount above 0, such as "0.01", was "${String(issue.input)}"`,
  })
  .refine((text) => (parseDecimal(text)?.decimalPlaces() ?? 0) <= amountDecimalsMax, {
    error: (issue) =>
      `must have at most ${amountDecimalsMax} decimals, was "${String(issue.input)}"`,
  });
