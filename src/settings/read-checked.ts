/**
 * Reads a whole settings file and throws one error with everything that is wrong.
 *
 * Invariant: a suggestion is shown only if it works. It is put into a copy of the file, and the
 * copy must have no problem at that place.
 */
import { ConfigError } from '../domain/errors.ts';
import { pathText, Reader, type ReportedProblem } from './field.ts';
import { configErrorOf, type Problem } from './problem.ts';
import type { SettingsSource } from './settings-source.ts';

/** Each try reads the file again, so only the first suggestions of a file are tried and shown. */
const triesMax = 50;

/** Returns what `read` returns. Throws ConfigError if there are problems of form or content. */
export function readChecked<T>(source: SettingsSource, read: (reader: Reader) => T): T {
  const reader = new Reader(source);
  const value = read(reader);
  const { problems } = reader;
  const { formProblems } = source;
  if (problems.length === 0 && formProblems.length === 0) return value;
  let tries = 0;
  const tried = problems.map((problem): Problem => {
    if (problem.suggestion === undefined) return problem;
    tries += 1;
    const isGood = tries <= triesMax && isCured(source, problem, { problems, read });
    return isGood ? problem : { ...problem, suggestion: undefined };
  });
  throw configErrorOf(source.file, [...formProblems, ...tried]);
}

function isCured(
  source: SettingsSource,
  { keys, isAtKey, suggestion = '' }: ReportedProblem,
  before: {
    readonly problems: readonly ReportedProblem[];
    readonly read: (reader: Reader) => unknown;
  },
): boolean {
  const copy = editedCopy(source, { keys, isAtKey, text: suggestion });
  if (copy === undefined) return false;
  const reader = new Reader(copy);
  before.read(reader);
  if (isAtKey) {
    // Problems of the value under the corrected key do not count.
    const path = pathText([...keys.slice(0, -1), suggestion]);
    const ofKeys = reader.problems.filter((problem) => problem.isAtKey);
    return ![...copy.formProblems, ...ofKeys].some((problem) => problem.path === path);
  }
  // A list item may also conflict with another item, so the whole list must have no new problem.
  const index = keys.findIndex((key) => typeof key === 'number');
  const place = pathText(index < 0 ? keys : keys.slice(0, index));
  const textOf = (problem: Problem): string => `${problem.path}: ${problem.message}`;
  const known = new Set(before.problems.map(textOf));
  return !reader.problems.some(
    (problem) =>
      problem.path === pathText(keys) ||
      (isBelow(problem.path, place) && !known.has(textOf(problem))),
  );
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

function editedCopy(
  source: SettingsSource,
  edit: Parameters<SettingsSource['edited']>[0],
): SettingsSource | undefined {
  try {
    return source.edited(edit);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
