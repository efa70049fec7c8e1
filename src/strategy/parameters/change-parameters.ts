/**
 * Changes parameters of a strategy that runs: texts of an operator become the values that the
 * plugin's schema accepts.
 *
 * Invariant: either all of them hold, together with those that stay, or nothing changes and a
 * ConfigError says why.
 */
import { z } from 'zod';
import { ConfigError } from '../../domain/errors.ts';
import type { ParameterTexts } from '../../domain/parameter-texts.ts';
import { durationText } from '../../domain/unit-text.ts';
import { likelyShare, likelySpan } from '../../settings/likely-value.ts';
import { nearestWord } from '../../settings/nearest-word.ts';
import type { AnyStrategy } from '../contract.ts';
import type { WarmUp } from '../needs.ts';
import { UnfitParametersError } from '../unfit-parameters-error.ts';
import { callHook, type FitSettings, type FittedStrategy, fitStrategy } from './fit-strategy.ts';
import { type DescribedParam, paramsOf, rangeText } from './param.ts';

/** What a parameter was and is, as the settings would have it. */
export type ParameterChange = { readonly name: string; readonly was: string; readonly is: string };

export type ChangedParameters = {
  readonly fitted: FittedStrategy;
  /** All parameters that are given, as the settings would have them. */
  readonly given: FitSettings['parameters'];
  /** Those that differ from before. */
  readonly changes: readonly ParameterChange[];
};

const shownMax = 100;

/**
 * Returns the parameters with `texts` in the place of those in `settings`, which hold now. Throws
 * ConfigError.
 */
export function changeParameters(
  strategy: AnyStrategy,
  settings: FitSettings,
  texts: ParameterTexts,
): ChangedParameters {
  const known = new Map(paramsOf(strategy.parameters));
  const { id, parameters: before } = settings;
  const problems: string[] = [];
  const values = new Map<string, unknown>();
  for (const [name, text] of Object.entries(texts)) {
    const about = known.get(name);
    if (about?.mayChange !== true) {
      problems.push(notChangeable(id, name, known));
      continue;
    }
    const found = meaningOf(strategy, name, about, text);
    if ('problem' in found) problems.push(`${name} was ${JSON.stringify(text)}: ${found.problem}`);
    else values.set(name, found.value);
  }
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  const given = { ...before, ...Object.fromEntries(values) };
  const fitted = fit(strategy, { ...settings, parameters: given });
  checkWarmUp(fitStrategy(strategy, settings).warmUp, fitted.warmUp);
  const changes = [...values].flatMap(([name, value]): ParameterChange[] => {
    const was = shownParameter(before[name] ?? known.get(name)?.default);
    const is = shownParameter(value);
    return was === is ? [] : [{ name, was, is }];
  });
  return { fitted, given, changes };
}

/** Returns a parameter as people see it. */
export function shownParameter(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not given');
  return text.length <= shownMax ? text : `${text.slice(0, shownMax - 1)}…`;
}

function notChangeable(
  id: string,
  name: string,
  known: ReadonlyMap<string, DescribedParam | undefined>,
): string {
  const names = [...known.keys()];
  if (!known.has(name)) {
    const near = nearestWord(name, names);
    const all = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    return `${id} has no parameter ${name}; ${near === undefined ? all : `did you mean ${near}?`}`;
  }
  const others = names.filter((one) => known.get(one)?.mayChange === true);
  const which = others.length === 0 ? 'none can' : `${others.join(', ')} can`;
  return `${name} of ${id} cannot change while the bot runs (${which}): change it in the settings file and restart the bot`;
}

/** Returns what a text means for a parameter: text as it is, a number, or true or false. */
function meaningOf(
  strategy: AnyStrategy,
  name: string,
  about: DescribedParam,
  text: string,
): { readonly value: unknown } | { readonly problem: string } {
  const type = typeOf(strategy, name);
  const check = (value: unknown) => callHook(strategy, 'parameters', () => type.safeParse(value));
  const meanings = [text, ...otherMeanings(text)];
  const accepted = meanings.find((value) => check(value).success);
  if (accepted !== undefined) return { value: accepted };
  const issues = meanings.map((value) => check(value).error?.issues[0]);
  // A number for a type that takes text, or text for one that takes numbers, says little.
  const issue = issues.find((one) => one?.code !== 'invalid_type') ?? issues.at(-1);
  const choices = issue?.code === 'invalid_value' ? issue.values.map(String) : [];
  const likely = [nearestWord(text, choices), likelySpan(text, 's'), likelyShare(text, 'bps')];
  const meant = likely.find((one) => one !== undefined && check(one).success);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { problem: `${allowedOf(issue?.message ?? '', about)}${hint}` };
}

function otherMeanings(text: string): readonly (number | boolean)[] {
  // A parameter that is a plain number, not money.
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/u.test(text)) return [Number(text)];
  return text === 'true' || text === 'false' ? [text === 'true'] : [];
}

function typeOf({ parameters }: AnyStrategy, name: string): z.ZodType {
  const shape: Readonly<Record<string, z.ZodType>> =
    parameters instanceof z.ZodObject ? parameters.shape : {};
  return shape[name] ?? z.never();
}

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** Returns what a schema's message says of allowed values, with the range. */
function allowedOf(message: string, { from, to }: DescribedParam): string {
  const [, kind] =
    /^Invalid (?:input|option): expected (.*?)(?:, received \w+)?$/u.exec(message) ?? [];
  if (kind === undefined) return message.replace(/, was ".*"$/su, '');
  const range = rangeText(from, to);
  return `must be ${kinds[kind] ?? kind}${range === 'any' ? '' : ` ${range}`}`;
}

/** As {@link fitStrategy}, in words for someone who has not written the settings. */
function fit(strategy: AnyStrategy, settings: FitSettings): FittedStrategy {
  try {
    return fitStrategy(strategy, settings);
  } catch (error) {
    if (!(error instanceof UnfitParametersError)) throw error;
    const texts = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
    throw new ConfigError(`the values do not fit together: ${texts.join('; ')}`, { cause: error });
  }
}

/** The candles before the start were fetched once. */
function checkWarmUp(before: WarmUp | undefined, after: WarmUp | undefined): void {
  if (before?.candles === after?.candles && before?.intervalMs === after?.intervalMs) return;
  throw new ConfigError(
    `with these values the strategy would need ${warmUpText(after)} from before its start instead of ` +
      `${warmUpText(before)}: change them in the settings file and restart the bot`,
  );
}

function warmUpText(warmUp: WarmUp | undefined): string {
  if (warmUp === undefined) return 'no candles';
  return `${warmUp.candles} candles of ${durationText(warmUp.intervalMs)}`;
}
