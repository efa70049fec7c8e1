/** Schemas of single values in answers and requests. */
import * as z from 'zod';

/** Exact amounts and prices are decimal text; what is only drawn is numbers. */
export const amount = z
  .string()
  .regex(/^-?\d+(?:\.\d+)?$/u)
  .describe('Decimal text.');
export const side = z.enum(['BID', 'ASK']);
export const time = z.number().describe('Milliseconds since 1970 UTC.');
/** A column of a chart: null where there is no value. */
export const column = z.array(z.number().nullable());

/** A whole number in a query. */
export function wholeIn(min: number, max: number) {
  return z.coerce.number().int().min(min).max(max);
}
