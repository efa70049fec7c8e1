/** The options that executors have in common, and how options are checked. */
import { z } from 'zod';
import type { Side } from '../../domain/market.ts';
import { isPlainDecimal, parseDecimal } from '../../domain/money.ts';
import { describe, isPlainObject } from '../json-value.ts';

/** Where an executor trades. */
export type PlaceOptions = {
  /** One of the strategy's pairs; the first one unless given. */
  readonly pair?: string;
};

/** A volume that an executor works off. */
export type WorkOptions = PlaceOptions & {
  /** `BID` buys, `ASK` sells. */
  readonly side: Side;
  /** The whole volume, in the base currency, as decimal text; never exceeded. */
  readonly total: string;
  /** The worst price, in the counter currency, as decimal text; none unless given. */
  readonly limit?: string;
  /** Whether its orders may only reduce the strategy's position; false unless given. */
  readonly reduceOnly?: boolean;
};

/** How an executor takes what others offer. */
export type TakeOptions = {
  /** How much worse than the best price an order may trade, as a share; 0.001 unless given. */
  readonly slip?: number;
};

/** How long an executor works that has no end of its own. */
export type TimeOptions = {
  /** After how many milliseconds it ends, whatever is left; never unless given. */
  readonly duration?: number;
};

/** An option that is optional, and may be written as undefined. */
const maybe = <T extends z.ZodType>(type: T) => type.optional();

/** Types of options. */
export const amountText = z
  .string()
  .refine((text) => isPlainDecimal(text) && parseDecimal(text)?.greaterThan(0) === true)
  .meta({ allowed: 'a decimal text above 0, such as "0.01"' });
export const spanMs = z.int().min(1).meta({ allowed: 'whole milliseconds above 0' });
export const countFrom = (least: number, most: number) =>
  z
    .int()
    .min(least)
    .max(most)
    .meta({ allowed: `a whole number from ${least} to ${most}` });
/** A distance or a part, above 0 and below 1. */
export const shareType = z
  .number()
  .gt(0)
  .lt(1)
  .meta({ allowed: 'a share above 0 and below 1, such as 0.01 for 1 %' });

export const placeTypes = { pair: maybe(z.string().meta({ allowed: 'the name of a pair' })) };
export const workTypes = {
  ...placeTypes,
  side: z.enum(['BID', 'ASK']).meta({ allowed: 'BID or ASK' }),
  total: amountText,
  limit: maybe(amountText),
  reduceOnly: maybe(z.boolean().meta({ allowed: 'true or false' })),
};
export const timeTypes = { duration: maybe(spanMs) };
export const takeTypes = { slip: shareType.default(0.001) };

/** Returns checked options; throws RangeError that names the executor and the option. */
export function optionsOf<Shape extends z.ZodRawShape>(
  executor: string,
  types: Shape,
  options: unknown,
): z.output<z.ZodObject<Shape>> {
  const result = z.strictObject(types).safeParse(options);
  if (result.success) return result.data as z.output<z.ZodObject<Shape>>;
  const [issue] = result.error.issues;
  if (!isPlainObject(options))
    throw new RangeError(`${executor}: options must be an object, was ${describe(options)}`);
  if (issue?.code === 'unrecognized_keys')
    throw new RangeError(
      `${executor}: ${issue.keys[0]} is unknown; allowed: ${Object.keys(types).join(', ')}`,
    );
  const name = String(issue?.path[0]);
  const allowed = allowedBy(types[name]) ?? issue?.message;
  throw new RangeError(`${executor}: ${name} must be ${allowed}, was ${describe(options[name])}`);
}

/** What people are told about a type, also of an optional one. */
function allowedBy(type: unknown): string | undefined {
  if (!(type instanceof z.ZodType)) return undefined;
  const inner = type instanceof z.ZodOptional || type instanceof z.ZodDefault;
  return inner
    ? allowedBy(type.def.innerType)
    : String(type.meta()?.['allowed'] ?? '') || undefined;
}
