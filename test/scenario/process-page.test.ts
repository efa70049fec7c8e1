/** The page of real bots: its address, a bot that is killed and comes back, a page that fails. */
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { BotsAnswer, GoneEvent, StatusAnswer } from '../../src/dashboard/api/bot-answers.ts';
import type { CommandsAnswer, OrdersAnswer } from '../../src/dashboard/api/history-answers.ts';
import type { BotStatus } from '../../src/domain/bot-status.ts';
import { askPage, bearer, postPage, readEvents } from '../support/page-requests.ts';
import { type BotProcess, endAll, millrace, newHome } from '../support/process-bot.ts';
import { canMount, fillDisk, mountDisk, releaseAllDisks } from '../support/small-disk.ts';

afterAll(async () => {
  await endAll();
  releaseAllDisks();
});

const limitMs = 180_000;
const waiting = { timeout: 60_000, interval: 100 };

function start(home: string, state: string, ...more: string[]): BotProcess {
  return millrace(['start', '--home', home, ...more], { env: { XDG_STATE_HOME: state } });
}

/** Waits for the address of a bot's page. */
async function pageOf(bot: BotProcess) {
  await bot.sees(/^page http/mu);
  const [, port = '', viewToken = ''] =
    /^page http:\/\/127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{32})$/mu.exec(bot.text) ?? [];
  const target = { host: '127.0.0.1', port: Number(port), viewToken };
  const read = async <Answer>(path: string): Promise<Answer> => {
    const { text } = await askPage(target, `/api/v1/${path}`, { headers: bearer(target) });
    return JSON.parse(text) as Answer;
  };
  return { target, read };
}

test('a killed bot is gone on the page of another one, and comes back', {
  timeout: limitMs,
}, async () => {
  const [first, second, state] = [newHome(), newHome(), newHome()];
  let bot = start(first, state);
  const other = start(second, state);
  const page = await pageOf(bot);
  expect(bot.stdout).toMatch(/^page http/u);
  await bot.sees(/reconciled: /u);
  await other.sees(/reconciled: /u);
  const { target, read } = await pageOf(other);
  const { bots } = await read<BotsAnswer>('bots');
  expect(bots.map(({ bot: name, state: now, isOwn }) => [name, now, isOwn])).toEqual([
    ['demo', 'running', true],
    ['demo', 'running', false],
  ]);
  const { id = '' } = bots[1] ?? {};
  const { seen, end } = readEvents(target, `/api/v1/bots/${id}/events`);
  const runNow = () => (seen.at(-1)?.data as BotStatus | undefined)?.run;
  await vi.waitFor(() => expect(runNow()).toBe(1), waiting);
  const session = await postPage(page.target, '/api/v1/session', {
    token: page.target.viewToken,
  });
  const [cookie = ''] = session.headers['set-cookie'] as string[];

  await bot.kill();
  // Its socket may close before the system has ended the process, and for a moment it is silent.
  await vi.waitFor(
    () =>
      expect(seen.at(-1)?.data as GoneEvent).toMatchObject({
        bot: { id, state: 'gone' },
        text: 'demo was killed or has crashed; its orders may be open until it starts again',
      }),
    waiting,
  );
  const known = await read<StatusAnswer>(`bots/${id}/status`);
  expect(known).toMatchObject({ status: null, stored: { lastRun: { run: 1, isClosed: false } } });

  bot = start(first, state);
  const { target: again } = await pageOf(bot);
  // The open page of before needs no new token.
  const headers = { cookie: cookie.split(';')[0] ?? '' };
  expect((await askPage(again, '/api/v1/bots', { headers })).status).toBe(200);
  await vi.waitFor(() => expect(runNow()).toBe(2), waiting);
  expect(seen.map(({ event }) => event).filter((event) => event !== 'status')).toContain('back');

  const path = `/api/v1/bots/${id}/commands`;
  const token = readFileSync(join(first, 'page', 'demo.command-token'), 'utf8').trim();
  const command = { command: 'halt', confirm: 'halt', reason: 'lunch', user: 'ana' };
  const right = { ...bearer(target), 'x-millrace-command-token': token };
  const halted = await postPage(target, path, command, right);
  expect(halted.text).toContain('HALTED');
  const listed = () => read<CommandsAnswer>(`bots/${id}/commands`);
  // What only explains is stored up to a second later.
  await vi.waitFor(async () => expect((await listed()).commands).toHaveLength(1), waiting);
  expect((await listed()).commands).toMatchObject([
    { by: 'page ana', command: 'halt', reason: 'lunch', outcome: 'done' },
  ]);
  end();
  for (const one of [bot, other]) {
    one.signal('SIGINT');
    expect((await one.ended).signal, one.text).toBeNull();
  }
  const log = readFileSync(join(first, 'log', 'demo.log'), 'utf8');
  expect(log).not.toContain(page.target.viewToken);
});

test('a page that cannot be served is one notice, and the bot trades', {
  timeout: limitMs,
}, async () => {
  const [home, state] = [newHome(), newHome()];
  const before = start(home, state, '--for', '1s');
  await before.ended;
  const path = join(home, 'page', 'demo.view-token');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  const bot = start(home, state, '--for', '5s');
  expect((await bot.ended).code, bot.text).toBe(0);
  expect(bot.text).toContain(
    'the page is not served, and trading goes on: ' +
      `${path} can be read by others (mode 644): remove it, and the next start makes a new one`,
  );
  expect(bot.text).not.toMatch(/^page http/mu);
  expect(bot.text).toMatch(/quote .* wants/u);
});

test('a start that fails ends, with its page open', { timeout: limitMs }, async () => {
  const [home, state] = [newHome(), newHome()];
  writeFileSync(join(home, 'demo.sqlite'), 'no database');
  const bot = start(home, state);
  await bot.sees(/^page http/mu);
  expect((await bot.ended).code, bot.text).toBe(1);
});

test.skipIf(!canMount())(
  'a bot whose disk is full is still shown, by the page of another one',
  {
    timeout: limitMs,
  },
  async () => {
    const [disk, home, state] = [mountDisk(16), newHome(), newHome()];
    // Only the database lies on the full disk.
    for (const name of ['journal', 'log', 'simulator']) {
      mkdirSync(join(home, 'elsewhere', name), { recursive: true });
      symlinkSync(join(home, 'elsewhere', name), join(disk, name));
    }
    const full = start(disk, state);
    await full.sees(/ is open \(/u);
    fillDisk(disk);
    expect((await full.ended).code, full.text).toBe(1);

    const other = start(home, state);
    await other.sees(/reconciled: /u);
    const { read } = await pageOf(other);
    const { bots } = await read<BotsAnswer>('bots');
    const { id = '' } = bots.find(({ isOwn }) => !isOwn) ?? {};
    const known = await read<StatusAnswer>(`bots/${id}/status`);
    expect(known).toMatchObject({ status: null, stored: { lastRun: { run: 1 } } });
    const orders = await read<OrdersAnswer>(`bots/${id}/orders?limit=5`);
    expect(orders.orders.length).toBeGreaterThan(0);
    other.signal('SIGINT');
    expect((await other.ended).signal, other.text).toBeNull();
  },
);
