/** How many files a folder of `src` holds, and whether each file has a name of its own. */
import path from 'node:path/posix';
import type { SourceFile } from './source-files.ts';

export const folderFilesMax = 40;

export type FolderSize = { readonly folder: string; readonly files: number };

/** Returns how many files lie directly in each folder of `src`, the fullest first. */
export function folderSizes(sources: readonly SourceFile[]): FolderSize[] {
  const folders = Map.groupBy(filesIn(sources), (file) => path.dirname(file));
  return [...folders]
    .map(([folder, files]) => ({ folder, files: files.length }))
    .sort((a, b) => b.files - a.files);
}

/** Returns the folders with too many files. */
export function crowdedFolders(sources: readonly SourceFile[]): string[] {
  return folderSizes(sources)
    .filter(({ files }) => files > folderFilesMax)
    .map(({ folder, files }) => `${folder}: ${files} files, at most ${folderFilesMax}`);
}

/** Returns the file names that occur more than once in all of `src`. */
export function repeatedNames(sources: readonly SourceFile[]): string[] {
  const names = Map.groupBy(filesIn(sources), (file) => path.basename(file));
  return [...names]
    .filter(([, files]) => files.length > 1)
    .map(
      ([name, files]) => `${files[0]}: ${name} is the name of ${files.slice(1).join(', ')}, too`,
    );
}

function filesIn(sources: readonly SourceFile[]): string[] {
  return sources.map(({ file }) => file).filter((file) => file.startsWith('src/'));
}
