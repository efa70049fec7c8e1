/** Turns the errors of the YAML parser into problems of the file. */
import type { ErrorCode, YAMLParseError } from 'yaml';
import type { Place, Problem } from './problem.ts';

type Wording = Pick<Problem, 'message' | 'allowed'>;

/** Errors whose own text does not say what to change in the file. */
const wordings: Readonly<Partial<Record<ErrorCode, Wording>>> = {
  MULTIPLE_DOCS: {
    message: 'begins a second YAML document',
    allowed: 'one document: delete this line and everything after it, or put it into another file',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'has a key inside a value',
    allowed: 'a value, or keys on lines of their own; text that contains ": " in quotes',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'is not a key and its value on one line',
    allowed: 'a key, a colon and a space, such as `mode: demo`',
  },
  BAD_SCALAR_START: {
    message: 'begins with a character that YAML reserves',
    allowed: 'the text in quotes',
  },
};

/** The indentation of a line that has a tab in it. */
const tabbed = /^ *\t\s*\S/u;

/**
 * Returns the problems that the errors mean, at most one for each line: what the parser adds about
 * a line follows from its first error. Nesting that is too deep hides all others, and so does
 * a tab, after which the parser misreads every line.
 */
export function syntaxProblems(
  errors: readonly YAMLParseError[],
  text: string,
  placeAt: (offset: number) => Place,
): Problem[] {
  const deep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (deep !== undefined) {
    const place = placeAt(deep.pos[0]);
    return [{ ...place, path: '', message: 'is nested too deeply', allowed: 'at most 20 levels' }];
  }
  const lines = text.split('\n');
  const first = errors.find(({ pos }) => tabbed.test(lines[placeAt(pos[0]).line - 1] ?? ''));
  if (first !== undefined) return [tabProblem(lines, placeAt(first.pos[0]).line)];
  const found = new Map<number, Problem>();
  for (const { code, message, pos } of errors) {
    const place = placeAt(pos[0]);
    if (found.has(place.line)) continue;
    const wording = wordings[code] ?? { message: message.replace(/\s+/gu, ' '), allowed: '' };
    found.set(place.line, { ...place, path: '', ...wording });
  }
  return [...found.values()];
}

function tabProblem(lines: readonly string[], line: number): Problem {
  const others = lines.filter((text, at) => at + 1 !== line && tabbed.test(text)).length;
  const more =
    others === 0 ? '' : `, as ${others === 1 ? 'is 1 other line' : `are ${others} others`}`;
  const message = `is indented with a tab${more}`;
  return { line, column: 1, path: '', message, allowed: 'spaces for indentation' };
}
