/**
 * A settings file as read: its bytes, its parsed tree and the place of every key.
 *
 * The YAML is a plain subset: the core schema without aliases, anchors, tags, merge keys or
 * directives, with unique text keys, at most 256 kB and 20 levels. All of it is checked here,
 * before any key is looked at.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { ConfigError } from '../domain/errors.ts';
import { configErrorOf, type Place, type Problem } from './problem.ts';
import { treeProblems } from './tree-problems.ts';

const sizeMax = 256 * 1024;

export type KeyPath = readonly (string | number)[];

export class SettingsSource {
  /** The path as the caller gave it, for messages. */
  readonly file: string;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** What is wrong whatever the keys mean; the reader tells it with the rest. */
  readonly formProblems: readonly Problem[];
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;

  /** Parses `bytes`; throws ConfigError if they are no YAML. */
  constructor(file: string, bytes: Uint8Array) {
    this.file = file;
    this.hash = createHash('sha256').update(bytes).digest('hex');
    this.#lines = new LineCounter();
    const text = textOf(file, bytes);
    this.#document = parse(file, text, this.#lines);
    const problems = this.#syntaxProblems();
    // A tree that did not parse has places that mean nothing, so its keys are not looked at.
    const broken = this.#document.errors.some(({ code }) => code !== 'DUPLICATE_KEY');
    if (broken) throw configErrorOf(file, problems);
    const own = treeProblems(this.#document, (offset) => this.placeAt(offset));
    // The tree's own words on a duplicate key have its path; the library's are kept where it has
    // none.
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

  /** Returns the place of the value at `path`, or of the nearest one above it that exists. */
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

  /** Returns the place of the last key of `path` itself, or of the nearest value above it. */
  locateKey(path: KeyPath): Place {
    const parent =
      path.length < 2 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true);
    const last = path.at(-1);
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && key.value === last);
      const offset = startOf(pair?.key);
      if (offset !== undefined) return this.placeAt(offset);
    }
    return this.locate(path);
  }

  /** Returns whether the file has something at `path`, if only null. */
  has(path: KeyPath): boolean {
    return this.#document.hasIn(path);
  }

  /** Returns the plain value at `path`, or undefined. */
  valueAt(path: KeyPath): unknown {
    const node: unknown = path.length === 0 ? this.root : this.#document.getIn(path, true);
    return isScalar(node)
      ? node.value
      : isMap(node) || isSeq(node)
        ? node.toJS(this.#document)
        : undefined;
  }

  /** Returns the plain value of a node of this document; of one with aliases, nothing. */
  plain(node: Node): unknown {
    if (this.formProblems.length > 0) return {};
    return node.toJS(this.#document, { maxAliasCount: 0 });
  }

  #syntaxProblems(): Problem[] {
    const { errors } = this.#document;
    const deep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    if (deep !== undefined) {
      const place = this.placeAt(deep.pos[0]);
      return [
        { ...place, path: '', message: 'is nested too deeply', allowed: 'at most 20 levels' },
      ];
    }
    return errors.map((error) => ({
      ...this.placeAt(error.pos[0]),
      path: '',
      message: error.message.replace(/\s+/gu, ' '),
      allowed: '',
    }));
  }
}

/** Reads a settings file; throws ConfigError if it is no regular file, too large or malformed. */
export function readSettings(path: string, file = path): SettingsSource {
  return new SettingsSource(file, bytesOf(path, file));
}

function bytesOf(path: string, file: string): Uint8Array {
  let descriptor: number | undefined;
  try {
    // Non-blocking, so that a named pipe is found out instead of waited for.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new ConfigError(`${file}: must be a regular file`);
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
      // Silence would also hide that there is a second document; nothing is ever printed here.
      logLevel: 'error',
      lineCounter,
    });
  } catch (cause) {
    // Nesting of many thousand levels ends the parser's stack.
    throw new ConfigError(`${file}: cannot be parsed; it is nested too deeply or is no YAML`, {
      cause,
    });
  }
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined;
}
