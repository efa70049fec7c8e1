/** The strategy in docs/feeds.md does what the page says. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Strategy } from '../../../src/index.ts';
import { fakeContext } from '../../../src/testing.ts';
import { packageRoot } from '../../support/package-root.ts';
import { linkModules } from '../../support/planted-plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it quotes around the reference price, and nothing while there is none', async () => {
  const page = readFileSync(join(packageRoot, 'docs/feeds.md'), 'utf8');
  const [, code = ''] = /```ts\n(import .*?)```/su.exec(page) ?? [];
  const path = join(folder, 'follow.ts');
  linkModules(folder);
  writeFileSync(path, code.replace("'millrace'", `'${join(packageRoot, 'src/index.ts')}'`));
  const loaded = (await import(pathToFileURL(path).href)) as {
    default: Strategy<unknown, undefined>;
  };
  const { lines } = fakeContext(loaded.default, {
    parameters: { size: '0.01', halfSpread: '1%' },
    top: ['a', { a: { bid: '1000', ask: '1004' } }],
    feeds: { reference: ['--a-s-b', { a: '1000.5', s: 'stale', b: '1010' }] },
    for: '20s',
  });
  expect(lines).toEqual([
    expect.stringMatching(/^0ms quote XBTZAR: nothing/u),
    expect.stringMatching(/^2s quote XBTZAR: BID 0\.01 at 990 .*, ASK 0\.01 at 1011 /u),
    expect.stringMatching(/^4s quote XBTZAR: nothing/u),
    expect.stringMatching(/^6s quote XBTZAR: BID 0\.01 at 999 .*, ASK 0\.01 at 1021 /u),
    expect.stringMatching(/^15s quote XBTZAR: BID/u),
  ]);
});
