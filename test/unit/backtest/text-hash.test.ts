/** A hash of texts is SHA-256 of their concatenation in UTF-8, however they are divided. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { TextHash } from '../../../src/backtest/run/text-hash.ts';

const last = Uint8Array.of(0, 255);

test.each([
  ['ASCII', ['order', 'a', '', '1.50']],
  ['other characters', ['über', 'a', '価格', 'b']],
  ['more than a buffer', Array.from({ length: 50_000 }, (_, at) => `row ${at}`)],
  ['a text longer than the buffer', ['a', 'b'.repeat(200_000), 'c']],
  ['a long text of other characters', ['a', 'é'.repeat(60_000), 'b'.repeat(60_000)]],
])('%s', (_, texts) => {
  const hash = new TextHash();
  for (const text of texts) hash.addWord(text);
  const whole = texts.map((text) => ` ${text}`).join('');
  expect(hash.finish(last)).toBe(createHash('sha256').update(whole).update(last).digest('hex'));
});
