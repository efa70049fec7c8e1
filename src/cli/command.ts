/**
 * What the verbs of the command line share: how one is declared, how its options are read, and how
 * it ends with its exit code.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseSpanMs } from '../domain/unit-text.ts';
import { exitCodeOf } from '../terminal/exit-code.ts';
import { Output } from '../terminal/output.ts';
import { packageRoot } from '../terminal/package-root.ts';
import { userPath } from './user-path.ts';

/** Options that every verb has. */
export type Common = { readonly home: string; readonly json: boolean };

/** Declares a verb: its usage, as `name <needed> [optional]`, and one line about it. */
export type DeclareVerb = (usage: string, description: string) => Command;

/** Returns how verbs of `program` are declared. */
export function verbsOf(program: Command): DeclareVerb {
  return (usage, description) =>
    program
      .command(usage)
      .description(description)
      .option(
        '--home <dir>',
        'where state is kept',
        place('folder'),
        resolve(packageRoot, '.millrace'),
      )
      .option('--json', 'one JSON object on the last line of standard output', false);
}

/** Runs a verb and ends the process with its exit code, after everything is written. */
export async function finish(
  isJson: boolean,
  verb: (output: Output) => Promise<number>,
): Promise<void> {
  const out = new Output({ isJson, stdout: process.stdout, stderr: process.stderr });
  try {
    process.exitCode = await verb(out);
  } catch (error) {
    out.problem(error);
    process.exitCode = exitCodeOf(error);
  }
  const lost = await out.lost();
  if (lost === undefined) return;
  out.problem(lost);
  // A code that says more than that something failed stays.
  process.exitCode ||= exitCodeOf(lost);
}

/** Returns the home that was asked for; else the state lies beside the configured database. */
export function homeAskedFor(command: Command): string | undefined {
  const isSaid = command.getOptionValueSource('home') === 'cli';
  return isSaid ? resolve(command.getOptionValue('home')) : undefined;
}

/**
 * Returns the path of a bot's settings. It is meant from the current folder, as every path of a
 * command line; what is not there is looked for in Millrace's own, where the demo's are.
 */
export function settingsPath(path: string): string {
  const meant = userPath(path);
  const here = resolve(meant);
  return process.cwd() !== packageRoot && existsSync(here) ? here : meant;
}

/** Reads a path. An empty one, of a variable that is not set, would mean the current folder. */
export function place(
  kind: 'file' | 'folder',
  use: 'read' | 'written' = 'read',
): (text: string) => string {
  return (text) => {
    if (text.trim() === '')
      throw new InvalidArgumentError(`must name a ${kind}, was ${JSON.stringify(text)}`);
    return userPath(text, use);
  };
}

/** Reads why something is done. It is stored, and an empty one would tell nobody anything. */
export function why(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('must say why');
  return text;
}

/** Reads a span like "60s", in milliseconds. */
export function span(text: string): number {
  const ms = parseSpanMs(text);
  if (ms === undefined || ms <= 0)
    throw new InvalidArgumentError('must be a span with its unit, like "60s" or "5m"');
  return ms;
}

/** Reads a port number. */
export function port(text: string): number {
  if (!/^\d{1,5}$/u.test(text) || Number.parseInt(text, 10) > 65_535)
    throw new InvalidArgumentError('must be 0 to 65535; 0 takes any free port');
  return Number.parseInt(text, 10);
}

/** Reads how many times faster than history. */
export function speed(text: string): number {
  const value = /^\d{1,6}$/u.test(text) ? Number.parseInt(text, 10) : 0;
  if (value < 1) throw new InvalidArgumentError('must be a whole number of 1 or more');
  return value;
}

/** Returns the option that sets the level of the log file. */
export function logLevel(): Option {
  return new Option('--log <level>', 'of the log file in the home folder')
    .choices(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info');
}
