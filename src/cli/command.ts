/** Declares and runs the subcommands, and parses the options that several of them share. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseSpanMs } from '../domain/unit-text.ts';
import { printConsoleTo } from '../terminal/console-output.ts';
import { exitCodeOf } from '../terminal/exit-code.ts';
import { Output } from '../terminal/output.ts';
import { packageRoot } from '../terminal/package-root.ts';
import { userPath } from './user-path.ts';

/** The options of every command. */
export type CommonOptions = { readonly home: string; readonly json: boolean };

/**
 * Declares a command by its usage, as `name <required> [optional]`, and a one-line description.
 * `homeText` describes the default of `--home`, if it is not `.millrace`.
 */
export type DeclareCommand = (usage: string, description: string, homeText?: string) => Command;

/** The `homeText` of commands that use the state of one bot. */
export const botHomeText = "the folder of the bot's `store`";

/** Returns a function that declares commands of `program`. */
export function commandDeclarer(program: Command): DeclareCommand {
  return (usage, description, homeText) =>
    program
      .command(usage)
      .description(description)
      .addOption(
        new Option('--home <dir>', 'folder for databases, journals, logs and captures')
          .argParser(pathParser('folder'))
          .default(resolve(packageRoot, '.millrace'), homeText),
      )
      .option('--json', 'print one JSON object as the last line of standard output', false);
}

/** Runs a command and sets the exit code of the process, after all output is written. */
export async function runCommand(
  isJson: boolean,
  run: (output: Output) => Promise<number>,
): Promise<void> {
  const out = new Output({ isJson, stdout: process.stdout, stderr: process.stderr });
  const endPrinted = printConsoleTo(out);
  try {
    process.exitCode = await run(out);
  } catch (error) {
    out.problem(error);
    process.exitCode = exitCodeOf(error);
  }
  endPrinted();
  const failure = await out.resultFailure();
  if (failure === undefined) return;
  out.problem(failure);
  // Keeps an exit code that is more specific than a general failure.
  process.exitCode ||= exitCodeOf(failure);
}

/** Returns the value of `--home` if it was given; otherwise the configured database decides. */
export function requestedHome(command: Command): string | undefined {
  const isGiven = command.getOptionValueSource('home') === 'cli';
  return isGiven ? resolve(command.getOptionValue('home')) : undefined;
}

/**
 * Returns the path of a bot's settings. It is relative to the user's folder, as every path on a
 * command line. If no such file exists, it is relative to Millrace's folder, which has the demo's.
 */
export function settingsPath(path: string): string {
  const given = userPath(path);
  const absolute = resolve(given);
  return process.cwd() !== packageRoot && existsSync(absolute) ? absolute : given;
}

/** Parses a path. An empty one, often an unset variable, would mean the current folder. */
export function pathParser(
  kind: 'file' | 'folder',
  use: 'read' | 'written' = 'read',
): (text: string) => string {
  return (text) => {
    if (text.trim() === '')
      throw new InvalidArgumentError(`must name a ${kind}, was ${JSON.stringify(text)}`);
    return userPath(text, use);
  };
}

/** Parses a reason. It is stored, so it must not be empty. */
export function parseReason(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('must not be empty: say why');
  return text;
}

/** Parses a duration like "60s"; returns milliseconds, above 0. */
export function parseDuration(text: string): number {
  const ms = parseSpanMs(text);
  if (ms === undefined || ms <= 0)
    throw new InvalidArgumentError('must be a duration with its unit, like "60s" or "5m"');
  return ms;
}

/** Parses a port number, 0 to 65535. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/u.test(text) || Number.parseInt(text, 10) > 65_535)
    throw new InvalidArgumentError('must be 0 to 65535; 0 picks any free port');
  return Number.parseInt(text, 10);
}

/** Parses a replay speed: a whole number, 1 to 999999. */
export function parseSpeed(text: string): number {
  const value = /^\d{1,6}$/u.test(text) ? Number.parseInt(text, 10) : 0;
  if (value < 1) throw new InvalidArgumentError('must be a whole number, 1 to 999999');
  return value;
}

/** Returns the option that sets the level of the log file. */
export function logLevelOption(): Option {
  return new Option('--log <level>', 'least severe level that the log file in the home contains')
    .choices(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info');
}
