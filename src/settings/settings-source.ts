/**
 * A settings file: its hash, its parsed tree and the place of every key.
 *
 * The YAML is a plain subset: the core schema without aliases, anchors, tags, merge keys or
 * directives, with unique text keys, at most 256 kB and 20 levels. All of this is checked here,
 * before any key is read.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { ConfigError } from '../domain/errors.ts';
import { fileHeadBytes, otherKindOf } from '../domain/file-kind.ts';
import { configErrorOf, type Place, type Problem } from './problem.ts';
import { syntaxProblems } from './syntax-problems.ts';
import { treeProblems } from './tree-problems.ts';

const sizeMax = 256 * 1024;

export type KeyPath = readonly (string | number)[];

export class SettingsSource {
  /** The path as the caller gave it, for messages. */
  readonly file: string;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** Problems of form, whatever the keys mean; the reader reports them with its own. */
  readonly formProblems: readonly Problem[];
  readonly #text: string;
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;

  /** Parses `bytes`; throws ConfigError if they are not YAML. */
  constructor(file: string, bytes: Uint8Array) {
    this.file = file;
    this.hash = createHash('sha256').update(bytes).digest('hex');
    this.#lines = new LineCounter();
    this.#text = textOf(file, bytes);
    this.#document = parse(file, this.#text, this.#lines);
    const problems = syntaxProblems(this.#document.errors, this.#text, (offset) =>
      this.placeAt(offset),
    );
    // The places of keys in a tree that did not parse mean nothing, so no key is read.
    const broken = this.#document.errors.some(({ code }) => code !== 'DUPLICATE_KEY');
    if (broken) throw configErrorOf(file, problems);
    const own = treeProblems(this.#document, (offset) => this.placeAt(offset));
    // Both report a duplicate key, and only our own problem has its path.
    const lines = new Set(own.map((problem) => problem.line));
    this.formProblems = [...own, ...problems.filter((problem) => !lines.has(problem.line))];
  }

  get root(): Node | null {
    return this.#document.contents;
  }

  /** Returns the 1-based place of an offset in the text. */
  placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  /** Returns the place of the value at `path`, or of its nearest existing parent. */
  locate(path: KeyPath): Place {
    let node: unknown = this.#document.contents;
    let offset = startOf(node);
    for (const key of path) {
      const next: unknown = isMap(node) || isSeq(node) ? node.get(key, true) : undefined;
      if (next === undefined || next === null) break;
      node = next;
      offset = startOf(node) ?? offset;
    }
    return this.placeAt(offset ?? 0);
  }

  /** Returns the place of the last key of `path`, or of its nearest existing parent. */
  locateKey(path: KeyPath): Place {
    const offset = startOf(keyNode(this.nodeAt(path.slice(0, -1)), path.at(-1)));
    return offset === undefined ? this.locate(path) : this.placeAt(offset);
  }

  /**
   * Returns this file with the value at `keys` (or the last key itself) replaced by YAML text, or
   * undefined if it has no such value. Throws ConfigError if the result is not YAML.
   */
  edited(edit: {
    readonly keys: KeyPath;
    readonly isAtKey: boolean;
    readonly text: string;
  }): SettingsSource | undefined {
    const { keys, isAtKey, text } = edit;
    const parent = this.nodeAt(keys.slice(0, -1));
    const last = keys.at(-1);
    const node: unknown = isAtKey
      ? keyNode(parent, last)
      : isMap(parent) || isSeq(parent)
        ? parent.get(last, true)
        : undefined;
    const range = rangeOf(node);
    if (range === undefined) return undefined;
    const [from, to] = range;
    const copy = `${this.#text.slice(0, from)}${text}${this.#text.slice(to)}`;
    return new SettingsSource(this.file, new TextEncoder().encode(copy));
  }

  /**
   * Returns this file with another value at `path`, whose parent must be a map or missing. If there
   * is a value, all lines stay where they are.
   */
  withValue(path: KeyPath, value: unknown): SettingsSource {
    const text = JSON.stringify(value);
    const edited = isScalar(this.nodeAt(path))
      ? this.edited({ keys: path, isAtKey: false, text })
      : undefined;
    if (edited !== undefined) return edited;
    const copy = this.#document.clone();
    copy.setIn(path, value);
    return new SettingsSource(this.file, new TextEncoder().encode(copy.toString()));
  }

  /** Returns whether the file has a value at `path`; null counts. */
  has(path: KeyPath): boolean {
    return this.#document.hasIn(path);
  }

  /** Returns the node at `path`, or undefined. */
  nodeAt(path: KeyPath): unknown {
    return path.length === 0 ? this.root : this.#document.getIn(path, true);
  }

  /** Returns the plain value at `path`, or undefined. */
  valueAt(path: KeyPath): unknown {
    const node = this.nodeAt(path);
    return isScalar(node)
      ? node.value
      : isMap(node) || isSeq(node)
        ? node.toJS(this.#document)
        : undefined;
  }

  /** Returns the plain value of a node, or an empty map if the file has problems of form. */
  plain(node: Node): unknown {
    if (this.formProblems.length > 0) return {};
    return node.toJS(this.#document, { maxAliasCount: 0 });
  }
}

/**
 * Reads the file at `path`, called `file` in messages. Throws ConfigError if it is not a regular
 * file, too large or malformed, or a file of Millrace of another kind than `wanted`, whose keys
 * would all be wrong.
 */
export function readSettings(
  path: string,
  file = path,
  wanted?: 'scenario' | 'bot',
): SettingsSource {
  return new SettingsSource(file, bytesOf(path, file, wanted));
}

function refuseOtherKind(descriptor: number, file: string, wanted: 'scenario' | 'bot'): void {
  const bytes = Buffer.alloc(fileHeadBytes);
  const head = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, fileHeadBytes, 0));
  const other = otherKindOf(head, wanted);
  const what = wanted === 'bot' ? 'the settings of a bot' : 'a scenario';
  if (other !== undefined) throw new ConfigError(`${file}: is not ${what}, but ${other}`);
}

