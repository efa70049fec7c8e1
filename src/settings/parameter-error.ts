/**
 * Turns what a plugin's own schema says about its parameters into the same kind of error as every
 * other setting: file, line, column, key, value and what is allowed.
 */

import type { z } from 'zod';
import type { ConfigError } from '../domain/errors.ts';
import { pathText } from './field.ts';
import { nearestWord } from './nearest-word.ts';
import { configErrorOf, type Problem, shown } from './problem.ts';
import type { KeyPath, SettingsSource } from './settings-source.ts';

/**
 * Returns the error for `issues`, whose paths are relative to `at`, as in
 * `['strategies', id, 'parameters']`. `keys` are the schema's own, for "did you mean".
 */
export function parameterErrorOf(
  source: SettingsSource,
  issues: readonly z.core.$ZodIssue[],
  { at, keys = [] }: { readonly at: KeyPath; readonly keys?: readonly string[] },
): ConfigError {
  const problems = issues.flatMap((issue): Problem[] => {
    const path = [...at, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((name) => ({
        ...source.locateKey([...path, name]),
        path: pathText([...path, name]),
        message: 'is unknown',
        allowed: keys.join(', '),
        suggestion: nearestWord(name, keys),
      }));
    }
    const value = source.valueAt(path);
    return [
      {
        ...source.locate(path),
        path: pathText(path),
        message: value === undefined ? 'is missing' : `was ${shownValue(value)}`,
        allowed: allowedOf(issue),
        suggestion:
          typeof value === 'number' && isTextWanted(issue) ? `"${value}" in quotes` : undefined,
      },
    ];
  });
  return configErrorOf(source.file, problems);
}

function isTextWanted(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.expected === 'string';
}

/** The value is told beside it, so it is not said twice, nor what zod says of it by itself. */
function allowedOf({ code, message }: z.core.$ZodIssue): string {
  const own = code === 'invalid_type' ? message.replace(/^Invalid input: expected /u, '') : message;
  return own.replace(/^must be /u, '').replace(/, (?:was ".*"|received [^,]+)$/su, '');
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a map' : shown(value);
}
