/** Our own documents, and every path that they may name. */
import fs from 'node:fs';
import path from 'node:path';
import type { SourceFile } from '../source-files.ts';

/** Folders whose content is installed, written by a run, or history. */
const skipped = /(?:^|\/)(?:node_modules|\.git|\.millrace|results|dist|fixtures)(?:\/|$)/u;

/** Returns the paths of all files and folders below `root`, with forward slashes. */
export function pathsIn(root: string): ReadonlySet<string> {
  const paths = new Set<string>(['.']);
  const visit = (folder: string): void => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (skipped.test(name)) continue;
      paths.add(name);
      if (entry.isDirectory()) visit(name);
    }
  };
  visit('.');
  return paths;
}

/**
 * Reads every page in Markdown but those of projects, whose commands and links are not ours, and
 * every settings file that ships, whose comments name pages.
 */
export function documentsIn(root: string): SourceFile[] {
  return [...pathsIn(root)]
    .filter((file) => /\.md$/u.test(file) || /^(?:config|backtests)\/.*\.yaml$/u.test(file))
    .filter((file) => !file.startsWith('templates/'))
    .sort()
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
}

export function isPage({ file }: SourceFile): boolean {
  return file.endsWith('.md');
}

/** What a page says in prose, in code font and in blocks of code, each with its line. */
export type PageText = {
  /** The text with code blanked; lines and columns stay. */
  readonly prose: string;
  readonly spans: readonly { readonly text: string; readonly line: number }[];
  /** With the line of their first line of code. */
  readonly blocks: readonly { readonly text: string; readonly line: number }[];
};

/** Splits a page in Markdown. Code blocks are fenced; indented ones count as prose. */
export function pageText(text: string): PageText {
  const blank = (code: string): string => code.replaceAll(/[^\n]/gu, ' ');
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
  const blocks: PageText['blocks'][number][] = [];
  const spans: PageText['spans'][number][] = [];
  const withoutBlocks = text.replaceAll(
    /^ *```\w*\n([\s\S]*?)^ *```$/gmu,
    (whole, code: string, index: number) => {
      blocks.push({ text: code, line: lineAt(index) + 1 });
      return blank(whole);
    },
  );
  const prose = withoutBlocks.replaceAll(/`([^`\n]+)`/gu, (whole, code: string, index: number) => {
    spans.push({ text: code.replaceAll('\\|', '|'), line: lineAt(index) });
    return blank(whole);
  });
  return { prose, spans, blocks };
}
