/** Describes a parameter of a strategy and bounds its values. */
import { z } from 'zod';
import { ConfigError } from '../../domain/errors.ts';
import { Decimal, parseDecimal } from '../../domain/money.ts';

/** A parameter, for people. `In` is what the settings have: text for shares, spans and amounts. */
export type ParamOptions<In> = {
  /** A sentence: what it does. */
  readonly description: string;
  /** What a number counts, such as `candles`; a share, span or amount has its own unit. */
  readonly unit?: string;
  /** The smallest and the largest value that is allowed, as the settings would have it. */
  readonly from?: In;
  readonly to?: In;
  /** By how much it is sensibly changed, in a sweep for example. */
  readonly step?: In;
  /**
   * Whether an operator may set it while the bot runs. It needs `from` and `to`, unless its values
   * are a few words: they are what an approval of the plugin's code allows.
   */
  readonly mayChange?: boolean;
};

/** What `config explain` shows of a parameter. */
export type DescribedParam = ParamOptions<unknown> & { readonly default?: unknown };

const described = z.registry<DescribedParam>();

/**
 * Returns a parameter of this type with its description, range and default. Throws ConfigError for
 * a bound or a default that is no value of the type.
 */
export function param<Out, In>(
  type: z.ZodType<Out, In>,
  options: ParamOptions<In> & { readonly default: In },
): z.ZodType<Out, In | undefined>;
export function param<Out, In>(
  type: z.ZodType<Out, In>,
  options: ParamOptions<In>,
): z.ZodType<Out, In>;
export function param<Out, In>(
  type: z.ZodType<Out, In>,
  options: ParamOptions<In> & { readonly default?: In },
): z.ZodType<Out, In | undefined> {
  const { from, to, default: usual, mayChange } = options;
  if (mayChange === true && !hasFewValues(type) && (from === undefined || to === undefined))
    throw new ConfigError(
      'param: mayChange needs from and to: they are what an operator may set while a bot runs',
    );
  const [least, most] = [boundOf(type, 'from', from), boundOf(type, 'to', to)];
  const range = rangeText(from, to);
  const bounded = type.refine((value) => isWithin(value, least, most), {
    error: `must be ${range}`,
  });
  if (usual === undefined) return bounded.register(described, options);
  const checked = bounded.safeParse(usual);
  if (!checked.success)
    throw new ConfigError(`param: default: ${checked.error.issues[0]?.message ?? ''}`);
  return bounded.default(checked.data as never).register(described, options);
}

/** Returns what was said of a parameter; undefined if {@link param} did not make the type. */
export function describedParam(type: z.ZodType | undefined): DescribedParam | undefined {
  return type === undefined ? undefined : described.get(type);
}

/** Returns the descriptions of a plugin's parameters by name; undefined without one. */
export function paramsOf(
  schema: z.ZodType,
): readonly (readonly [name: string, about: DescribedParam | undefined])[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, type]) => {
    const about = described.get(type);
    const usual = about === undefined ? defaultOf(type) : undefined;
    return [name, usual === undefined ? about : { description: '', default: usual }];
  });
}

/** Returns the default of a plain zod type. */
function defaultOf(type: z.ZodType): unknown {
  try {
    return type.safeParse(undefined).data;
  } catch {
    // A check of the plugin that does not expect a missing value.
    return undefined;
  }
}

/** Returns the range that a parameter may have, in words. */
export function rangeText(from: unknown, to: unknown): string {
  if (from === undefined) return to === undefined ? 'any' : `at most ${String(to)}`;
  return to === undefined ? `at least ${String(from)}` : `from ${String(from)} to ${String(to)}`;
}

/** Whether the type itself names every value. */
function hasFewValues(type: z.ZodType): boolean {
  return type instanceof z.ZodBoolean || type instanceof z.ZodEnum || type instanceof z.ZodLiteral;
}

function boundOf<Out, In>(type: z.ZodType<Out, In>, name: string, bound: In | undefined) {
  if (bound === undefined) return undefined;
  const parsed = type.safeParse(bound);
  const value = parsed.success ? numberOf(parsed.data) : undefined;
  if (value !== undefined) return value;
  throw new ConfigError(
    `param: ${name} must be a value of the parameter's type that can be compared, was ${String(bound)}`,
  );
}

function isWithin(value: unknown, least: Decimal | undefined, most: Decimal | undefined): boolean {
  if (least === undefined && most === undefined) return true;
  const number = numberOf(value);
  if (number === undefined) return false;
  return !(least?.greaterThan(number) ?? false) && !(most?.lessThan(number) ?? false);
}

/** Amounts are decimal text, shares and spans numbers. */
function numberOf(value: unknown): Decimal | undefined {
  if (Decimal.isDecimal(value)) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return new Decimal(value);
  return typeof value === 'string' ? parseDecimal(value) : undefined;
}
