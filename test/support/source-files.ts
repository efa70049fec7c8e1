/** Our own source files as the tests of style and structure read them. */
import fs from 'node:fs';
import path from 'node:path';
import { type CodeText, codeTextOf } from './code-text.ts';

/** A file of ours: its path from the root with forward slashes, and its text. */
export type SourceFile = { readonly file: string; readonly text: string };

/** The plugins that Millrace ships; those of users beside them are judged by nobody. */
export const shippedPlugins = [
  ...['avellaneda', 'bollinger-reversion', 'donchian', 'glft', 'imbalance-mm', 'imbalance-taker'],
  ...['join-the-bid', 'ma-cross', 'ping-pong', 'pmm', 'rebalance', 'rsi-reversion', 'simple-mm'],
];

/** Reads every TypeScript and JavaScript file that we wrote below `root`. */
export function sourceFilesIn(root: string): SourceFile[] {
  return ['src', ...shippedPlugins.map((name) => `strategies/${name}`), 'packages', 'test']
    .flatMap((top) =>
      fs
        .readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
        .map((name) => path.posix.join(top, name.replaceAll(path.sep, '/'))),
    )
    .filter((file) => /\.(?:tsx?|mjs|js)$/u.test(file))
    .filter((file) => !/\/(?:node_modules|fixtures|dist|page\/bundle)\//u.test(file))
    .sort()
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
}

const codeTexts = new WeakMap<SourceFile, CodeText>();

/** Returns {@link codeTextOf} of the file's text, which is made once for each file. */
export function codeOf(source: SourceFile): CodeText {
  const known = codeTexts.get(source) ?? codeTextOf(source.text);
  codeTexts.set(source, known);
  return known;
}
