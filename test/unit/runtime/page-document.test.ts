/** No text of a page's content or title can end its element. */
import { expect, test } from 'vitest';
import { linkedPage, selfContainedPage } from '../../../src/runtime/page-document.ts';

const mischief = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> &amp;';
const document = { title: mischief, content: { page: 'live', name: mischief } };

test('a linked page has only its own script and the data as they were', () => {
  const html = linkedPage(document);
  expect(html.match(/<script/gu)).toHaveLength(2);
  expect(html).not.toContain('<img');
  const data = /id="page">(?<data>.*)<\/script>/u.exec(html)?.groups?.['data'] ?? '';
  expect(JSON.parse(data)).toEqual(document.content);
});

test('a self-contained page asks for no other file', () => {
  const html = selfContainedPage(document, { hasCandles: true });
  expect(html).not.toMatch(/<(?:script|img|link)[^>]*(?:src|href)="(?!data:,")/u);
  expect(html.match(/<\/script>/gu)).toHaveLength(3);
  expect(html.match(/<\/style>/gu)).toHaveLength(1);
  const without = selfContainedPage(document, { hasCandles: false });
  expect(html.length - without.length).toBeGreaterThan(50_000);
});
