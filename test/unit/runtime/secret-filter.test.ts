/**
 * No registered secret leaves the process in any encoding.
 *
 * Method: canaries with special characters are written in each encoding and at each place that is
 * known to leak; then no part of a canary, decoded or not, may remain in the output.
 */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createLogger, type LogFields } from '../../../src/runtime/log.ts';
import { createSecretFilter } from '../../../src/runtime/secret-filter.ts';

const id = 'key-id-47';
const secret = 'cAnary/+"é\\s=3cret?&x~*';
const filter = createSecretFilter([{ id, secret }]);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const forms: Record<string, string> = {
  raw: secret,
  base64: base64(secret),
  base64url: Buffer.from(secret).toString('base64url'),
  'base64 of id:secret': base64(`${id}:${secret}`),
  'base64 one byte in': base64(`a${secret}`),
  'base64 two bytes in': base64(`ab${secret}z`),
  'base64 among others': base64(`{"user":"${id}","pass":"${secret}","more":1}`),
  'url component': encodeURIComponent(secret),
  'lower-case url': encodeURIComponent(secret).replace(/%../gu, (sign) => sign.toLowerCase()),
  form: new URLSearchParams({ secret }).toString(),
  'url with a user': new URL(`https://${encodeURIComponent(secret)}@host/`).href,
  'url of base64': encodeURIComponent(base64(secret)),
  json: JSON.stringify(secret),
  'json in json': JSON.stringify(JSON.stringify({ secret })),
  hex: Buffer.from(secret).toString('hex'),
  'upper-case hex': Buffer.from(secret).toString('hex').toUpperCase(),
  'inspected buffer': inspect(Buffer.from(secret)),
  'json of a buffer': JSON.stringify(Buffer.from(secret)),
};

/** Returns whether the canary can be read in `text`, plain or decoded in any known way. */
function reveals(text: string): boolean {
  const words = text.match(/[\w+/=-]{12,}/gu) ?? [];
  const shifted = words.flatMap((word) => [0, 1, 2, 3].map((shift) => word.slice(shift)));
  const lists = text.match(/[0-9a-fA-F]{2}(?: [0-9a-fA-F]{2})+/gu) ?? [];
  const byteLists = text.match(/\d+(?:,\d+)+/gu) ?? [];
  const decoded = [
    text,
    text.replace(/%([0-9a-fA-F]{2})/gu, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    ...shifted.map((word) => Buffer.from(word, 'base64').toString()),
    ...shifted.map((word) => Buffer.from(word, 'hex').toString()),
    ...lists.map((list) => Buffer.from(list.replaceAll(' ', ''), 'hex').toString()),
    ...byteLists.map((list) => Buffer.from(list.split(',').map(Number)).toString()),
  ];
  return decoded.some((plain) => /cAnary|s=3cret/u.test(plain));
}

test.each(Object.entries(forms))('%s is replaced and the rest of the line kept', (_name, form) => {
  const filtered = filter(`before ${form} after`);
  expect(reveals(form) || form.includes('%2F')).toBe(true);
  expect(reveals(filtered)).toBe(false);
  expect(filtered).toMatch(/^before .*(?:\[secret\]|\[0\]).* after$/u);
});

const places: Record<string, { message: string; fields: LogFields }> = {
  'three deep': { message: 'm', fields: { a: { b: { c: secret } } } },
  'inside an error': { message: 'm', fields: { err: Object.assign(new Error('e'), { secret }) } },
  'in a stack': { message: 'm', fields: { err: new Error(`failed with ${secret}`) } },
  'in a cause': { message: 'm', fields: { err: new Error('e', { cause: new Error(secret) }) } },
  'in the message': { message: `sent ${secret} off`, fields: {} },
  'in a JSON string': { message: 'm', fields: { body: JSON.stringify({ k: secret }) } },
  'in a URL': { message: 'm', fields: { url: `https://x/?k=${encodeURIComponent(secret)}` } },
  'in an array': { message: 'm', fields: { list: [1, [secret]] } },
  'as a name': { message: 'm', fields: { [secret]: 1 } },
  'in a basic header': {
    message: 'm',
    fields: { headers: { authorization: `Basic ${base64(`${id}:${secret}`)}` } },
  },
  'in a buffer': { message: 'm', fields: { bytes: Buffer.from(secret) } },
};

test.each(Object.entries(places))('the log hides a secret %s', (_name, { message, fields }) => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    secrets: [{ id, secret }],
    destination: (make) => lines.push(make()),
  });
  logger.child({ part: 'test' }).info(message, fields);
  expect(lines).toHaveLength(1);
  expect(reveals(lines[0] ?? '')).toBe(false);
  const parsed: Record<string, unknown> = JSON.parse(lines[0] ?? '');
  expect(parsed).toMatchObject({ level: 'info', part: 'test' });
  expect(reveals(JSON.stringify(parsed))).toBe(false);
});

test('any secret is hidden in base64 at any position, and other text does not change', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }),
      fc.string({ maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      (anySecret, before, after) => {
        const filtered = createSecretFilter([anySecret])(base64(before + anySecret + after));
        expect(filtered).toContain('[secret]');
        expect(filtered.replaceAll('[secret]', '').length).toBeLessThanOrEqual(
          base64(before).length + base64(after).length + 8,
        );
      },
    ),
  );
  expect(filter('an ordinary line with 123.45 and XBTZAR')).toBe(
    'an ordinary line with 123.45 and XBTZAR',
  );
});

test('a secret as short as an ordinary word is refused, without showing it', () => {
  expect(() => createSecretFilter(['abc4567'])).toThrow(/8 characters/u);
  expect(() => createSecretFilter(['abc4567'])).not.toThrow(/abc4567/u);
});

test('lines below the level are not written, and % in a message stays', () => {
  const lines: string[] = [];
  const destination = (make: () => string): number => lines.push(make());
  const logger = createLogger({ level: 'warn', secrets: [], destination });
  logger.info('no');
  logger.error('100%s sure %d', { count: 1 });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', msg: '100%s sure %d', count: 1 },
  ]);
});

test('a line tells when it was logged, however late it is made', () => {
  vi.useFakeTimers({ now: 1_000 });
  try {
    const lines: (() => string)[] = [];
    const logger = createLogger({
      ...{ level: 'info', secrets: [] },
      destination: (line) => lines.push(line),
    } as const);
    logger.info('one');
    vi.setSystemTime(2_000);
    logger.child({ part: 'test' }).info('two');
    vi.setSystemTime(3_000);
    expect(lines.map((make) => JSON.parse(make()))).toEqual([
      { level: 'info', time: 1_000, msg: 'one' },
      { level: 'info', time: 2_000, part: 'test', msg: 'two' },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('an error that cannot be read is thrown at once, and costs no line that waits', () => {
  const lines: (() => string)[] = [];
  const logger = createLogger({
    ...{ level: 'info', secrets: [] },
    destination: (line) => lines.push(line),
  } as const);
  const odd = {
    get message(): string {
      throw new Error('unreadable');
    },
  };
  logger.info('one');
  expect(() => logger.fatal('two', { err: odd })).toThrow('unreadable');
  logger.fatal('three');
  expect(lines.map((make) => JSON.parse(make()))).toMatchObject([{ msg: 'one' }, { msg: 'three' }]);
});
