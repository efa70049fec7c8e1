/**
 * The API of the page over real HTTP: every answer is what its declaration says, for a bot that
 * runs, one that has stopped and one that is gone; events; commands; and several bots.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as z from 'zod';
import { registerBot } from '../../../src/control/bot-registry.ts';
import { commandTokenPath, tokenAt } from '../../../src/dashboard/access/token-file.ts';
import type { ApiOperation } from '../../../src/dashboard/api/api-operation.ts';
import { apiOperations, type OperationName } from '../../../src/dashboard/api/api-operations.ts';
import { openDashboard } from '../../../src/dashboard/server/dashboard-server.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { pageRecords } from '../../support/page-records.ts';
import {
  askPage,
  bearer,
  postPage,
  readEvents,
  stalledReader,
} from '../../support/page-requests.ts';
import { makeBot, openPageWorld, type PageWorld, script } from '../../support/page-world.ts';
import { sampleStatus } from '../../support/sample-status.ts';

const api = '/api/v1';
let world: PageWorld;
beforeAll(async () => {
  world = await openPageWorld({ records: pageRecords() });
});
afterAll(() => world.close());

function pathOf(name: OperationName, bot: string): string {
  const operation: ApiOperation = apiOperations[name];
  const path = operation.path.replace('{bot}', bot).replace('{intentId}', '1');
  const query = new URLSearchParams(
    Object.entries(operation.example ?? {}).map(([key, value]) => [key, String(value)]),
  );
  return `${api}${path}?${query}`;
}

/** Asks an operation, and returns its answer, which must be what is declared. */
async function asked(name: OperationName, bot = world.bot.id): Promise<unknown> {
  const headers = bearer(world.target);
  const { status, text } = await askPage(world.target, pathOf(name, bot), { headers });
  expect(status, text).toBe(200);
  const value: unknown = JSON.parse(text);
  const { answer }: ApiOperation = apiOperations[name];
  const result = (answer as z.ZodType).safeParse(value);
  expect(result.error?.issues ?? [], name).toEqual([]);
  return value;
}

const reads = Object.entries<ApiOperation>(apiOperations)
  .filter(([, { method, events }]) => method === 'GET' && events === undefined)
  .map(([name]) => name as OperationName);

describe('every answer is what its declaration says', () => {
  test.each(reads)('%s of a bot that runs', async (name) => {
    await world.startBot();
    await asked(name);
    world.stopBot();
  });

  test.each(reads)('%s of a bot that does not answer', async (name) => {
    await asked(name);
  });
});

test('a bot that runs tells its status, one that does not what its database knows', async () => {
  await world.startBot();
  expect(await asked('status')).toMatchObject({ status: { bot: 'desk' }, stored: null });
  world.stopBot();
  // Its last status answers for a moment.
  await vi.waitFor(
    async () =>
      expect(await asked('status')).toMatchObject({
        status: null,
        bot: { state: 'silent' },
        problem: 'the process of desk runs, but does not answer: it is starting or blocked',
        stored: { orders: { filled: 2, open: 1 }, positions: [{ base: '0.000499', fills: 2 }] },
      }),
    3_000,
  );
});

test('events: the status, that the bot is gone, and that it is back', async () => {
  await world.startBot();
  const { seen, end } = readEvents(world.target, `${api}/bots/${world.bot.id}/events`);
  const { events }: ApiOperation = apiOperations.events;
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(2));
  world.stopBot();
  await vi.waitFor(() => expect(seen.at(-1)?.event).toBe('gone'));
  await world.startBot();
  await vi.waitFor(() => expect(seen.at(-1)?.event).toBe('status'), 3_000);
  end();
  world.stopBot();
  const names = seen.map(({ event }) => event);
  expect(names.filter((name) => name !== 'status')).toEqual(['gone', 'back']);
  for (const { event, data } of seen)
    expect(events?.[event]?.safeParse(data).error?.issues ?? []).toEqual([]);
});

test('a reader that takes nothing is dropped; others get their events, and memory stays', {
  timeout: 60_000,
}, async () => {
  const text = 'x'.repeat(400_000);
  world.status = { ...sampleStatus, notices: [{ level: 'info', topic: 'state', text, atMs: 1 }] };
  await world.startBot();
  const path = `${api}/bots/${world.bot.id}/events`;
  const stalled = stalledReader(world.target, path);
  const { seen, end } = readEvents(world.target, path);
  const ended = new Promise((resolve) => stalled.once('close', resolve));
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(20), 10_000);
  seen.length = 0;
  const before = process.memoryUsage().rss;
  // What the system has taken for it is read only now, up to the end that the server made.
  await new Promise((resolve) => setTimeout(resolve, 14_000));
  stalled.resume();
  await ended;
  expect(seen.length).toBeGreaterThan(50);
  seen.length = 0;
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  end();
  world.status = sampleStatus;
  world.stopBot();
});

