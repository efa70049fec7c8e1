/** What the shapes share: their parameters, and the size of their orders. */
import { z } from 'zod';
import type { Lots } from '../../domain/money.ts';
import type { MarketContext } from '../contract.ts';

/** Parameters by name, each a zod type. */
export type ParameterTypes = Readonly<Record<string, z.ZodType>>;

/** The values of parameters. */
export type ParameterValues<Types extends ParameterTypes> = {
  readonly [Name in keyof Types]: z.output<Types[Name]>;
};

/** What is wrong with parameters that do not fit together, by name; nothing if they do. */
export type ParameterProblems<P> = Readonly<Partial<Record<keyof P & string, string>>>;

/** Returns the schema of a shape's own parameters and those of a strategy, which come first. */
export function schemaOf<P>(
  own: ParameterTypes,
  strategy: ParameterTypes,
  check: ((parameters: P) => ParameterProblems<P>) | undefined,
): z.ZodType<P> {
  const schema = z.strictObject({ ...own, ...strategy }).superRefine((parameters, context) => {
    for (const [name, message] of Object.entries(check?.(parameters as P) ?? {}))
      context.addIssue({ code: 'custom', path: [name], message: String(message) });
  });
  return schema as unknown as z.ZodType<P>;
}

/** Returns `size` in lots; throws RangeError if the market takes no order of it. */
export function orderSizeIn(market: MarketContext, size: string): Lots {
  const lots = market.lots(size);
  const { volumeMin, volumeMax } = market.rules;
  if (lots >= volumeMin && lots <= volumeMax) return lots;
  throw new RangeError(
    `size must be ${market.amountOf(volumeMin)} to ${market.amountOf(volumeMax)} ` +
      `${market.base}, was ${size}`,
  );
}
