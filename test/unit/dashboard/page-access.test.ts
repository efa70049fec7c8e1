/** The tokens of a page: their files, the cookie, and wrong ones. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PageAccess } from '../../../src/dashboard/access/page-access.ts';
import {
  commandTokenPath,
  readToken,
  tokenAt,
  viewTokenPath,
} from '../../../src/dashboard/access/token-file.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tokens-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const place = () => ({ home, bot: 'desk' });

test('a token is made once, in a file that only its owner reads, and stays', () => {
  const path = viewTokenPath(place());
  const token = tokenAt(path);
  expect(token).toMatch(/^[0-9a-f]{32}$/u);
  // The address is printed on terminals of 80 columns, and must be copied in one piece.
  expect(`page http://127.0.0.1:65535/#token=${token}`.length).toBeLessThanOrEqual(80);
  expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'page')).mode & 0o777).toBe(0o700);
  expect(tokenAt(path)).toBe(token);
  expect(tokenAt(commandTokenPath(place()))).not.toBe(token);
});

test('a file that others can read, or that has no token, is refused with what helps', () => {
  const path = viewTokenPath(place());
  tokenAt(path);
  chmodSync(path, 0o644);
  expect(() => tokenAt(path)).toThrow(/mode 644.*remove it/u);
  chmodSync(path, 0o600);
  writeFileSync(path, '\n');
  expect(() => readToken(path)).toThrow(/has no token.*remove it/u);
  rmSync(path);
  expect(readToken(path)).toBeUndefined();
});

test('the cookie of one start opens the page of the next, until the token changes', () => {
  const open = (viewToken: string) =>
    new PageAccess({ viewToken, bot: 'desk-0a1b2c3d', nowMs: () => 0, warn: () => {} });
  const cookie = open('a'.repeat(32)).cookie().split(';')[0] ?? '';
  expect(open('a'.repeat(32)).viewOf({ cookie: `x=1; ${cookie}; y=2` })).toBe('right');
  expect(open('b'.repeat(32)).viewOf({ cookie })).toBe('wrong');
  expect(open('a'.repeat(32)).viewOf({ cookie: 'x=1' })).toBe('missing');
});

test('two bots of one name do not take the cookie of each other', () => {
  const open = (bot: string) =>
    new PageAccess({ viewToken: bot.padEnd(32, '0'), bot, nowMs: () => 0, warn: () => {} });
  const [first, second] = [open('desk-0a1b2c3d'), open('desk-4e5f6a7b')];
  const cookie = [first, second].map((access) => access.cookie().split(';')[0]).join('; ');
  expect([first, second].map((access) => access.viewOf({ cookie }))).toEqual(['right', 'right']);
});

test('warnings of wrong tokens do not repeat them', () => {
  const warnings: string[] = [];
  const access = new PageAccess({
    viewToken: 'a'.repeat(32),
    bot: 'desk-0a1b2c3d',
    nowMs: () => 0,
    warn: (text) => warnings.push(text),
  });
  for (let count = 0; count < 20; count++) access.exchange(`secret-${count}`);
  access.commandOf('desk-1', 'b'.repeat(32), 'secret-x');
  expect(access.commandOf('desk-1', 'b'.repeat(32), 'b'.repeat(32))).toBe('right');
  expect(access.commandOf('desk-2', 'b'.repeat(32), undefined)).toBe('missing');
  expect(warnings).toHaveLength(3);
  expect(warnings.join()).not.toContain('secret');
});
