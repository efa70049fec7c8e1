/**
 * Tries every fix that the settings' error messages suggest. Each file with a mistake is read, each
 * suggestion of its message is put where the message points, and the file is read again.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isScalar, isSeq, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../../src/domain/errors.ts';
import { amount, exactShare, share, span } from '../../src/index.ts';
import type { Field } from '../../src/settings/field.ts';
import { botSettingsOf, type LoadedBotSettings } from '../../src/settings/load-bot-settings.ts';
import { loadEgressCaps } from '../../src/settings/load-egress.ts';
import { loadScenario, scenarioField } from '../../src/settings/load-scenario.ts';
import { loadVenue, readVenue } from '../../src/settings/load-venue.ts';
import { parameterErrorOf } from '../../src/settings/parameter-error.ts';
import { settingsFields } from '../../src/settings/settings-keys.ts';
import { readSettings } from '../../src/settings/settings-source.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import { parseParameters } from '../../src/strategy/parameters/fit-strategy.ts';
import { UnfitParametersError } from '../../src/strategy/unfit-parameters-error.ts';
import simpleMm from '../../strategies/simple-mm/strategy.ts';
import { missingKeys } from './missing-keys.ts';
import { workspace } from './package-root.ts';
import { fileMistakes, rangeOf, replaced, settingsMistakes } from './settings-mistakes.ts';

export type SuggestedFixes = {
  readonly suggestionsTried: number;
  /** Each with its file, its mistake, the suggestion and what is wrong afterwards. */
  readonly badSuggestions: readonly string[];
  /** Declared keys that no file contains, so that none of their mistakes was made. */
  readonly keysNotTried: readonly string[];
};

/** Reads the file at a path; throws ConfigError if it is not valid. */
type Load = (path: string) => unknown;

const fixtures = join(import.meta.dirname, '../fixtures/settings');

const everyKind = {
  name: 'every-kind',
  parameters: z.strictObject({
    distance: share,
    exact: exactShare,
    size: amount,
    refresh: span,
    closes: z.int().min(1).max(1_000),
    factor: z.number().positive(),
    side: z.enum(['BID', 'ASK']),
    label: z.string().max(20),
    isQuoted: z.boolean(),
  }),
} as unknown as AnyStrategy;

const plugins = new Map(
  [everyKind, simpleMm as AnyStrategy].map((plugin) => [plugin.name, plugin]),
);

/** Reads a bot's file as a start does: its keys, then each plugin's parameters. */
function loadBot(path: string): void {
  const settings = botSettingsOf(readSettings(path), { workspace });
  for (const { id, plugin, parameters } of settings.strategies)
    checkParameters(settings, { id, plugin, parameters });
}

function checkParameters(
  { source }: LoadedBotSettings,
  {
    id,
    plugin,
    parameters,
  }: Pick<LoadedBotSettings['strategies'][number], 'id' | 'plugin' | 'parameters'>,
): void {
  const strategy = plugins.get(plugin);
  if (strategy === undefined) return;
  try {
    parseParameters(strategy, parameters, id);
  } catch (error) {
    if (!(error instanceof UnfitParametersError)) throw error;
    const at = ['strategies', id, 'parameters'];
    throw parameterErrorOf(source, error.issues, { at, schema: error });
  }
}

const { bot, egress, venue } = settingsFields;

const files: readonly (readonly [file: string, load: Load, field: Field<unknown>])[] = [
  ['bot.yaml', loadBot, bot],
  ['bot-limits.yaml', loadBot, bot],
  ['parameters.yaml', loadBot, bot],
  ['egress.yaml', loadEgressCaps, egress],
  ['venue.yaml', readVenue, venue],
  ['scenario-orders.yaml', loadScenario, scenarioField],
  ['scenario-coarse.yaml', loadScenario, scenarioField],
  ['scenario-several.yaml', loadScenario, scenarioField],
];

/**
 * Tries the suggestions for every mistake in every file. For a test of the check itself, `worded`
 * changes the messages to plant a bad suggestion, and `only` limits the files.
 */
