/** What the start says of a bot's page. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { servePage } from '../../../src/bot/serve-page.ts';
import type { BotSettings } from '../../../src/domain/bot-settings.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import type { Output } from '../../../src/terminal/output.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'serve-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Serves a page; `lines` has what the start says, and `threads` the threads of its server. */
async function served(environment: { readonly [name: string]: string } = {}) {
  const [lines, threads] = [[] as string[], [] as Worker[]];
  const note = (thread: Worker) => void threads.push(thread);
  process.on('worker', note);
  const timers = createTimers();
  const settings = { bot: 'desk', mode: 'demo', store: join(home, 'desk.sqlite') };
  const page = await servePage({
    settings: settings as BotSettings,
    dashboard: { port: undefined, listen: '127.0.0.1', hosts: [] },
    // The pauses between restarts are shorter.
    timers: { ...timers, after: (ms, call, options) => timers.after(ms / 20, call, options) },
    ...{ home, clock: createClock() },
    environment: { XDG_STATE_HOME: home, ...environment },
    output: { line: (text: string) => lines.push(text) } as unknown as Output,
  });
  const close = async () => {
    await page.close();
    process.off('worker', note);
  };
  return { lines, threads, page, close };
}

test('a server that dies is started again at its port, said once, and given up after several times', {
  timeout: 60_000,
}, async () => {
  const { lines, threads, page, close } = await served();
  await expect.poll(() => page.address(), { timeout: 20_000 }).toBeDefined();
  const address = page.address() ?? '';
  const answers = () =>
    fetch(address).then(
      ({ status }) => status,
      () => 0,
    );
  for (let restarts = 1; restarts <= 5; restarts++) {
    await threads.at(-1)?.terminate();
    await expect.poll(() => threads.length, { timeout: 20_000 }).toBe(restarts + 1);
    await expect.poll(answers, { timeout: 20_000 }).toBe(200);
    expect(page.address()).toBe(address);
  }
  const again =
    /^! the server of the page has ended and is started again: its thread ended with \d$/u;
  expect(lines.filter((line) => line.includes('started again'))).toEqual([
    expect.stringMatching(again),
  ]);
  expect(lines.filter((line) => line.startsWith('page '))).toHaveLength(1);
  await threads.at(-1)?.terminate();
  await expect.poll(() => page.address(), { timeout: 20_000 }).toBeUndefined();
  expect(lines.at(-1)).toMatch(
    /^! the page is not served, and trading goes on: after 5 restarts: its thread ended with \d$/u,
  );
  await close();
  expect(threads).toHaveLength(6);
});

test.each([
  ['a terminal has the address with the token', {}, true],
  ['the journal of a service has it without', { JOURNAL_STREAM: '8:12' }, false],
])('%s', { timeout: 30_000 }, async (_, environment, hasToken) => {
  const { lines, close } = await served(environment);
  await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('whoever has');
  await close();
  const path = join(home, 'page', 'desk.view-token');
  const token = readFileSync(path, 'utf8').trim();
  expect(lines.join()).toMatch(/page http:\/\/127\.0\.0\.1:\d+\//u);
  expect(lines.join().includes(token)).toBe(hasToken);
  expect(lines.join().includes(path)).toBe(!hasToken);
});
