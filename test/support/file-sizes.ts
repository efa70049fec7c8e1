/**
 * How long the files of `src` are and how many a folder holds, and whether each file has a name of
 * its own. Sizes are advice, not a rule: the longest file and the fullest folder are named, so that
 * somebody looks at them.
 */
import path from 'node:path/posix';
import type { SourceFile } from './source-files.ts';

export type Size = { readonly name: string; readonly size: number };

/** Returns how many files lie directly in each folder of `src`, the fullest first. */
export function folderSizes(sources: readonly SourceFile[]): Size[] {
  const folders = Map.groupBy(ofSource(sources), ({ file }) => path.dirname(file));
  return largestFirst([...folders].map(([name, files]) => ({ name, size: files.length })));
}

/** Returns how many lines each file of `src` has, the longest first. */
export function fileSizes(sources: readonly SourceFile[]): Size[] {
  const lines = ({ text }: SourceFile): number => text.trimEnd().split('\n').length;
  return largestFirst(
    ofSource(sources).map((source) => ({ name: source.file, size: lines(source) })),
  );
}

/** Returns the file names that occur more than once in all of `src`. */
export function repeatedNames(sources: readonly SourceFile[]): string[] {
  const files = ofSource(sources).map(({ file }) => file);
  return [...Map.groupBy(files, (file) => path.basename(file))]
    .filter(([, named]) => named.length > 1)
    .map(
      ([name, named]) => `${named[0]}: ${name} is the name of ${named.slice(1).join(', ')}, too`,
    );
}

function ofSource(sources: readonly SourceFile[]): SourceFile[] {
  return sources.filter(({ file }) => file.startsWith('src/'));
}

function largestFirst(sizes: Size[]): Size[] {
  return sizes.sort((a, b) => b.size - a.size);
}
