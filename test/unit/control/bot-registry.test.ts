/** The registry of a user's bots: running, stopped and killed ones, and foreign folders. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  registerBot,
  registeredBots,
  registeredId,
  registryFolder,
} from '../../../src/control/bot-registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'registry-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const dayMs = 86_400_000;
const nowMs = Date.now();

function bot(name: string) {
  const store = join(folder, `${name}.sqlite`);
  writeFileSync(store, '');
  const id = registeredId(name, store);
  return { id, bot: name, mode: 'demo' as const, store, home: folder, startedMs: nowMs };
}

const registry = () => join(folder, 'state', 'bots');

test('a running bot is alive, a stopped one has its end, and each has a file only its owner reads', () => {
  const end = registerBot(registry(), bot('desk'));
  registerBot(registry(), bot('other'));
  expect(
    registeredBots(registry(), nowMs).map(({ bot: name, isAlive }) => [name, isAlive]),
  ).toEqual([
    ['desk', true],
    ['other', true],
  ]);
  end(nowMs + 5);
  expect(registeredBots(registry(), nowMs)[0]).toMatchObject({
    isAlive: false,
    endedMs: nowMs + 5,
  });
  expect(statSync(registry()).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(registry()))
    expect(statSync(join(registry(), name)).mode & 0o777).toBe(0o600);
});

test('a bot whose process is gone is not alive and has no end', () => {
  const killed = bot('desk');
  registerBot(registry(), killed);
  const entry = { ...killed, pid: 2 ** 22 + 1, process: 'gone' };
  writeFileSync(join(registry(), `${killed.id}.json`), JSON.stringify(entry));
  expect(registeredBots(registry(), nowMs)).toMatchObject([{ bot: 'desk', isAlive: false }]);
  expect(registeredBots(registry(), nowMs)[0]?.endedMs).toBeUndefined();
});

test('two bots of one name with different databases are two', () => {
  registerBot(registry(), bot('desk'));
  const other = { ...bot('desk'), store: join(folder, 'second.sqlite') };
  writeFileSync(other.store, '');
  registerBot(registry(), { ...other, id: registeredId('desk', other.store) });
  expect(registeredBots(registry(), nowMs)).toHaveLength(2);
});

test('a bot is forgotten a week after its end, and with its database', () => {
  const old = bot('desk');
  registerBot(registry(), old)(nowMs - 8 * dayMs);
  const lost = bot('lost');
  registerBot(registry(), lost);
  rmSync(lost.store);
  expect(registeredBots(registry(), nowMs)).toEqual([]);
  expect(readdirSync(registry())).toEqual([]);
});

test('a bot that was killed is forgotten a week after it last wrote', () => {
  const killed = bot('desk');
  registerBot(registry(), killed);
  const path = join(registry(), `${killed.id}.json`);
  const entry = JSON.stringify({
    ...killed,
    startedMs: nowMs - 30 * dayMs,
    pid: 2 ** 22 + 1,
    process: 'gone',
  });
  writeFileSync(path, entry);
  expect(registeredBots(registry(), nowMs)).toHaveLength(1);
  const longAgo = (nowMs - 8 * dayMs) / 1000;
  utimesSync(killed.store, longAgo, longAgo);
  expect(registeredBots(registry(), nowMs)).toEqual([]);
});

test('files that are no entries are removed, and a folder that others can write is not used', () => {
  registerBot(registry(), bot('desk'));
  writeFileSync(join(registry(), 'x.json'), '{"id":1}');
  writeFileSync(join(registry(), 'y.json'), 'no JSON');
  expect(registeredBots(registry(), nowMs)).toHaveLength(1);
  expect(readdirSync(registry())).toHaveLength(1);
  chmodSync(registry(), 0o777);
  expect(registeredBots(registry(), nowMs)).toEqual([]);
  expect(() => registerBot(registry(), bot('other'))).toThrow(/writable by no other/u);
});

test('the folder follows the environment', () => {
  expect(registryFolder({ XDG_STATE_HOME: '/s' })).toBe('/s/millrace/bots');
  expect(registryFolder({})).toMatch(/\.local\/state\/millrace\/bots$/u);
});
