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
  TAB_AS_INDENT: { message: 'is indented with a tab', allowed: 'spaces for indentation' },
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

/** Returns the problem of each error; nesting that is too deep hides all others. */
export function syntaxProblems(
  errors: readonly YAMLParseError[],
  placeAt: (offset: number) => Place,
): Problem[] {
  const deep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (deep !== undefined) {
    const place = placeAt(deep.pos[0]);
    return [{ ...place, path: '', message: 'is nested too deeply', allowed: 'at most 20 levels' }];
  }
  return errors.map(({ code, message, pos }) => ({
    ...placeAt(pos[0]),
    path: '',
    ...(wordings[code] ?? { message: message.replace(/\s+/gu, ' '), allowed: '' }),
  }));
}
