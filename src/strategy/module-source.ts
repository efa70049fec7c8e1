/** Reads one source file of a plugin: its text, and the modules that it imports. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type ImportSpecifier, init, parse } from 'es-module-lexer';
import { ConfigError } from '../domain/errors.ts';
import { withoutTypes } from '../runtime/strip-types.ts';

export type ModuleImport = {
  /** As written; undefined for a dynamic import of what is not a plain text. */
  readonly specifier: string | undefined;
  readonly line: number;
};

export type ModuleSource = {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The source with comments replaced by spaces; line numbers are unchanged. */
  readonly text: string;
  /** In the order of the text; imports of types only are left out, as when it runs. */
  readonly imports: readonly ModuleImport[];
  /** Whether it has an import, an export or another sign of an ES module. */
  readonly isModule: boolean;
};

/** `import type { … }`, but not an import that is named `type`. */
const ofTypes = /^(?:import|export)\s+type\s+(?!from\s*['"])[\w$*{]/u;
const typescript = new Set(['.ts', '.mts']);

/** Whether the file has types that have to be removed before it runs. */
export function isTypeScript(file: string): boolean {
  return typescript.has(extname(file));
}

/** Reads the TypeScript or JavaScript file. Throws ConfigError, with its line, if it cannot run. */
export async function readModule(file: string): Promise<ModuleSource> {
  await init;
  const bytes = await readFile(file);
  const source = bytes.toString('utf8');
  const { code, found, isModule } = parsed(file, source);
  const lineAt = (offset: number): number => code.slice(0, offset).split('\n').length;
  const imports = found
    // `import.meta` imports nothing, and neither does an import of types.
    .filter(({ d, ss, se }) => d !== -2 && !ofTypes.test(code.slice(ss, se)))
    .map(({ n, s }) => ({ specifier: n, line: lineAt(s) }));
  return { file, bytes, text: withoutComments(source), imports, isModule };
}

/** Returns the error about the first of `files` with wrong syntax; undefined if none has. */
export function syntaxErrorIn(
  sources: readonly Pick<ModuleSource, 'file' | 'bytes'>[],
): ConfigError | undefined {
  for (const { file, bytes } of sources) {
    const fault = withoutTypes(Buffer.from(bytes).toString('utf8'));
    if (typeof fault !== 'string') return syntaxError(file, fault.line, fault.text);
  }
  return undefined;
}

type Parsed = {
  readonly code: string;
  readonly found: readonly ImportSpecifier[];
  readonly isModule: boolean;
};

/**
 * Returns the imports of a source file. The lexer is for JavaScript, but it finds the static
 * imports of almost all TypeScript, and to remove the types takes longer than the rest of a start.
 */
function parsed(file: string, source: string): Parsed {
  const direct = lexed(source);
  const isDynamic = direct?.found.some(({ d }) => d > -1) === true;
  // In types, too, `import('./x.ts')` may occur.
  if (direct !== undefined && !(isTypeScript(file) && isDynamic)) return direct;
  const code = withoutTypes(source);
  if (typeof code !== 'string') throw syntaxError(file, code.line, code.text);
  const found = lexed(code);
  if (found === undefined) throw syntaxError(file, 1, 'its imports cannot be found');
  return found;
}

/** Returns undefined for what the lexer cannot read. */
function lexed(code: string): Parsed | undefined {
  try {
    const [found, , , isModule] = parse(code);
    return { code, found, isModule };
  } catch {
    return undefined;
  }
}

function syntaxError(file: string, line: number, text: string): ConfigError {
  return new ConfigError(`${file}:${line}: ${text}`);
}

/** Replaces comments by spaces and keeps line breaks; exact enough to find calls. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gsu, (comment) =>
    comment.replaceAll(/[^\n]/gu, ' '),
  );
}