test('a command reaches the bot with its reason, as the user of the page', async () => {
  const headers = {
    ...bearer(world.target),
    'x-millrace-command-token': world.target.commandToken,
  };
  const path = `${api}/bots/${world.bot.id}/commands`;
  const halt = { command: 'halt', confirm: 'halt', reason: `news ${script}`, user: 'ana' };
  const early = await postPage(world.target, path, halt, headers);
  expect(early.status).toBe(503);
  await world.startBot();
  const done = await postPage(world.target, path, { ...halt, scope: 'pair:XBTZAR' }, headers);
  expect([done.status, JSON.parse(done.text)]).toEqual([
    200,
    { isRefused: false, text: `halt: news ${script}`, remaining: null },
  ]);
  expect(world.commands.at(-1)).toEqual({
    ...{ command: 'halt', reason: `news ${script}`, by: 'page ana', scope: 'pair:XBTZAR' },
  });
  const set = { ...halt, command: 'set', confirm: 'set', scope: 'strategy:mm' };
  const values = { halfSpread: '30bps' };
  expect((await postPage(world.target, path, { ...set, values }, headers)).status).toBe(200);
  expect(world.commands.at(-1)).toEqual({
    ...{ command: 'set', reason: `news ${script}`, by: 'page ana', scope: 'strategy:mm', values },
  });
  const without = JSON.parse((await postPage(world.target, path, set, headers)).text);
  expect(without).toMatchObject({
    isRefused: true,
    text: expect.stringContaining('values must be'),
  });
  const answerTo = async (wrong: unknown) =>
    (await postPage(world.target, path, { ...set, values: wrong }, headers)).status;
  for (const wrong of [{ halfSpread: 5 }, { halfSpread: '1'.repeat(101) }, ['30bps'], 'x'])
    expect(await answerTo(wrong)).toBe(400);
  expect(await answerTo({ halfSpread: '1'.repeat(10_000) })).toBe(413);
  const refused = { ...halt, reason: 'refuse' };
  const answer = await postPage(world.target, path, refused, headers);
  expect(JSON.parse(answer.text)).toMatchObject({ isRefused: true });
  world.stopBot();
});

test('a body that is wrong is refused with what is allowed', async () => {
  const path = `${api}/bots/${world.bot.id}/commands`;
  const set = { command: 'set', confirm: 'set', reason: 'calm', scope: 'strategy:mm' };
  for (const [more, text] of [
    [{ reason: '' }, 'the body is wrong: reason: must not be empty'],
    [{ reason: 'a\nb' }, 'the body is wrong: reason: must be one line'],
    [{ values: { halfSpread: 30 } }, 'values.halfSpread: must be text, such as \\"30bps\\"'],
  ] as const) {
    const headers = {
      ...bearer(world.target),
      'x-millrace-command-token': world.target.commandToken,
    };
    const { status, text: answer } = await postPage(
      world.target,
      path,
      { ...set, ...more },
      headers,
    );
    expect([status, answer]).toEqual([400, expect.stringContaining(text)]);
  }
});

test('script text in names and reasons stays text: JSON that no browser takes for a page', async () => {
  const headers = bearer(world.target);
  for (const name of ['orders', 'incidents', 'log', 'story'] as const) {
    const answer = await askPage(world.target, pathOf(name, world.bot.id), { headers });
    expect(answer.text).toContain('alert(1)');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  }
  const page = await askPage(world.target, '/');
  expect(page.text).not.toContain('desk');
});

test('wrong queries, unknown bots and orders are refused with what is allowed', async () => {
  const headers = bearer(world.target);
  const { id } = world.bot;
  const cases: readonly (readonly [string, number, RegExp])[] = [
    [`bots/${id}/history`, 400, /pair/u],
    [`bots/${id}/history?pair=XBTZAR&points=1000000`, 400, /points.*10000/u],
    [`bots/${id}/orders?limit=0`, 400, /limit/u],
    [`bots/${id}/orders?state=lost`, 400, /state.*waiting/u],
    [`bots/${id}/orders?x=1`, 400, /unknown parameter; it may have before, limit/u],
    [`bots/${id}/orders/999`, 404, /no order 999/u],
    [`bots/${id}/orders/x'--`, 404, /nothing/u],
    ['bots/other-00000000/status', 404, /GET bots lists them/u],
    ['nothing', 404, /no such path/u],
  ];
  for (const [path, status, text] of cases) {
    const answer = await askPage(world.target, `${api}/${path}`, { headers });
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.text).toMatch(text);
  }
});

