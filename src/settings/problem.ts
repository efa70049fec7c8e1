/** One problem in a settings file, and its line in the error message. */
import { ConfigError } from '../domain/errors.ts';

export type Place = { readonly line: number; readonly column: number };

export type Problem = Place & {
  /** Dotted path of the key; empty for the whole file. */
  readonly path: string;
  /** What is wrong, with the value: `was 0.02`. */
  readonly message: string;
  /** What is allowed there; empty if the message says it. */
  readonly allowed: string;
  /** The YAML text to write instead, if one is likely. */
  readonly suggestion?: string | undefined;
};

const problemsMax = 50;

/** Returns one error with a line for each problem, in the order of the file. */
export function configErrorOf(file: string, problems: readonly Problem[]): ConfigError {
  const sorted = [...problems]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .filter((a, i, all) => i === 0 || !isRepeated(a, all[i - 1]));
  const lines = sorted.slice(0, problemsMax).map((problem) => problemLine(file, problem));
  if (sorted.length > problemsMax) lines.push(`and ${sorted.length - problemsMax} more`);
  return new ConfigError(lines.join('\n'));
}

/** Returns the line of the error message for `problem`. */
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

/** Returns `value` for display: one line, short, without control characters. */
export function shown(value: unknown): string {
  return shortened(typeof value === 'string' ? JSON.stringify(value) : String(value));
}

/** Returns `text` for display, like {@link shown}, without quotes. */
export function shortened(text: string): string {
  return inOneLine(text, 60);
}

/** A name in a file may contain line breaks and terminal escape sequences. */
function inOneLine(text: string, lengthMax: number): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return clean.length > lengthMax ? `${clean.slice(0, lengthMax - 3)}...` : clean;
}
