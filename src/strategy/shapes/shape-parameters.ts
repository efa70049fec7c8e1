/** What the shapes share: their parameters, and the size of their orders. */
import { z } from 'zod';
import { ConfigError } from '../../domain/errors.ts';
import type { Lots } from '../../domain/money.ts';
import { nearestWord } from '../../settings/nearest-word.ts';
import type { MarketContext } from '../contract.ts';
import { keyPattern, reasonLengthMax } from '../intents/intent-members.ts';
import { describe, isPlainObject } from '../json-value.ts';
import { describedParam } from '../parameters/param.ts';

/** Parameters by name, each a zod type. */
export type ParameterTypes = Readonly<Record<string, z.ZodType>>;

/** The values of parameters. */
export type ParameterValues<Types extends ParameterTypes> = {
  readonly [Name in keyof Types]: z.output<Types[Name]>;
};

/** The parameters of a strategy: its own, and those of its shape that it does not replace. */
export type WithOwn<
  Types extends ParameterTypes,
  Own extends ParameterTypes,
> = ParameterValues<Types> & ParameterValues<Omit<Own, keyof Types>>;

/** What is wrong with parameters that do not fit together, by name; nothing if they do. */
export type ParameterProblems<P> = Readonly<Partial<Record<keyof P & string, string>>>;

/** What the values of a shape's own parameters are, which a strategy may replace. */
export type OwnKind = 'an amount' | 'a span' | 'a share';

const jsTypes = { 'an amount': 'string', 'a span': 'number', 'a share': 'number' } as const;

/**
 * Returns the schema of a shape's own parameters and those of a strategy, which replace them.
 * Throws ConfigError unless the strategy's are zod types by name.
 */
export function schemaOf<P>(
  own: ParameterTypes,
  kinds: Readonly<Record<string, OwnKind>>,
  options: {
    readonly name: string;
    readonly parameters: ParameterTypes;
    readonly check?: ((parameters: P) => ParameterProblems<P>) | undefined;
    /** Parameters that the shape reads only at the start. */
    readonly fixed?: readonly string[];
  },
): z.ZodType<P> {
  const { name, parameters: strategy, check, fixed = [] } = options;
  for (const [key, type] of Object.entries(isPlainObject(strategy) ? strategy : { '': 0 }))
    if (typeof (type as Partial<z.ZodType> | undefined)?.safeParse !== 'function')
      throw new ConfigError(
        `strategy ${JSON.stringify(name)}: parameters must be zod types by name, such as ` +
          `{ width: share }, or {} for none, ${key === '' ? `was ${describe(strategy)}` : `${key} was ${describe(type)}`}`,
      );
  for (const key of fixed)
    if (describedParam(strategy[key])?.mayChange === true)
      throw new ConfigError(
        `strategy ${JSON.stringify(name)}: ${key} cannot change while it runs: leave out mayChange`,
      );
  // The strategy's come first where they are listed.
  const types = { ...strategy, ...own, ...strategy };
  const schema = z.strictObject(types).superRefine((parameters, context) => {
    const values = parameters as Readonly<Record<string, unknown>>;
    for (const [key, kind] of Object.entries(kinds))
      if (typeof values[key] !== jsTypes[kind])
        context.addIssue({ code: 'custom', path: [key], message: `must be ${kind} in the plugin` });
    const problems = check?.(parameters as P) ?? {};
    if (!isPlainObject(problems))
      context.addIssue({
        code: 'custom',
        message: `check must return an object, was ${describe(problems)}`,
      });
    for (const [key, message] of Object.entries(problems))
      context.addIssue({ code: 'custom', path: [key], message: String(message) });
  });
  return schema as unknown as z.ZodType<P>;
}

/** Throws ConfigError if an option of a shape has a wrong name, is missing or is of no use. */
export function checkOptions(
  shape: string,
  options: object,
  known: {
    readonly required: readonly string[];
    /** Options that are checked elsewhere. */
    readonly plain: readonly string[];
    readonly functions: readonly string[];
    /** Options that are one of some words. */
    readonly others: readonly (readonly [name: string, words: readonly string[]])[];
  },
): void {
  const refuse = (problem: string): never => {
    throw new ConfigError(`${shape}: ${problem}`);
  };
  if (!isPlainObject(options)) refuse(`its argument must be an object, was ${describe(options)}`);
  const given = options as Readonly<Record<string, unknown>>;
  const names = [...known.plain, ...known.functions, ...known.others.map(([name]) => name)];
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const near = nearestWord(name, names);
    refuse(
      `${name} is unknown${near === undefined ? `; allowed: ${names.join(', ')}` : `; did you mean ${near}?`}`,
    );
  }
  for (const name of known.required) if (given[name] === undefined) refuse(`${name} is missing`);
  for (const name of known.functions)
    if (given[name] !== undefined && typeof given[name] !== 'function')
      refuse(`${name} must be a function, was ${describe(given[name])}`);
  for (const [name, words] of known.others)
    if (given[name] !== undefined && !words.includes(String(given[name])))
      refuse(`${name} must be ${words.join(' or ')}, was ${describe(given[name])}`);
}

/** Returns the parts as one reason, cut if it is too long. */
export function reasonOf(parts: readonly string[]): string {
  const text = parts.join('; ');
  return text.length <= reasonLengthMax ? text : `${text.slice(0, reasonLengthMax - 1)}…`;
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

/** Returns what is wrong with the tag of an order, which may be left out. */
export function tagProblem(tag: unknown): string | undefined {
  if (tag === undefined || (typeof tag === 'string' && keyPattern.test(tag))) return undefined;
  return `the tag is ${describe(tag)}, and must be 1 to 64 letters, digits, dots, colons, dashes or underscores`;
}