test('orders come page by page, newest first, and can be chosen', async () => {
  const headers = bearer(world.target);
  const list = async (query: string) =>
    JSON.parse(
      (await askPage(world.target, `${api}/bots/${world.bot.id}/orders?${query}`, { headers }))
        .text,
    ) as { orders: { intentId: number }[]; next: number | null };
  const first = await list('limit=2');
  expect([first.orders.map(({ intentId }) => intentId), first.next]).toEqual([[3, 2], 2]);
  const last = await list('limit=2&before=2');
  expect([last.orders.map(({ intentId }) => intentId), last.next]).toEqual([[1], null]);
  expect((await list('state=open')).orders.map(({ intentId }) => intentId)).toEqual([3]);
  expect((await list('strategy=other')).orders).toEqual([]);
});

test('a second bot is shown too, and is commanded only with its own token', async () => {
  const second = makeBot(world.folder, 'second', []);
  const end = registerBot(world.registry, second);
  const { bots } = (await asked('bots')) as { bots: { id: string; state: string }[] };
  expect(bots.map(({ id }) => id)).toEqual([world.bot.id, second.id]);
  await asked('status', second.id);
  const path = `${api}/bots/${second.id}/commands`;
  const halt = { command: 'halt', confirm: 'halt', reason: 'x' };
  const own = { ...bearer(world.target), 'x-millrace-command-token': world.target.commandToken };
  const none = await postPage(world.target, path, halt, own);
  expect([none.status, none.text]).toEqual([403, expect.stringContaining('no page of its own')]);
  const token = tokenAt(commandTokenPath(second));
  expect((await postPage(world.target, path, halt, own)).status).toBe(403);
  const right = { ...own, 'x-millrace-command-token': token };
  expect((await postPage(world.target, path, halt, right)).status).toBe(503);
  end(Date.now());
  expect(await asked('status', second.id)).toMatchObject({
    bot: { state: 'stopped' },
    problem: 'second has stopped in order',
  });
});

test('a damaged database is named in the answer, and is no fault of the page', async () => {
  const bot = makeBot(world.folder, 'damaged', []);
  const end = registerBot(world.registry, bot);
  writeFileSync(`${bot.store}.archive`, 'x'.repeat(4_096));
  const headers = bearer(world.target);
  for (let count = 0; count < 3; count++) {
    const answer = await askPage(world.target, pathOf('orders', bot.id), { headers });
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('cannot read')]);
  }
  expect(world.warnings.join()).not.toContain('an answer');
  rmSync(bot.store);
  end(0);
});

test('many who ask for the status at once make the bot compose it once', async () => {
  await world.startBot();
  const before = world.statusesAsked;
  await Promise.all(Array.from({ length: 30 }, () => asked('status')));
  expect(world.statusesAsked - before).toBeLessThanOrEqual(3);
  world.stopBot();
});

test('a port that the settings name and that is taken is an error; the usual one is replaced', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await vi.waitFor(() => expect(blocker.listening).toBe(true));
  const { port } = blocker.address() as { port: number };
  const options = {
    ...{ bot: world.bot, registry: world.registry },
    settings: { port, listen: '127.0.0.1', hosts: [] },
  };
  const parts = { clock: createClock(), timers: createTimers(), warn: () => {} };
  await expect(openDashboard(options, parts)).rejects.toThrow(
    `dashboard.port is ${port}, and another program listens there`,
  );
  blocker.close();
});

test('a host of the settings is served, with its port or with any', async () => {
  const options = {
    ...{ bot: world.bot, registry: world.registry },
    settings: { port: undefined, listen: '127.0.0.1', hosts: ['bots.example', 'other.example:80'] },
  };
  const parts = { clock: createClock(), timers: createTimers(), warn: () => {} };
  const open = await openDashboard(options, parts);
  const { port, host } = new URL(open.address);
  expect(host).toBe(`bots.example:${port}`);
  const at = { host: '127.0.0.1', port: Number(port) };
  const statusFor = async (name: string) =>
    (await askPage(at, '/', { headers: { host: name } })).status;
  expect(await statusFor('bots.example:8080')).toBe(200);
  expect(await statusFor('other.example:80')).toBe(200);
  expect(await statusFor('other.example:81')).toBe(403);
  await open.close();
});
