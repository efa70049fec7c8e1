/**
 * The text of the lines of use. It reads our own source, so the lines must be formatted as biome
 * formats them: a property that is indented by two columns begins a type, a function or a kind, and
 * one that is indented by four a member of a type.
 */

/** Texts by name: of members, functions or kinds. */
type Texts = ReadonlyMap<string, string>;

export type UseTexts = {
  /** The lines of each type's members. */
  readonly members: ReadonlyMap<string, Texts>;
  /** A call of each function. */
  readonly functions: Texts;
  /** An intent of each kind. */
  readonly intents: Texts;
};

const folder = 'test/prove/contract/in-use';

/** Finds the texts; `read` returns the text of a source file by its path from the root. */
export function useTexts(read: (file: string) => string): UseTexts {
  const given = read(`${folder}/given.ts`);
  const written = read(`${folder}/written.ts`);
  const types = [...propertiesOf(given, 'given'), ...propertiesOf(written, 'written')];
  const expressions = (texts: Texts): Texts =>
    new Map([...texts].map(([name, text]) => [name, expressionOf(text)]));
  return {
    members: new Map(types.map(([type, text]) => [type, expressions(split(text, 4))])),
    functions: expressions(propertiesOf(written, 'calls')),
    intents: expressions(propertiesOf(written, 'intents')),
  };
}

/** Returns the properties of an exported object. */
function propertiesOf(text: string, name: string): Texts {
  const found = new RegExp(`^export const ${name}\\b[\\s\\S]*? = \\{\\n([\\s\\S]*?)^\\};`, 'mu');
  const body = found.exec(text)?.[1];
  if (body === undefined) throw new Error(`there is no object ${name}`);
  return split(body, 2);
}

/** Returns the properties that are indented by `columns`. */
function split(body: string, columns: number): Texts {
  const starts = [...body.matchAll(new RegExp(`^ {${columns}}(\\w+\\$?): ?`, 'gmu'))];
  return new Map(
    starts.map((start, index) => [
      start[1] as string,
      body.slice(start.index + start[0].length, starts[index + 1]?.index),
    ]),
  );
}

/** Returns the expression of an arrow function; without the braces of the object that it is. */
function expressionOf(line: string): string {
  return line
    .replace(/^ {2}\},?\n[\s\S]*/mu, '')
    .replace(/^\([^)]*\)\s*=>\s*/u, '')
    .replaceAll(/\s*\n\s*/gu, ' ')
    .replaceAll(/([([]) | (?=[)\]]|\.\w)/gu, '$1')
    .replaceAll(/,([)\]])/gu, '$1')
    .replaceAll(', }', ' }')
    .trim()
    .replace(/,$/u, '')
    .replace(/^\(\{ ([\s\S]*) \}\)$/u, '$1');
}
