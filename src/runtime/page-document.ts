/**
 * The HTML around the page for browsers: either a document that loads the files of the bundle from
 * beside it, or one that contains them and can be opened as a file.
 *
 * Invariant: no text of the content can end its element or begin another one.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type PageDocument = {
  readonly title: string;
  /** What the page shows; `page` names which one it is. It must be plain data. */
  readonly content: { readonly page: string };
};

export const bundleFolder = join(import.meta.dirname, '../page/bundle');

/** Returns a document for a server that also serves the files of {@link bundleFolder} beside it. */
export function linkedPage(document: PageDocument): string {
  return htmlOf(document, [
    '<link rel="stylesheet" href="page.css">',
    '<script type="module" src="page.js"></script>',
  ]);
}

/**
 * Returns a document that needs no other file and asks for none. Candles need a large script, so
 * only a page that shows some should contain it.
 */
export function selfContainedPage(
  document: PageDocument,
  { hasCandles }: { readonly hasCandles: boolean },
): string {
  const [script, style] = [readBundle('page.js'), readBundle('page.css')];
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}${hasCandles ? ' blob:' : ''}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const candles = `<script type="text/plain" id="candles-code">${readBundle('candles.js')}</script>`;
  return htmlOf(document, [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<style>${style}</style>`,
    ...(hasCandles ? [candles] : []),
    `<script type="module">${script}</script>`,
  ]);
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function htmlOf({ title, content }: PageDocument, head: readonly string[]): string {
  const data = JSON.stringify(content).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedText(title)}</title>
<link rel="icon" href="data:,">
${head.join('\n')}
</head>
<body>
<div id="root"></div>
<script type="application/json" id="page">${data}</script>
</body>
</html>
`;
}

/** A test shows that no file of the bundle has signs that would end its element. */
function readBundle(name: string): string {
  return readFileSync(join(bundleFolder, name), 'utf8');
}

function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
