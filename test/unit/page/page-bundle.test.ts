/** The committed bundle of the page is that of the sources; write it by: npm run page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageBundle } from '../../../packages/page/build.mjs';
import { bundleFolder } from '../../../src/runtime/page-document.ts';

test('the committed bundle is that of the sources; write it by: npm run page', async () => {
  const made: Readonly<Record<string, string>> = await pageBundle();
  expect(readdirSync(bundleFolder).sort()).toEqual(Object.keys(made).sort());
  const other = Object.entries(made)
    .filter(([name, text]) => readFileSync(join(bundleFolder, name), 'utf8') !== text)
    .map(([name]) => name);
  expect(other).toEqual([]);
});

test('no file of it could end the element that contains it', () => {
  for (const name of readdirSync(bundleFolder))
    expect(readFileSync(join(bundleFolder, name), 'utf8')).not.toMatch(
      /<\/(?:script|style)|<!--/iu,
    );
});

test('each script names the licence of everything in it', () => {
  const read = (name: string): string => readFileSync(join(bundleFolder, name), 'utf8');
  const head = (name: string): string => read(name).slice(0, 2_500);
  for (const name of ['preact', '@preact/signals', 'uplot'])
    expect(head('page.js')).toMatch(new RegExp(`${name} \\d.*MIT licence. Copyright`, 'u'));
  expect(head('page.js')).toContain('Permission is hereby granted');
  expect(head('candles.js')).toContain('https://www.tradingview.com/');
  expect(read('licences.txt')).toContain('Apache License');
});
