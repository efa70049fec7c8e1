/** Problems in settings files, and the errors that list them in the order of the lines. */
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

/** A place in a settings file, with the text of its line in the error message. */
type PlacedLine = Place & { readonly text: string };

/** An error that lists problems of one file, in the order of its lines. */
export class PlacedConfigError extends ConfigError {
  readonly file: string;
  readonly lines: readonly PlacedLine[];

  constructor(file: string, lines: readonly PlacedLine[], options?: { readonly cause: unknown }) {
    const sorted = [...lines].sort(byPlace);
    const texts = sorted.slice(0, problemsMax).map(({ text }) => text);
    if (sorted.length > problemsMax) texts.push(`and ${sorted.length - problemsMax} more`);
    super(texts.join('\n'), options);
    this.file = file;
    this.lines = sorted;
  }
}

/** Returns one error with a line for each problem, in the order of the file. */
export function configErrorOf(file: string, problems: readonly Problem[]): PlacedConfigError {
  const lines = [...problems]
    .sort(byPlace)
    .filter((a, i, all) => i === 0 || !isRepeated(a, all[i - 1]))
    .map((one) => ({ line: one.line, column: one.column, text: problemLine(file, one) }));
  return new PlacedConfigError(file, lines);
}

/** Returns one error for several: the problems of each file together, then all other errors. */
export function joinedError(errors: readonly ConfigError[]): ConfigError {
  const [only] = errors;
  if (only !== undefined && errors.length === 1) return only;
  const byFile = new Map<string, PlacedLine[]>();
  const others: string[] = [];
  for (const error of errors) {
    if (!(error instanceof PlacedConfigError)) others.push(error.message);
    else byFile.set(error.file, [...(byFile.get(error.file) ?? []), ...error.lines]);
  }
  const placed = [...byFile].map(([file, lines]) => new PlacedConfigError(file, lines));
  const [first] = placed;
  if (first !== undefined && placed.length === 1 && others.length === 0) return first;
  return new ConfigError([...placed.map(({ message }) => message), ...others].join('\n'));
}

function byPlace(a: Place, b: Place): number {
  return a.line - b.line || a.column - b.column;
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
