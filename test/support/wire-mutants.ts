/**
 * Bodies and frames that no honest exchange sends: good ones changed at random, and those that have
 * broken readers before. The same seed gives the same ones.
 */
import type { SeededRandom } from './seeded-random.ts';

/** JSON texts that are put in the place of a value. */
const hostileValues = [
  ...['null', 'true', '-1', '0', '1e400', '-0', '1e3', '9007199254740993', '1'.repeat(400)],
  ...['"9007199254740993"', '"-1"', '"1e3"', '""', '"\\u0000"', '"\\ud800"', '[]', '{}', '[[]]'],
  ...['{"__proto__":{"x":1}}', '"__proto__"', 'NaN', '"١٢"', '"0x10"', '1000000000000000000'],
  ...['"1_000"', '"+1"', '".5"', '"1."', '"Infinity"', '"1,5"', '" 1"', '0.1234567890123456789'],
  ...['{"toString":1}', '{"length":1e9}', '[null]', '"BX\\r\\nX: 1"', '"../../send"', '-1e-400'],
  `${'['.repeat(3_000)}1234567890123456${']'.repeat(3_000)}`,
];

/** Whole bodies. */
const hostileTexts = [
  ...['', ' ', 'null', '[]', '{}', '"x"', '""', '0', 'NaN', '{', '}', '{"a":}', "{'a':1}"],
  '<!doctype html><html><body>404 page not found</body></html>',
  '{"__proto__":{"trades":[],"orders":[]}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"error_code":"ErrOrderNotFound","error_code":"ErrOther","error":"twice"}',
  '{"errorCode":"ErrOrderNotFound","message":"m"}',
  '{"code":"ErrOrderNotFound"}',
  '{"error_code":{"toString":"ErrOrderNotFound"}}',
  '{"error_code":"ErrOrderNotFound\\r\\n"}',
  `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  '{"a":'.repeat(100_000),
  `{"error_code":"${'E'.repeat(10_000)}"}`,
];

/** Returns a body: as often a changed sample as one of the worst, in one of several encodings. */
export function mutantOf(samples: readonly string[], random: SeededRandom): Uint8Array {
  const isWhole = random.fraction() < 0.1;
  let text = isWhole ? random.pick(hostileTexts) : random.pick(samples);
  if (!isWhole) for (let n = random.integer(1, 3); n > 0; n--) text = mutate(text, random);
  switch (random.integer(0, 40)) {
    case 0:
      return Buffer.from(text, 'utf16le');
    case 1:
      return Buffer.from(`\ufeff${text}`);
    case 2:
      // Half a character at the end, as a cut connection leaves it.
      return Buffer.concat([Buffer.from(text), Buffer.from([0xe2, 0x82])]);
    case 3:
      return Buffer.from(text, 'latin1');
    default:
      return Buffer.from(text);
  }
}

/** Returns `text` changed in one place. */
export function mutate(text: string, random: SeededRandom): string {
  const at = random.integer(0, text.length);
  const to = Math.min(text.length, at + random.integer(1, 12));
  switch (random.integer(0, 8)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, to) + text.slice(at);
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.integer(0, 0xffff)) + text.slice(to);
    case 4:
      return text.replace(/"(?=:)/u, '_"');
    case 5:
      return text.replace('{', `{"__proto__":${random.pick(hostileValues)},`);
    case 6: {
      // A member again, with another value: the last one counts, as for every reader of JSON.
      const members = [...text.matchAll(/"(\w+)":/gu)];
      if (members.length === 0) return text;
      const end = text.lastIndexOf('}');
      const twice = `,"${random.pick(members)[1]}":${random.pick(hostileValues)}`;
      return text.slice(0, end) + twice + text.slice(end);
    }
    default: {
      // A whole value becomes another one, so that the text stays JSON.
      const values = [...text.matchAll(/(?<=:)(?:"[^"]*"|-?[\d.]+|null|true|false)/gu)];
      if (values.length === 0) return text;
      const { 0: old, index } = random.pick(values);
      return text.slice(0, index) + random.pick(hostileValues) + text.slice(index + old.length);
    }
  }
}
