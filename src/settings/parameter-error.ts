/**
 * Turns the issues that a plugin's schema finds in its parameters into the same kind of error as
 * every other setting: file, line, column, key, value and what is allowed.
 *
 * Invariant: a suggested value is one that the schema accepts.
 */

import { isScalar } from 'yaml';
import type { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';
import { isQuoted, pathText, sourceOf } from './field.ts';
import { likelyShare, likelySpan } from './likely-value.ts';
import { nearestWord } from './nearest-word.ts';
import { configErrorOf, type Problem, shown } from './problem.ts';
import type { KeyPath, SettingsSource } from './settings-source.ts';

type Issue = z.core.$ZodIssue;

export type ParameterSchema = {
  /** The names of its parameters, for suggestions. */
  readonly keys: readonly string[];
  /** Returns what the schema finds wrong with other parameters. */
  readonly issuesOf: (parameters: unknown) => readonly Issue[];
};

/**
 * Returns the error for `issues`, whose paths are relative to `at`, as in
 * `['strategies', id, 'parameters']`.
 */
export function parameterErrorOf(
  source: SettingsSource,
  issues: readonly Issue[],
  { at, schema }: { readonly at: KeyPath; readonly schema: ParameterSchema },
): ConfigError {
  const problems = issues.flatMap((issue): Problem[] => {
    const own = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    const path = [...at, ...own];
    if (issue.code === 'unrecognized_keys') {
      const keys = own.length === 0 ? schema.keys : [];
      const free = keys.filter((key) => !source.has([...at, key]));
      return issue.keys.map((name) => ({
        ...source.locateKey([...path, name]),
        path: pathText([...path, name]),
        message: 'is unknown',
        allowed: keys.join(', '),
        suggestion: nearestWord(name, free),
      }));
    }
    const isMissing = !source.has(path);
    if (issue.code === 'custom' && !/^must be /u.test(issue.message)) {
      const value = isMissing ? '' : `was ${shownValue(source.valueAt(path))}: `;
      const message = `${value}${issue.message}`;
      return [{ ...source.locate(path), path: pathText(path), message, allowed: '' }];
    }
    return [
      {
        ...source.locate(path),
        path: pathText(path),
        message: isMissing ? 'is missing' : `was ${shownValue(source.valueAt(path))}`,
        allowed: allowedOf(issue),
        suggestion: isMissing ? undefined : suggestionFor(source, issue, { at, own, schema }),
      },
    ];
  });
  return configErrorOf(source.file, problems);
}

/** Returns the first likely value that the schema accepts in the place of the wrong one. */
function suggestionFor(
  source: SettingsSource,
  issue: Issue,
  { at, own, schema }: { at: KeyPath; own: KeyPath; schema: ParameterSchema },
): string | undefined {
  const node = source.nodeAt([...at, ...own]);
  if (!isScalar(node)) return undefined;
  const text = sourceOf(node);
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const near = nearestWord(text, choices);
  // Only tried against the plugin's schema, not money.
  const number = isQuoted(node) && text !== '' ? Number(text) : Number.NaN;
  const candidates: readonly (string | number | undefined)[] = [
    Number.isFinite(number) ? number : undefined,
    ...[near, text, likelySpan(text, 's'), likelyShare(text, undefined)],
  ];
  const accepted = candidates.find((candidate) => {
    if (candidate === undefined || candidate === node.value) return false;
    const issues = issuesOf(schema, withValue(source.valueAt(at), own, candidate));
    return issues?.every(({ path }) => own.some((key, i) => key !== path[i])) === true;
  });
  return accepted === undefined ? undefined : JSON.stringify(accepted);
}

/** Returns undefined if the plugin's schema throws. */
function issuesOf(schema: ParameterSchema, parameters: unknown): readonly Issue[] | undefined {
  try {
    return schema.issuesOf(parameters);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function withValue(value: unknown, path: KeyPath, text: string | number): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return text;
  if (Array.isArray(value))
    return value.map((item, i) => (i === first ? withValue(item, rest, text) : item));
  const map = (typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>;
  return { ...map, [first]: withValue(map[first], rest, text) };
}

/** Removes from a schema's message what our own message already says: the value. */
function allowedOf({ code, message }: Issue): string {
  const own = code === 'invalid_type' ? message.replace(/^Invalid input: expected /u, '') : message;
  return own.replace(/^must be /u, '').replace(/, (?:was ".*"|received [^,]+)$/su, '');
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a map' : shown(value);
}
