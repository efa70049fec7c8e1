/** Declares and runs the subcommands, and parses the options that several of them share. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseSpanMs } from '../domain/unit-text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { printConsoleTo } from '../terminal/console-output.ts';
import { exitCodeOf } from '../terminal/exit-code.ts';
import { Output } from '../terminal/output.ts';
import { userPath } from './user-path.ts';

/** The options of every command. */
export type CommonOptions = { readonly home: string; readonly json: boolean };

/** The `homeText` of commands that use the state of one bot. */
export const botHomeText = "the folder of the bot's `store`";

/** What the declarations of all commands share: the program, and where files are found. */
export class Cli {
  readonly workspace: Workspace;
  readonly #program: Command;

  constructor(program: Command, workspace: Workspace) {
    this.#program = program;
    this.workspace = workspace;
  }

  /**
   * Declares a command by its usage, as `name <required> [optional]`, and a one-line description.
   * `homeText` describes the default of `--home`, if it is not `.millrace`.
   */
  declare(usage: string, description: string, homeText?: string): Command {
    return this.#program
      .command(usage)
      .description(description)
      .addOption(
        new Option('--home <dir>', 'folder for databases, journals, logs and captures')
          .argParser(this.path('folder'))
          .default(this.workspace.home, homeText),
      )
      .option('--json', 'print one JSON object as the last line of standard output', false);
  }

  /** Runs a command and sets the exit code of the process, after all output is written. */
  async run(isJson: boolean, work: (output: Output) => Promise<number>): Promise<void> {
    const { stdout, stderr } = process;
    const out = new Output({ isJson, stdout, stderr, workspace: this.workspace });
    const endPrinted = printConsoleTo(out);
    try {
      process.exitCode = await work(out);
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

  /** Parses a path. An empty one, often an unset variable, would mean the current folder. */
  path(kind: 'file' | 'folder', use: 'read' | 'written' = 'read'): (text: string) => string {
    return (text) => {
      if (text.trim() === '')
        throw new InvalidArgumentError(`must name a ${kind}, was ${JSON.stringify(text)}`);
      return this.userPath(text, use);
    };
  }

  /** See {@link userPath}. */
  userPath(path: string, use: 'read' | 'written' = 'read'): string {
    return userPath(path, this.workspace.root, use);
  }

  /** Resolves a scenario: a path as {@link userPath} does, a name unchanged. */
  userScenario(name: string): string {
    return /[/\\]|\.ya?ml$|^\.$/u.test(name) ? this.userPath(name) : name;
  }

  /**
   * Returns the path of a bot's settings. It is relative to the user's folder, as every path on a
   * command line. If no such file exists, it is one in Millrace's folder, which has the demo's.
   */
  settingsPath(path: string): string {
    const given = this.userPath(path);
    const shipped = join(this.workspace.root, given);
    return !existsSync(resolve(given)) && existsSync(shipped) ? shipped : given;
  }
}

/** Returns the value of `--home` if it was given; otherwise the configured database decides. */
export function requestedHome(command: Command): string | undefined {
  const isGiven = command.getOptionValueSource('home') === 'cli';
  return isGiven ? resolve(command.getOptionValue('home')) : undefined;
}

/** Parses a reason. It is stored, so it must not be empty. */
export function parseReason(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('must not be empty: say why');
  return text;
}

/** Collects the words of an option that may be given several times. */
export function collect(word: string, before: readonly string[]): readonly string[] {
  return [...before, word];
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

export function logLevelOption(): Option {
  return new Option('--log <level>', 'least severe level that the log file in the home contains')
    .choices(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info');
}
