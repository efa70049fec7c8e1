/** What a running bot hears, and what it does with clients that do not read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchBot } from '../../../src/control/control-client.ts';
import { parseControlRequest } from '../../../src/control/control-message.ts';
import { type ControlServer, openControl } from '../../../src/control/control-server.ts';
import type { BotStatus } from '../../../src/domain/bot-status.ts';
import { createTimers } from '../../../src/runtime/timers.ts';

let home = '';
let server: ControlServer | undefined;
const sockets: Socket[] = [];
const patient = { timeout: 10_000 };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'millrace-server-'));
});
afterEach(() => {
  server?.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  rmSync(home, { recursive: true });
});

const path = (): string => join(home, 'control', 'bot');
const parse = (request: object) => parseControlRequest(JSON.stringify(request));

test.each(['user ana', 'page Ana Botha'])('a request may say who asks: %s', (by) => {
  const request = { command: 'halt', reason: 'news', by };
  expect(parse(request)).toEqual(request);
});

test.each(['ana', 'root ana', 'page ', 'user \nx', `page ${'x'.repeat(100)}`, 7])(
  'who asks cannot be %j',
  (by) => {
    expect(parse({ command: 'halt', reason: 'news', by })).toMatchObject({
      problem: expect.stringContaining('by must be "user NAME" or "page NAME"'),
    });
  },
);

test('a stop needs a reason and has no scope; a watch needs neither', () => {
  expect(parse({ command: 'stop', reason: 'done' })).toEqual({ command: 'stop', reason: 'done' });
  expect(parse({ command: 'stop', reason: ' ' })).toMatchObject({
    problem: 'reason is empty: say why',
  });
  expect(parse({ command: 'stop', reason: 'x', scope: 'bot' })).toHaveProperty('problem');
  expect(parse({ command: 'watch' })).toEqual({ command: 'watch', reason: '' });
});

const setting = { command: 'set', reason: 'calm', scope: 'strategy:mm' };

test('a set names a strategy and values', () => {
  const request = { ...setting, values: { halfSpread: '30bps', levels: '3' } };
  expect(parse(request)).toEqual(request);
  expect(parse({ ...request, scope: 'pair:XBTZAR' })).toEqual({
    problem: 'set needs the scope of one strategy, such as "strategy:mm"',
  });
  expect(parse({ command: 'halt', reason: 'x', values: { a: '1' } })).toEqual({
    problem: 'only set has values',
  });
});

test.each([
  [undefined, 'values must be an object of texts by name'],
  [['a'], 'values must be an object of texts by name'],
  [{}, 'there must be 1 to 20 values'],
  [Object.fromEntries([...Array(21).keys()].map((n) => [`a${n}`, '1'])), '1 to 20 values'],
  [{ a: 1 }, 'a must be one line of 1 to 100 characters, was 1'],
  [{ a: '' }, 'a must be one line of 1 to 100 characters'],
  [{ a: 'x\ny' }, 'a must be one line of 1 to 100 characters'],
  [{ a: 'x'.repeat(3_000) }, /^a must be .* 100 characters, was "x{59}… \(3002 characters\)$/u],
  [{ '<script>': '1' }, 'the name of a parameter must be at most 64 letters'],
])('values cannot be %j', (values, problem) => {
  const found = parse({ ...setting, values });
  expect('problem' in found && found.problem).toMatch(problem);
});

test('a value of 10 kB is refused before it is read', async () => {
  let heard = 0;
  server = await openControl(path(), createTimers(), () => heard++);
  const line = JSON.stringify({ ...setting, values: { halfSpread: '1'.repeat(10_000) } });
  const answer = await new Promise<string>((resolve) => {
    const socket = createConnection(path());
    sockets.push(socket);
    socket.on('data', (data) => resolve(String(data)));
    socket.write(`${line}\n`);
  });
  expect(JSON.parse(answer)).toMatchObject({ isRefused: true, text: 'the request is too long' });
  expect(heard).toBe(0);
});

/** A bot that sends `line` to its watcher as often as it is ready. */
async function botThatSends(line: string) {
  const seen = { lines: 0, left: 0 };
  server = await openControl(path(), createTimers(), (_request, _answer, stream) => {
    const send = (): void => {
      if (!stream.isReady()) return;
      stream.offer(line);
      seen.lines++;
    };
    const timer = setInterval(send, 1);
    stream.onLeft(() => {
      clearInterval(timer);
      seen.left++;
    });
  });
  return seen;
}

test('a watcher that does not read is disconnected, and little waits for it', async () => {
  const line = 'x'.repeat(20_000);
  const seen = await botThatSends(line);
  const socket = createConnection(path());
  sockets.push(socket);
  socket.on('error', () => {});
  socket.pause();
  socket.write('{"command":"watch"}\n');
  await expect.poll(() => seen.left, { timeout: 9_000, interval: 100 }).toBe(1);
  // What the system buffers, and one line more.
  expect(seen.lines * line.length).toBeLessThan(2_000_000);
}, 15_000);

test('a watcher that reads gets every line, and ends its watch by leaving', async () => {
  const answer = { isDone: false, isRefused: false, text: 'reconciled', status: { run: 7 } };
  const seen = await botThatSends(JSON.stringify(answer));
  const got: BotStatus[] = [];
  const watch = watchBot(path(), {
    onStatus: (status, text) => got.push({ ...status, bot: text }),
    onEnd: () => expect.unreachable(),
  });
  await expect.poll(() => got.length, patient).toBeGreaterThan(3);
  expect(got[0]).toEqual({ run: 7, bot: 'reconciled' });
  watch.close();
  await expect.poll(() => seen.left, patient).toBe(1);
});

test('a watch says that no bot listens, that the bot has ended, and why it was refused', async () => {
  const ends: string[] = [];
  const watch = (): void =>
    void watchBot(path(), { onStatus: () => {}, onEnd: (reason) => ends.push(reason) });
  watch();
  await expect.poll(() => ends.splice(0), patient).toEqual(['no bot listens (ENOENT)']);
  const seen = await botThatSends('{"isDone":false,"isRefused":false,"text":""}');
  watch();
  await expect.poll(() => seen.lines, patient).toBeGreaterThan(0);
  server?.close();
  await expect
    .poll(() => ends.splice(0), patient)
    .toEqual(['the bot has ended, or this program read too slowly']);
  server = await openControl(path(), createTimers(), (_request, tell) =>
    tell({ isDone: true, isRefused: true, text: 'too many' }),
  );
  watch();
  await expect.poll(() => ends.splice(0), patient).toEqual(['too many']);
});
