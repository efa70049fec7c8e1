/** What a source file imports, exports from, or loads by a literal name. */
import path from 'node:path/posix';
import { codeOf, type SourceFile } from './source-files.ts';

export type Import = {
  /** The specifier as it is written. */
  readonly from: string;
  /** The path from the root of one of our own files; undefined for a package. */
  readonly target: string | undefined;
  readonly isType: boolean;
  readonly line: number;
};

const importPattern = new RegExp(
  [
    String.raw`\b(?:import|export)\s+(?<type>type\s)?(?:[\w$*\s{},]+?\sfrom\s*)?`,
    String.raw`(?<quote>['"])(?<from>[^'"\n]+)\k<quote>`,
    String.raw`|\b(?:import|require)\s*\(\s*(?<quote2>['"])(?<dynamic>[^'"\n]+)\k<quote2>`,
  ].join(''),
  'gu',
);

const importLists = new WeakMap<SourceFile, readonly Import[]>();

/** Returns the imports in the order of the text. */
export function importsOf(source: SourceFile): readonly Import[] {
  const known = importLists.get(source) ?? findImports(source);
  importLists.set(source, known);
  return known;
}

function findImports(source: SourceFile): Import[] {
  const code = codeOf(source).withStrings;
  return [...code.matchAll(importPattern)].map((match) => {
    const from = match.groups?.['from'] ?? match.groups?.['dynamic'] ?? '';
    return {
      from,
      target: from.startsWith('.') ? path.join(path.dirname(source.file), from) : undefined,
      isType: match.groups?.['type'] !== undefined,
      line: code.slice(0, match.index).split('\n').length,
    };
  });
}

/** Returns `code` with the statements blanked that import or export from another file. */
export function withoutImports(code: string): string {
  return code.replace(importPattern, (statement) => statement.replace(/[^\n]/gu, ' '));
}

/**
 * Returns the folder of `src`, the file in `src` itself, or `strategies`. A folder of a venue is a
 * place of its own, such as `venues/luno/client`.
 */
export function placeOf(file: string): string {
  const [top = '', ...folders] = path.dirname(file).split('/');
  if (top !== 'src') return top;
  if (folders.length === 0) return path.basename(file);
  if (folders[0] !== 'venues') return folders[0] as string;
  return folders.length === 1 ? `venues/${path.basename(file)}` : folders.slice(0, 3).join('/');
}