function bytesOf(path: string, file: string, wanted?: 'scenario' | 'bot'): Uint8Array {
  let descriptor: number | undefined;
  try {
    // Non-blocking: opening a named pipe would wait for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new ConfigError(`${file}: must be a regular file`);
    if (wanted !== undefined) refuseOtherKind(descriptor, file, wanted);
    if (status.size > sizeMax) {
      throw new ConfigError(`${file}: must be at most 256 kB, was ${status.size} bytes`);
    }
    const bytes = readFileSync(descriptor);
    if (bytes.length > sizeMax) throw new ConfigError(`${file}: must be at most 256 kB`);
    return bytes;
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'error';
    const reason = code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`;
    throw new ConfigError(`${file}: ${reason}`, { cause });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function textOf(file: string, bytes: Uint8Array): string {
  if (bytes.length > sizeMax) throw new ConfigError(`${file}: must be at most 256 kB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError(`${file}: must be UTF-8 text`, { cause });
  }
}

function parse(file: string, text: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, {
      schema: 'core',
      version: '1.2',
      strict: true,
      uniqueKeys: true,
      stringKeys: true,
      merge: false,
      prettyErrors: false,
      // At level `silent`, a second document would not be reported. Nothing is printed here.
      logLevel: 'error',
      lineCounter,
    });
  } catch (cause) {
    // Many thousand levels overflow the parser's stack.
    throw new ConfigError(`${file}: cannot be parsed: it is nested too deeply or is not YAML`, {
      cause,
    });
  }
}

function keyNode(parent: unknown, name: unknown): unknown {
  if (!isMap(parent)) return undefined;
  return parent.items.find(({ key }) => isScalar(key) && key.value === name)?.key;
}

function startOf(node: unknown): number | undefined {
  return rangeOf(node)?.[0];
}

/** Returns the offsets at which the text of `node` starts and ends. */
function rangeOf(node: unknown): readonly [from: number, to: number] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  if (!Array.isArray(node.range)) return undefined;
  const [from, to]: readonly unknown[] = node.range;
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : undefined;
}