export function suggestedFixes({
  worded = String,
  only,
}: {
  readonly worded?: (message: string) => string;
  readonly only?: string;
} = {}): SuggestedFixes {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-fixes-'));
  const badSuggestions: string[] = [];
  let suggestionsTried = 0;
  const inFolder = (name: string) => join(folder, name);
  /** Returns the lines of the error for `text`; none if it is accepted. */
  const problemsOf = (file: string, load: Load, text: string): readonly string[] => {
    writeFileSync(inFolder(file), text);
    return problemsIn(() => load(inFolder(file)), worded);
  };
  try {
    for (const file of ['bot.yaml', 'egress.yaml'])
      writeFileSync(inFolder(file), readFileSync(join(fixtures, file)));
    for (const [file, load] of files.filter(([file]) => only === undefined || file === only)) {
      const right = readFileSync(join(fixtures, file), 'utf8');
      const before = problemsOf(file, load, right);
      if (before.length > 0) throw new Error(`${file} must be valid: ${before.join('; ')}`);
      const read = (text: string) => problemsOf(file, load, text);
      for (const { name, text } of [...settingsMistakes(right), ...fileMistakes(right)])
        for (const [problem, before] of problemsWithAll(read(text))) {
          const wrong = tryFix({ problem, before, text, read });
          if (wrong === undefined) continue;
          suggestionsTried += 1;
          if (wrong !== 'nothing')
            badSuggestions.push(`${file}: ${name}: ${problem}: then ${wrong}`);
        }
      writeFileSync(inFolder(file), right);
    }
    writeFileSync(inFolder('simulator.yaml'), readFileSync(join(fixtures, 'venue.yaml')));
    for (const name of ['simulatr', 'Simulator', 'simulaotr']) {
      const [problem = ''] = problemsIn(() => loadVenue(name, [folder]), worded);
      const fix = suggestionIn(problem);
      if (fix === undefined) continue;
      suggestionsTried += 1;
      const [after] = problemsIn(() => loadVenue(fix, [folder]), worded);
      if (after !== undefined) badSuggestions.push(`venue ${name}: ${problem}: then ${after}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { suggestionsTried, badSuggestions, keysNotTried: keysNotTried() };
}

function problemsIn(load: () => unknown, worded: (message: string) => string): readonly string[] {
  try {
    load();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map(worded);
  }
}

function suggestionIn(problem: string): string | undefined {
  const at = problem.lastIndexOf('; try: ');
  return at < 0 ? undefined : problem.slice(at + '; try: '.length);
}

function problemsWithAll(
  problems: readonly string[],
): readonly (readonly [problem: string, all: readonly string[]])[] {
  return problems.map((problem) => [problem, problems]);
}

type Attempt = {
  readonly problem: string;
  /** All problems of the text. */
  readonly before: readonly string[];
  readonly text: string;
  readonly read: (text: string) => readonly string[];
};

/** Returns what is wrong after the fix, `nothing`, or undefined if the problem suggests no fix. */
function tryFix({ problem, before, text, read }: Attempt): string | undefined {
  const [line, column] = placeIn(problem);
  if (problem.includes('allowed: one document: delete this line and everything after it')) {
    const cut = text
      .split('\n')
      .slice(0, line - 1)
      .join('\n');
    return read(`${cut}\n`)[0] ?? 'nothing';
  }
  if (problem.includes('is indented with a tab; allowed: spaces')) {
    const spaced = text
      .split('\n')
      .map((one, i) => (i === line - 1 ? one.replaceAll('\t', '  ') : one));
    return read(spaced.join('\n'))[0] ?? 'nothing';
  }
  if (problem.includes('allowed: each key once: delete one')) {
    const lines = text.split('\n').filter((_, i) => i !== line - 1);
    // Only the mistakes that repeat a whole line can be undone by deleting the line.
    return isDoubled(text, line) ? (read(lines.join('\n'))[0] ?? 'nothing') : undefined;
  }
  const fix = suggestionIn(problem);
  if (fix === undefined) return undefined;
  const [from, to] = rangeAt(text, { line, column });
  const known = new Set(before.map(withoutPlace));
  const after = read(replaced(text, from, to, fix));
  const end = column + fix.length;
  const bad = after.find((other) => {
    const [otherLine, otherColumn] = placeIn(other);
    const isInFix = otherLine === line && otherColumn >= column && otherColumn < end;
    const isTwice = /is given twice|each value once/u.test(other);
    return isInFix ? !isValueOfKey(problem, other) : isTwice && !known.has(withoutPlace(other));
  });
  return bad ?? 'nothing';
}

/** A map lacks something at the place of its key: that is not the fault of the corrected key. */
function isValueOfKey(problem: string, other: string): boolean {
  return /: (?:is unknown|is not a valid name)/u.test(problem) && / lacks /u.test(other);
}

function withoutPlace(problem: string): string {
  return problem.replace(/^.*?:\d+:\d+: /u, '');
}

function isDoubled(text: string, line: number): boolean {
  const lines = text.split('\n');
  return lines[line - 1] === lines[line - 2];
}

function placeIn(problem: string): readonly [line: number, column: number] {
  const [, line = '', column = ''] = /^\S+?:(\d+):(\d+): /u.exec(problem) ?? [];
  return [Number(line), Number(column)];
}

/** Returns the range of the key or value that begins at a place. */
function rangeAt(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): readonly [from: number, to: number] {
  const lines = text.split('\n').slice(0, line - 1);
  const offset = lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  let range: readonly [number, number] | undefined;
  visit(parseDocument(text, { stringKeys: true }), {
    Node: (_, node) => {
      if (!isScalar(node) && !isSeq(node)) return undefined;
      if (rangeOf(node)[0] !== offset) return undefined;
      range = rangeOf(node);
      return visit.BREAK;
    },
  });
  if (range === undefined) throw new Error(`nothing begins at ${line}:${column}`);
  return range;
}

/** Returns the declared keys that are in none of the files. */
function keysNotTried(): readonly string[] {
  return [...new Set(files.map(([, , field]) => field))].flatMap((field) => {
    const lists = files
      .filter(([, , declared]) => declared === field)
      .map(([file]) => missingKeys(field, readSettings(join(fixtures, file)).valueAt([])));
    const [first = [], ...others] = lists;
    const missing = first.filter((key) => others.every((list) => list.includes(key)));
    // A scenario's strategies and limits have the declarations of a bot's.
    const isOfBot = /^(?:strategies|limits)\./u;
    return field === scenarioField ? missing.filter((key) => !isOfBot.test(key)) : missing;
  });
}
