/** What an operator hears of a bot that is blocked, or dies, while it is told something. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askRunningBot } from '../../../src/cli/ask-running.ts';
import { runOperatorCommand } from '../../../src/cli/commands/operator-command.ts';
import { askBot, BotEndedError, watchBot } from '../../../src/control/control-client.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { exitCodeOf, exitCodes } from '../../../src/terminal/exit-code.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';
import { printed } from '../../support/printed.ts';

let home = '';
const servers: { close(): unknown }[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'millrace-control-'));
  mkdirSync(join(home, 'demo.sqlite.control'));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(home, { recursive: true, force: true });
});

const path = (): string => join(home, 'demo.sqlite.control', 'bot');

/** A bot that hears a command and does `then`. */
async function botThat(then: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => socket.once('data', () => then(socket)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path(), resolve));
  return server;
}

const ask = (onText: (text: string) => void = () => {}) =>
  askBot(
    path(),
    { command: 'halt', reason: 'a test' },
    { timers: createTimers(), onProgress: ({ text }) => onText(text) },
  );

test.each(['{"isDone"', 'null', '7'])(
  'an answer %s, of another program or version, ends neither asker nor watcher',
  async (line) => {
    await botThat((socket) => void socket.write(`${line}\n`));
    await expect(ask()).rejects.toThrow('is not of this version');
    const reason = await new Promise((resolve) =>
      watchBot(path(), { onStatus: () => {}, onEnd: resolve }),
    );
    expect(reason).toBe('the answer of the bot is not of this version');
  },
);

describe('a bot that does not answer', () => {
  test('is said to be blocked, with what stops its orders, and 75', async () => {
    await botThat((socket) => void socket.pause());
    const output = new Output({
      workspace,
      isJson: true,
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    });
    const bot = {
      store: join(home, 'demo.sqlite'),
      place: { config: '/etc/b.yaml', home, workspace },
      output,
    };
    const request = { command: 'halt', reason: 'a test' } as const;
    const error = await askRunningBot(bot, request).catch((one: unknown) => one);
    expect(exitCodeOf(error)).toBe(exitCodes.alreadyRunning);
    expect(String(error)).toMatch(
      /has not answered for 5 s: it is blocked, and carries out the command if it continues/u,
    );
    for (const verb of ['panic', 'watchdog'])
      expect(String(error)).toContain(
        `\n  npm run --silent millrace -- ${verb} /etc/b.yaml --home ${home}\n`,
      );
  }, 10_000);

  test('that ended first leaves open what it did', async () => {
    await botThat((socket) => socket.destroy());
    await expect(ask()).rejects.toThrow(BotEndedError);
  });
});

test('a kill whose bot dies goes on without it, until no order is open', async () => {
  await botThat((socket) => {
    const answer = { isDone: false, isRefused: false, text: 'the bot is HALTED' };
    socket.write(`${JSON.stringify(answer)}\n`, () => socket.destroy());
  });
  const calls: string[] = [];
  const exchange = createHttpServer((request, response) => {
    calls.push(`${request.method} ${request.url?.split('?')[0]}`);
    response.setHeader('content-type', 'application/json').end('{"orders":[]}');
  });
  servers.push(exchange);
  await new Promise<void>((resolve) => exchange.listen(0, '127.0.0.1', resolve));
  const { port } = exchange.address() as AddressInfo;
  const lease = { process: 'gone', pid: 1, beat: 1, baseUrl: `http://127.0.0.1:${port}` };
  writeFileSync(join(home, 'demo.sqlite.lease'), JSON.stringify(lease));
  const stdout = new PassThrough();
  const code = await runOperatorCommand({
    workspace,
    command: 'kill',
    config: 'config/demo.yaml',
    home,
    reason: 'a test',
    scope: undefined,
    thenStop: false,
    environment: { MILLRACE_API_KEY_ID: 'key-of-test', MILLRACE_API_KEY_SECRET: 'secret-of-test' },
    output: new Output({ workspace, isJson: false, stdout, stderr: new PassThrough() }),
  });
  expect(code).toBe(exitCodes.ok);
  const said = printed(stdout);
  expect(said).toContain('the bot is HALTED');
  expect(said).toContain('the bot ended before it proved that its orders are closed');
  expect(said).toContain('no order is open, as two lists in a row show');
  expect(new Set(calls)).toEqual(new Set(['GET /api/exchange/2/listorders']));
}, 30_000);
