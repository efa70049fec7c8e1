/**
 * Values for parameters of a running strategy as an operator writes them: `halfSpread=30bps`. What
 * they mean is for the plugin's schema.
 */
import { ConfigError } from './errors.ts';

/** Values for parameters of a running strategy, by name, as text. */
export type ParameterTexts = Readonly<Record<string, string>>;

/** Of one command that sets them. */
export const parameterValuesMax = 20;
export const parameterTextMax = 100;
const parameterName = /^[\p{L}\p{N}_-]{1,64}$/u;

/** Parses words such as `halfSpread=30bps`. Throws ConfigError. */
export function parseParameterTexts(words: readonly string[]): ParameterTexts {
  const texts = new Map<string, string>();
  for (const word of words) {
    const [, name = '', text = ''] = /^(?<name>[^=]+)=(?<value>.*)$/su.exec(word) ?? [];
    if (name === '' || text === '')
      throw new ConfigError(
        `a value must be a parameter with its value, such as halfSpread=30bps, was ${shownText(word)}`,
      );
    if (texts.has(name)) throw new ConfigError(`${shownText(name)} is given twice`);
    texts.set(name, text);
  }
  const values = Object.fromEntries(texts);
  const problem = parameterTextsProblem(values);
  if (problem !== undefined) throw new ConfigError(problem);
  return values;
}

/** Returns what is wrong with values for parameters, before anything is known of these. */
export function parameterTextsProblem(values: unknown): string | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return 'values must be an object of texts by name';
  const entries = Object.entries(values as Readonly<Record<string, unknown>>);
  if (entries.length === 0 || entries.length > parameterValuesMax)
    return `there must be 1 to ${parameterValuesMax} values, such as halfSpread=30bps, there are ${entries.length}`;
  for (const [name, text] of entries) {
    if (!parameterName.test(name))
      return `the name of a parameter must be at most 64 letters, digits, dashes and underscores, was ${shownText(name)}`;
    if (typeof text !== 'string' || !/^\P{Cc}+$/u.test(text) || text.length > parameterTextMax)
      return `${name} must be one line of 1 to ${parameterTextMax} characters, was ${shownText(text)}`;
  }
  return undefined;
}

function shownText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}… (${text.length} characters)`;
}
