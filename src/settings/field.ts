/**
 * Readers of settings: each takes a place in the tree and returns a checked value, or reports
 * what is wrong and returns undefined. Reading continues after a problem, so that one error lists
 * them all.
 */
import { isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import { nearestWord } from './nearest-word.ts';
import { type Problem, shortened, shown } from './problem.ts';
import type { KeyPath, SettingsSource } from './settings-source.ts';

/** A place in the tree, and the reader that collects the problems found there. */
export type Cursor = {
  readonly reader: Reader;
  readonly path: KeyPath;
  readonly node: Node | null;
};

/** A JSON Schema (draft 7) of a value, or a part of one. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** The names that a {@link record} allows. */
type RecordKeys = {
  readonly name: RegExp;
  readonly nameAllowed: string;
  readonly placeholder: string;
  readonly emptyAllowed?: boolean;
};

/** Describes what a field reads, for the reference page, `config explain` and the JSON Schemas. */
export type About = (
  | { readonly kind: 'value'; readonly allowed: string; readonly schema: ValueSchema }
  | { readonly kind: 'list'; readonly item: Field<unknown> }
  | { readonly kind: 'map'; readonly members: Shape }
  | { readonly kind: 'record'; readonly keys: RecordKeys; readonly value: Field<unknown> }
) & {
  /** Words that may stand for the whole value. */
  readonly words?: readonly string[];
};

export type Field<T> = {
  (cursor: Cursor): T | undefined;
  readonly about: About;
};

/** A field that reads a value without members. */
export type ValueField<T> = Field<T> & { readonly about: Extract<About, { kind: 'value' }> };

/** A key that may be left out. Invariant: no `fallback` is a budget or a limit. */
export type OptionalField<T> = {
  readonly field: Field<T>;
  readonly fallback: T | undefined;
  /** The key's name in earlier versions, which files may still use. */
  readonly formerName?: string;
};

export type Shape = Readonly<Record<string, Field<unknown> | OptionalField<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : F extends OptionalField<infer T> ? T : never;

/**
 * What {@link object} returns. A member is undefined if a problem was reported or the key was left
 * out.
 */
export type Draft<S extends Shape> = { readonly [K in keyof S]: ValueOf<S[K]> | undefined };

/** A problem with its key path, so that its suggestion can be tried. */
export type ReportedProblem = Problem & {
  readonly keys: KeyPath;
  /** The problem is the key's name, not its value. */
  readonly isAtKey: boolean;
};

/** Collects the problems of one file. */
export class Reader {
  readonly source: SettingsSource;
  readonly #problems: ReportedProblem[] = [];
  readonly #notices = new Set<string>();

  constructor(source: SettingsSource) {
    this.source = source;
  }

  /** What is wrong with the keys and values, in the order of reporting. */
  get problems(): readonly ReportedProblem[] {
    return this.#problems;
  }

  /** Reads the value at `path`, or the whole file, as `field`. */
  read<T>(field: Field<T>, path: KeyPath = []): T | undefined {
    return field({ reader: this, path, node: this.source.nodeAt(path) as Node | null });
  }

  /** Reports a problem of the value at `keys`, or of its key. */
  report(keys: KeyPath, problem: Omit<Problem, 'line' | 'column' | 'path'>, isAtKey = false): void {
    const place = isAtKey ? this.source.locateKey(keys) : this.source.locate(keys);
    this.#add({ ...place, path: pathText(keys), ...problem, keys, isAtKey });
  }

  /** One sentence for each former key in the file. */
  get notices(): readonly string[] {
    return [...this.#notices];
  }

  noteFormerName(formerName: string, name: string): void {
    this.note(`rename the key ${formerName} to ${name}; the former name still works`);
  }

  /** Adds a sentence about a former key. */
  note(text: string): void {
    this.#notices.add(`${this.source.file}: ${text}`);
  }

  /** Reports that the map at `keys` lacks something; the place is the map's key. */
  reportMissing(keys: KeyPath, message: string, allowed = ''): void {
    const place = this.source.locateKey(keys);
    this.#add({ ...place, path: pathText(keys), message, allowed, keys, isAtKey: false });
  }

  #add(problem: ReportedProblem): void {
    // A problem of form at the same place explains this one: an alias is not an amount either.
    const { line, column } = problem;
    const { formProblems } = this.source;
    if (formProblems.some((form) => form.line === line && form.column === column)) return;
    this.#problems.push(problem);
  }
}

/** Returns `path` as text, such as `strategies.mm.pairs[0]`. */
export function pathText(path: KeyPath): string {
  let text = '';
  for (const key of path) {
    text += typeof key === 'number' ? `[${key}]` : text === '' ? key : `.${key}`;
  }
  return text;
}

/** Reports that the value is not allowed, and returns undefined. */
export function refuse(cursor: Cursor, allowed: string, suggestion?: string): undefined {
  cursor.reader.report(cursor.path, { message: `was ${seenAt(cursor)}`, allowed, suggestion });
  return undefined;
}

function seenAt({ node }: Cursor): string {
  if (isMap(node)) return node.items.length === 0 ? 'an empty map' : 'a map';
  if (isSeq(node)) return node.items.length === 0 ? 'an empty list' : 'a list';
  if (!isScalar(node) || node.value === null) return 'nothing';
  return isQuoted(node) ? shown(node.value) : shortened(sourceOf(node));
}

/** Returns the scalar's text as written, without quotes. */
export function sourceOf(node: Scalar): string {
  return node.source ?? String(node.value);
}

export function isQuoted(node: Scalar): boolean {
  return node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
}

export function field<T>(about: About, read: (cursor: Cursor) => T | undefined): Field<T> {
  return Object.assign(read, { about });
}

/**
 * Returns the field of a value that has no members of its own. `schema` may accept more than `read`
 * does, never less.
 */
export function valueField<T>(
  about: { readonly allowed: string; readonly schema: ValueSchema },
  read: (cursor: Cursor) => T | undefined,
): ValueField<T> {
  return Object.assign(read, { about: { kind: 'value', ...about } as const });
}

/** Reads what `from` does, in another form. */
export function mapped<T, R>(from: Field<T>, to: (value: T) => R): Field<R> {
  return field(from.about, (cursor) => {
    const value = from(cursor);
    return value === undefined ? undefined : to(value);
  });
}

/** Marks a key as optional. */
export function optional<T>(field: Field<T>, fallback?: T): OptionalField<T> {
  return { field, fallback };
}

/** Marks a key as one that may be left out, and that files may still give by its former name. */
export function renamed<T>(formerName: string, field: Field<T>): OptionalField<T> {
  return { field, fallback: undefined, formerName };
}

/** Reads a map with exactly these keys, some of which may have their former names. */
export function object<const S extends Shape>(shape: S): Field<Draft<S>> {
  const keys = Object.keys(shape);
  const namesByFormer = new Map<string, string>();
  for (const [name, entry] of Object.entries(shape))
    if (typeof entry !== 'function' && entry.formerName !== undefined)
      namesByFormer.set(entry.formerName, name);
  return field({ kind: 'map', members: shape }, (cursor) => {
    const { reader, path, node } = cursor;
    if (!isMap(node)) return refuse(cursor, `a map with ${keys.join(', ')}`);
    const given = membersOf(node);
    for (const name of given.keys()) {
      if (Object.hasOwn(shape, name)) continue;
      const newName = namesByFormer.get(name);
      if (newName !== undefined) {
        reader.noteFormerName(name, newName);
        continue;
      }
      const near = nearestWord(
        name,
        keys.filter((key) => !given.has(key)),
      );
      const allowed = keys.join(', ');
      reader.report([...path, name], { message: 'is unknown', allowed, suggestion: near }, true);
    }
    const values: Record<string, unknown> = {};
    for (const [name, entry] of Object.entries(shape)) {
      const isOptional = typeof entry !== 'function';
      const member = isOptional ? entry.field : entry;
      const { formerName = name } = isOptional ? entry : {};
      const isFormer = formerName !== name && given.has(formerName);
      if (isFormer && given.has(name)) {
        const problem = { message: `is the former name of ${name}`, allowed: `${name} alone` };
        reader.report([...path, formerName], problem, true);
      }
      const key = isFormer ? formerName : name;
      if (given.has(key)) {
        values[name] = member({ reader, path: [...path, key], node: given.get(key) ?? null });
      } else if (isOptional) {
        values[name] = entry.fallback;
      } else {
        reader.reportMissing(path, `lacks ${name}, which is required`, allowedBy(member));
      }
    }
    return values as Draft<S>;
  });
}

/**
 * Reads a map from names to values of one kind. `nameAllowed` describes what `name` matches;
 * `placeholder` stands for such a name in the reference: `limits.pairs.<pair>`.
 */
export function record<T>(
  value: Field<T>,
  keys: RecordKeys,
): Field<ReadonlyMap<string, T | undefined>> {
  return field({ kind: 'record', keys, value }, (cursor) => {
    const { reader, path, node } = cursor;
    if (!isMap(node)) return refuse(cursor, `a map from ${keys.nameAllowed} to a value`);
    const given = membersOf(node);
    if (given.size === 0 && keys.emptyAllowed !== true) {
      return refuse(cursor, `at least one entry, named by ${keys.nameAllowed}`);
    }
    const values = new Map<string, T | undefined>();
    for (const [name, member] of given) {
      if (!keys.name.test(name)) {
        const suggestion = [name.toLowerCase(), name.toUpperCase()].find(
          (near) => keys.name.test(near) && !given.has(near),
        );
        const problem = { message: 'is not a valid name', allowed: keys.nameAllowed, suggestion };
        reader.report([...path, name], problem, true);
        continue;
      }
      values.set(name, value({ reader, path: [...path, name], node: member }));
    }
    return values;
  });
}

export const listSchema = { minItems: 1, uniqueItems: true } as const;

/** Reads a list of at least one value, without duplicates. */
export function list<T>(item: Field<T>): Field<readonly T[]> {
  return field({ kind: 'list', item }, (cursor) => {
    const { reader, path, node } = cursor;
    if (!isSeq(node) || node.items.length === 0) {
      const suggestion = isScalar(node) ? `[${String(node)}]` : undefined;
      return refuse(cursor, `a list of at least one: [${allowedBy(item)}]`, suggestion);
    }
    const values: T[] = [];
    for (const [i, member] of node.items.entries()) {
      const at = { reader, path: [...path, i], node: member as Node | null };
      const value = item(at);
      if (value === undefined) continue;
      if (values.includes(value)) refuse(at, 'each value once');
      values.push(value);
    }
    return values;
  });
}

/** Reads one value or a list of values. */
export function oneOrMore<T>(item: ValueField<T>): Field<readonly T[]> {
  const several = list(item);
  const { schema } = item.about;
  const either = { anyOf: [schema, { type: 'array', items: schema, ...listSchema }] };
  return valueField({ ...item.about, schema: either }, (cursor) => {
    if (isSeq(cursor.node)) return several(cursor);
    const value = item(cursor);
    return value === undefined ? undefined : [value];
  });
}

/** Reads one of `words`, which stand for the whole value, or what `other` reads. */
export function orWord<const W extends string, T>(
  words: readonly W[],
  other: Field<T>,
): Field<W | T> {
  const about = { ...other.about, words };
  return field<W | T>(about, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return other(cursor);
    const word = words.find((candidate) => node.value === candidate);
    if (word !== undefined) return word;
    return refuse(cursor, allowedBy({ about }), nearestWord(sourceOf(node), words));
  });
}

export function allowedBy({ about }: Pick<Field<unknown>, 'about'>): string {
  const { words } = about;
  if (words === undefined) return allowedWithoutWords(about);
  return `${words.join(', ')}, or ${allowedWithoutWords(about)}`;
}

function allowedWithoutWords(about: About): string {
  switch (about.kind) {
    case 'value':
      return about.allowed;
    case 'list':
      return `a list of: ${allowedBy(about.item)}`;
    case 'map':
      return `a map with ${Object.keys(about.members).join(', ')}`;
    case 'record':
      return `a map from ${about.keys.placeholder} to value`;
  }
}

function membersOf(node: YAMLMap): Map<string, Node | null> {
  const members = new Map<string, Node | null>();
  for (const { key, value } of node.items) {
    if (isScalar(key)) members.set(String(key.value), value as Node | null);
  }
  return members;
}
