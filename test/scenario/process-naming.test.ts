/** How a command finds its bot, that bot's exchange and its key. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCredentials } from '../../src/venues/luno/simulator/server/credentials-file.ts';
import { problemOfCommand, suggestedIn } from '../support/pasted-commands.ts';
import { endAll, millrace, newHome } from '../support/process-bot.ts';
import { copyPackage, openPlace } from '../support/safety-bot.ts';

afterAll(endAll);

test('a command without a bot is refused and sends no key; a bot that runs is named by its name', async () => {
  const asked: string[] = [];
  const listener = createServer((socket) => {
    socket.on('data', (data) => asked.push(String(data))).on('error', () => {});
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const home = newHome();
  const root = join(home, 'package');
  copyPackage(root);
  const { port } = listener.address() as AddressInfo;
  writeFileSync(
    join(root, 'config', 'venues', 'simulator.yaml'),
    `version: 1\nbaseUrl: http://127.0.0.1:${port}\nstreamUrl: ws://127.0.0.1:${port}\n`,
  );
  const env = {
    MILLRACE_API_KEY_ID: 'the-live-key',
    MILLRACE_API_KEY_SECRET: 'its-secret'.repeat(4),
  };
  const verbs = ['halt', 'reduce', 'resume', 'kill'].map((verb) => [verb, '--reason', 'x']);
  const others = ['watchdog', 'panic', 'status', 'report', 'reconcile', 'keycheck', 'checks'];
  for (const named of [...verbs, ...others.map((verb) => [verb]), ['why', '--refused']]) {
    const refused = millrace(named, { root, env });
    expect((await refused.ended).code, named[0]).toBe(2);
    expect(refused.stderr).toMatch(
      /name the bot: .* -- \w+ config\/demo\.yaml.*; no bot of this project/u,
    );
  }
  expect(asked).toEqual([]);
  listener.close();

  const bot = millrace(['start', '--home', home, '--json'], { root });
  await bot.sees(/ is open \(/u, 2);
  const status = millrace(['status', 'demo', '--json'], { root });
  expect((await status.ended).code, status.text).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({ live: { pid: bot.pid } });
  const unnamed = millrace(['halt', '--reason', 'x'], { root });
  expect((await unnamed.ended).code).toBe(2);
  expect(unnamed.stderr).toContain(
    `demo: npm run --silent millrace -- halt config/demo.yaml --reason x --home ${home}`,
  );
  const halted = millrace(['halt', 'demo', '--reason', 'the news'], { root });
  expect((await halted.ended).code, halted.text).toBe(0);
  await bot.sees(/bot is HALTED: the news/u);
  bot.signal('SIGTERM');
  expect((await bot.ended).code, bot.text).toBe(0);
  const commands = suggestedIn(`${bot.text}\n${unnamed.text}\n${halted.text}`);
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.map(problemOfCommand)).toEqual(commands.map(() => undefined));
  const gone = millrace(['status', 'demo'], { root });
  expect((await gone.ended).code).toBe(4);
  expect(gone.stderr).toContain('no bot named "demo" is running');
}, 120_000);

test('reconcile works with a key of the environment, where the home has no exchange of its own', async () => {
  const { root, home } = await openPlace();
  const { api_key_id, api_key_secret } = readCredentials(join(home, 'simulator'));
  const env = { MILLRACE_API_KEY_ID: api_key_id, MILLRACE_API_KEY_SECRET: api_key_secret };
  const own = newHome();
  const place = ['config/demo.yaml', '--home', own];
  const bot = millrace(['run', ...place, '--json'], { root, env });
  await bot.sees(/ is open \(/u);
  bot.signal('SIGTERM');
  expect((await bot.ended).code, bot.text).toBe(0);
  const compared = millrace(['reconcile', ...place, '--json'], { root, env });
  expect((await compared.ended).code, compared.text).toBe(0);
  expect(JSON.parse(compared.stdout)).toMatchObject({ equal: true });
}, 60_000);

test('a home that others can write is refused before anything is opened', async () => {
  const home = newHome();
  chmodSync(home, 0o777);
  const bot = millrace(['start', '--home', home]);
  expect((await bot.ended).code, bot.text).toBe(3);
  expect(bot.stderr).toMatch(/is writable by other users \(mode 777\): .*chmod go-w /u);
  expect(readdirSync(home)).toEqual([]);
}, 60_000);
