/** One thing that is wrong in a settings file, and how it is told. */
import { ConfigError } from '../domain/errors.ts';

export type Place = { readonly line: number; readonly column: number };

export type Problem = Place & {
  /** Dotted path of the key; empty for the file itself. */
  readonly path: string;
  /** What is wrong, with the value: `was 0.02, without quotes`. */
  readonly message: string;
  /** What is allowed there; empty when the message says it. */
  readonly allowed: string;
  /** What to write instead, when one thing is likely. */
  readonly suggestion?: string | undefined;
};

const problemsMax = 50;

/** Returns one error for all problems, a line for each, in the order of the file. */
export function configErrorOf(file: string, problems: readonly Problem[]): ConfigError {
  const sorted = [...problems]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .filter((a, i, all) => i === 0 || !isRepeated(a, all[i - 1]));
  const lines = sorted.slice(0, problemsMax).map((problem) => problemLine(file, problem));
  if (sorted.length > problemsMax) lines.push(`and ${sorted.length - problemsMax} more`);
  return new ConfigError(lines.join('\n'));
}

/** Returns the line that tells a person of `problem`. */
export function problemLine(file: string, problem: Problem): string {
  const { line, column, path, message, allowed, suggestion } = problem;
  const parts = [
    `${file}:${line}:${column}: ${path === '' ? '' : `${inOneLine(path, 200)}: `}${inOneLine(message, 300)}`,
    ...(allowed === '' ? [] : [`allowed: ${allowed}`]),
    ...(suggestion === undefined ? [] : [`try: ${suggestion}`]),
  ];
  return parts.join('; ');
}

function isRepeated(problem: Problem, before: Problem | undefined): boolean {
  const { line, column, message } = problem;
  return line === before?.line && column === before.column && message === before.message;
}

/** Returns `value` as it may be shown: one line, short, without control characters. */
export function shown(value: unknown): string {
  return shortened(typeof value === 'string' ? JSON.stringify(value) : String(value));
}

/** Returns `text` in one line, short, without control characters and without quotes of its own. */
export function shortened(text: string): string {
  return inOneLine(text, 60);
}

/** A name in a file may hold anything, a line break or a terminal's escape too. */
function inOneLine(text: string, lengthMax: number): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return clean.length > lengthMax ? `${clean.slice(0, lengthMax - 3)}...` : clean;
}
