/** Reads the source files of a plugin, for checks of their text. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const extensions = new Set(['.ts', '.mts', '.js', '.mjs', '.cjs']);

export type PluginText = {
  readonly file: string;
  /** The source with comments replaced by spaces; line numbers are unchanged. */
  readonly text: string;
};

/** Returns the source files below `folder`, sorted by path. */
export async function pluginTexts(folder: string): Promise<readonly PluginText[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && extensions.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    files.map(async (file) => ({ file, text: withoutComments(await readFile(file, 'utf8')) })),
  );
}

/** Replaces comments by spaces and keeps line breaks; exact enough to find imports and calls. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gsu, (comment) =>
    comment.replaceAll(/[^\n]/gu, ' '),
  );
}
