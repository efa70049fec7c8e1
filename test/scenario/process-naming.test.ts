/** How a person names a bot that runs, and a command without a bot, which is refused. */
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endAll, millrace, newHome } from '../support/process-bot.ts';
import { copyPackage } from '../support/safety-bot.ts';

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
      /name the bot: .* -- \w+ config\/demo\.yaml; no bot of this inst/u,
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
    `demo: npm --prefix ${root} run --silent millrace -- halt config/demo.yaml --home ${home}`,
  );
  const halted = millrace(['halt', 'demo', '--reason', 'the news'], { root });
  expect((await halted.ended).code, halted.text).toBe(0);
  await bot.sees(/bot is HALTED: the news/u);
  bot.signal('SIGTERM');
  expect((await bot.ended).code, bot.text).toBe(0);
  const gone = millrace(['status', 'demo'], { root });
  expect((await gone.ended).code).toBe(4);
  expect(gone.stderr).toContain('no bot named "demo" runs');
}, 120_000);
