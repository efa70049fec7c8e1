/** An operator at a bot that runs, and at one that does not: halt, resume, kill, panic, status. */
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, millrace, newHome, startDemo } from '../support/process-bot.ts';
import { openOrders, openPlace, untilOpen, writeConfig } from '../support/safety-bot.ts';

afterAll(endAll);

const demo = 'config/demo.yaml';

async function run(root: string | undefined, ...commandLine: string[]) {
  const started = millrace(commandLine, root === undefined ? {} : { root });
  const { code } = await started.ended;
  const last = started.stdout.trimEnd().split('\n').at(-1) ?? '';
  return { code, out: started.stdout, err: started.stderr, last };
}

/** Sends one line to the control channel of a bot and returns its answer. */
function say(path: string, line: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    let text = '';
    socket.on('error', reject).setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('end', () => resolve(JSON.parse(text)));
    socket.write(`${line}\n`);
  });
}

describe.concurrent('an operator', () => {
  test('halts, asks, resumes and kills a bot that runs; a halt outlives the process', async () => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    const socket = join(home, 'demo.sqlite.control', 'bot');
    expect(statSync(join(home, 'demo.sqlite.control')).mode & 0o777).toBe(0o700);
    expect(statSync(socket).mode & 0o777).toBe(0o600);

    const wrong = await run(
      undefined,
      'halt',
      demo,
      '--home',
      home,
      '--reason',
      'x',
      '--pair',
      'XBTUSD',
    );
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('it has bot, strategy:mm-xbt, pair:XBTZAR');

    const halt = ['halt', demo, '--home', home, '--reason', 'the news', '--json'];
    const halted = await run(undefined, ...halt, '--strategy', 'mm-xbt');
    expect([halted.code, JSON.parse(halted.last)]).toMatchObject([0, { isRunning: true }]);
    await bot.sees(/strategy:mm-xbt is HALTED: the news/u);
    // One of its two orders may have been filled a moment before.
    await bot.sees(/ is cancelled /u);

    const asked = () => run(undefined, 'status', demo, '--home', home, '--json');
    await expect
      .poll(async () => JSON.parse((await asked()).last).live.orders.live, { timeout: 30_000 })
      .toBe(0);
    expect(JSON.parse((await asked()).last)).toMatchObject({
      live: { pid: bot.pid, orders: { live: 0 } },
      tradingStates: [{ scope: 'strategy:mm-xbt', state: 'HALTED', reason: 'the news' }],
    });
    const why = await run(undefined, 'why', demo, '--refused', '--home', home);
    expect(why.out).toContain('strategy:mm-xbt is HALTED');
    expect(why.out).toContain('the news');

    const open = bot.text.match(/ is open \(/gu)?.length ?? 0;
    expect((await run(undefined, 'resume', demo, '--home', home, '--reason', 'calm')).code).toBe(0);
    await bot.sees(/ is open \(/u, open + 2);

    const killed = await run(
      undefined,
      'kill',
      demo,
      '--home',
      home,
      '--reason',
      'enough',
      '--stop',
      '--json',
    );
    expect([killed.code, JSON.parse(killed.last)]).toMatchObject([0, { remaining: 0 }]);
    expect((await bot.ended).code, bot.text).toBe(0);

    const next = startDemo(home, '--for', '5s');
    expect((await next.ended).code, next.text).toBe(0);
    expect(next.text).not.toMatch(/ is open \(/u);
    expect(next.text).toMatch(/refused: .*TRADING_STATE: .*HALTED/u);
  }, 120_000);

  test('sets parameters of a bot that runs; a killed one starts with its file and says so', async () => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    const set = (...words: string[]) =>
      run(undefined, 'set', demo, ...words, '--home', home, '--reason', 'calm', '--json');
    const wide = await set('mm-xbt', 'halfSpread=40bps');
    expect([wide.code, JSON.parse(wide.last)], wide.err).toMatchObject([
      0,
      { text: expect.stringMatching(/^mm-xbt: halfSpread is 40bps, was /u) },
    ]);
    for (const [words, text] of [
      [['mm-xbt', 'halfSpread=2', 'tolerance=3bps'], 'halfSpread was "2": must be a share'],
      [['mm-xbt'], 'name the strategy and its parameters'],
    ] as const) {
      const refused = await set(...words);
      expect([refused.code, refused.err], words.join(' ')).toEqual([
        2,
        expect.stringContaining(text),
      ]);
    }
    const status = await run(undefined, 'status', demo, '--home', home);
    expect(status.out).toMatch(/^set {8}mm-xbt halfSpread: 40bps, in the file \d+bps \(calm, by/mu);
    expect(status.out).not.toMatch(/^set .*tolerance/mu);
    bot.signal('SIGKILL');
    await bot.ended;
    const stopped = await set('mm-xbt', 'halfSpread=40bps');
    expect([stopped.code, stopped.err]).toEqual([4, expect.stringContaining('is not running')]);
    const next = startDemo(home, '--for', '2s');
    expect((await next.ended).code, next.text).toBe(0);
    expect(next.text).toMatch(/the 40bps that was set by user \S+ at \S+ \(calm\)/u);
  }, 120_000);

  test('panics after a demo that died with its exchange: that is started, and its orders stopped', async () => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    bot.signal('SIGKILL');
    await bot.ended;
    const named = [demo, '--home', home, '--json'];
    const panicked = await run(undefined, 'panic', ...named);
    expect(panicked.code, panicked.err).toBe(0);
    expect(JSON.parse(panicked.last)).toMatchObject({ isClean: true, open: 0 });
    expect(JSON.parse(panicked.last).stopsSent).toBeGreaterThan(0);
  }, 120_000);

  test('without a bot writes under the lock, and the next start obeys', async () => {
    const home = newHome();
    const none = await run(undefined, 'halt', demo, '--home', home, '--reason', 'x');
    expect(none.code).toBe(4);
    expect((await startDemo(home, '--for', '1s').ended).code).toBe(0);
    const reduced = await run(
      undefined,
      'reduce',
      demo,
      '--home',
      home,
      '--reason',
      'less',
      '--json',
    );
    expect([reduced.code, JSON.parse(reduced.last)]).toMatchObject([0, { isRunning: false }]);
    const status = await run(undefined, 'status', demo, '--home', home, '--json');
    expect(JSON.parse(status.last)).toMatchObject({ tradingStates: [{ state: 'REDUCING' }] });
    const halted = await run(undefined, 'halt', demo, '--home', home, '--reason', 'off', '--json');
    expect([halted.code, JSON.parse(halted.last)]).toMatchObject([0, { isRunning: false }]);
    const next = startDemo(home, '--for', '4s');
    expect((await next.ended).code).toBe(0);
    expect(next.text).not.toMatch(/ is open \(/u);
    expect(next.text).toMatch(
      /! bot has been HALTED since \d{4}-\S+Z: off; to resume it: npm run .* resume config/u,
    );
    expect(next.summary().states).toMatchObject([{ scope: 'bot', state: 'HALTED' }]);
    const forPeople = await run(undefined, 'start', '--home', home, '--for', '1s');
    expect(
      forPeople.out.match(/! bot has been HALTED since \S+Z: off; to resume it: /gu),
    ).toHaveLength(2);
    const silent = await run(undefined, 'resume', demo, '--home', home, '--reason', ' ');
    expect([silent.code, silent.err]).toEqual([
      2,
      expect.stringContaining('must not be empty: say why'),
    ]);
    const part = [demo, '--home', home, '--pair', 'XBTZAR', '--reason'];
    const partHalted = await run(undefined, 'halt', ...part, 'a part');
    expect(partHalted.out).toMatch(
      /^the bot is not running; at its next start pair:XBTZAR will be halted\. .* kill config/u,
    );
    const partResumed = await run(undefined, 'resume', ...part, 'a part');
    const closed = ' will be ACTIVE, but still does not trade: bot is HALTED\n';
    expect(partResumed.out).toContain(`at its next start pair:XBTZAR${closed}`);
    expect(partResumed.out).toMatch(
      /\npair:XBTZAR was HALTED: a part\n! bot has been HALTED since /u,
    );
    const resumed = await run(undefined, 'resume', demo, '--home', home, '--reason', 'on');
    const opened = 'the bot is not running; its next start may trade\nbot was HALTED: off\n';
    expect(resumed).toMatchObject({ code: 0, out: opened });
    const last = startDemo(home);
    await last.sees(/ is open \(/u, 2);
    last.signal('SIGTERM');
    expect((await last.ended).code, last.text).toBe(0);
  }, 120_000);

  test('G11: no word over the control channel raises a limit, places an order or changes a setting', async () => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    const socket = join(home, 'demo.sqlite.control', 'bot');
    for (const line of [
      '{"command":"setLimit","reason":"x"}',
      '{"command":"place","reason":"x","pair":"XBTZAR"}',
      '{"command":"halt","reason":"x","ordersOpenMax":1000}',
      '{"command":"halt","reason":""}',
      '{"command":"halt","reason":"two\\nlines"}',
      '{"command":"resume","reason":"x","scope":"pair:__proto__"}',
      '["halt"]',
      'halt',
      `{"command":"halt","reason":"${'x'.repeat(10_000)}"}`,
    ])
      expect(await say(socket, line), line).toMatchObject({ isDone: true, isRefused: true });
    const { code, err } = await run(undefined, 'run', demo, '--limits', 'none');
    expect([code, err]).toEqual([2, expect.stringContaining('unknown option')]);
    // Nothing of it has halted or moved anything.
    // A quote that moves has a third order for a moment.
    await expect
      .poll(() => say(socket, '{"command":"status"}'), { timeout: 10_000 })
      .toMatchObject({ status: { orders: { live: 2 } } });
    bot.signal('SIGTERM');
    expect((await bot.ended).code, bot.text).toBe(0);
    expect(bot.text).not.toContain('HALTED');
  }, 60_000);

  test('G9: a configuration that is edited while the bot runs changes nothing, and is told', async () => {
    const home = newHome();
    const config = join(home, 'mine.yaml');
    writeFileSync(config, readFileSync('config/demo.yaml', 'utf8'));
    writeFileSync(join(home, 'egress.yaml'), readFileSync('config/egress.yaml'));
    const bot = millrace(['start', config, '--home', home, '--json']);
    await bot.sees(/ is open \(/u, 2);
    appendFileSync(config, '\n# another size\n');
    const status = await run(undefined, 'status', config, '--home', home);
    expect(status.out).toMatch(/config +[0-9a-f]{8}; the file has changed since/u);
    bot.signal('SIGTERM');
    expect((await bot.ended).code, bot.text).toBe(0);
  }, 60_000);

  test('a person approves one order above the soft limit, by the word of its refusal', async () => {
    const home = newHome();
    const config = join(home, 'mine.yaml');
    const text = readFileSync('config/demo.yaml', 'utf8');
    const soft = text
      .replace(/approveAbove: \{[^}]*\}/u, 'approveAbove: { ZAR: "5000" }')
      // Far from the market, so that the order approved a while later can still rest.
      .replace('halfSpread: "20bps"', 'halfSpread: "150bps"')
      .replace('refresh: "15s"', 'refresh: "60s"');
    expect(soft).toContain('"5000"');
    writeFileSync(config, soft);
    writeFileSync(join(home, 'egress.yaml'), readFileSync('config/egress.yaml'));
    const bot = millrace(['start', config, '--home', home]);
    await bot.sees(/without approval [0-9a-f]{16}/u);
    const [, token = ''] = /without approval ([0-9a-f]{16})/u.exec(bot.text) ?? [];
    const approve = (word: string) =>
      run(undefined, 'approve', config, word, '--reason', 'looked', '--home', home);
    expect((await approve('no token')).code).toBe(2);
    const unknown = await approve('ffffffffffffffff');
    expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining('no order asked')]);
    expect(bot.text).not.toMatch(/ is open \(/u);
    const approved = await approve(token);
    expect([approved.code, approved.out]).toEqual([
      0,
      expect.stringContaining('may be placed once'),
    ]);
    await bot.sees(/ is open \(/u);
    expect(bot.text.match(/ is open \(/gu)).toHaveLength(1);
    bot.signal('SIGTERM');
    expect((await bot.ended).code, bot.text).toBe(0);
    expect((await approve(token)).code).toBe(4);
  }, 60_000);

  test('G10: a run says when its configuration is not that of the run before', async () => {
    const home = newHome();
    const config = join(home, 'mine.yaml');
    writeFileSync(config, readFileSync('config/demo.yaml', 'utf8'));
    writeFileSync(join(home, 'egress.yaml'), readFileSync('config/egress.yaml'));
    expect((await run(undefined, 'start', config, '--home', home, '--for', '1s')).code).toBe(0);
    const same = millrace(['start', config, '--home', home, '--for', '1s']);
    expect((await same.ended).code, same.text).toBe(0);
    expect(same.text).not.toContain('has changed since run');
    appendFileSync(config, '\n# another size\n');
    const other = millrace(['start', config, '--home', home, '--for', '1s']);
    expect((await other.ended).code, other.text).toBe(0);
    expect(other.text).toMatch(
      /the configuration has changed since run 2: its hash was [0-9a-f]{8}, and /u,
    );
  }, 60_000);

  test('G8: mode, flag and venue that do not suit each other are refused before anything is opened', async () => {
    const folder = newHome();
    const home = join(folder, 'home');
    const config = join(folder, 'live.yaml');
    const text = readFileSync('config/demo.yaml', 'utf8')
      .replace(
        'mode: demo ',
        'mode: live\nlive: { keyFingerprint: "0123456789abcdef" }\n' +
          'approved: { settings: ["0123456789abcdef"], strategies: ["0123456789abcdef"] } ',
      )
      .replace('# accounts:', 'accounts:');
    writeFileSync(config, text);
    const loopback = await run(undefined, 'run', config, '--live', '--home', home);
    expect([loopback.code, loopback.err]).toEqual([
      2,
      expect.stringContaining('needs a remote venue'),
    ]);
    const unsaid = await run(undefined, 'run', demo, '--live', '--home', home);
    expect([unsaid.code, unsaid.err]).toEqual([
      3,
      expect.stringContaining('live trading needs mode live and --live'),
    ]);
    expect(existsSync(home)).toBe(false);
  }, 60_000);

  test('S4: a second bot on the same database ends with 75 and touches nothing', async () => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    const second = await run(undefined, 'run', demo, '--home', home);
    expect([second.code, second.err]).toEqual([75, expect.stringContaining('MR_ALREADY_RUNNING')]);
    // The control channel is still the first one's.
    const status = await run(undefined, 'status', demo, '--home', home, '--json');
    expect(JSON.parse(status.last)).toMatchObject({ live: { pid: bot.pid } });
    bot.signal('SIGTERM');
    expect((await bot.ended).code, bot.text).toBe(0);
  }, 60_000);

  test('S8: a new database that meets orders of its namespace is halted, or takes them over', async () => {
    const place = await openPlace();
    const { root, home } = place;
    const config = writeConfig(place, 'many');
    const bot = millrace(['run', config, '--home', home], { root });
    await untilOpen(place, (count) => count >= 50);
    await bot.kill();
    const lose = (): void => {
      for (const end of ['', '-wal', '-shm', '.lock', '.lease'])
        rmSync(join(home, `many.sqlite${end}`), { force: true });
    };
    lose();
    const adopting = millrace(['run', config, '--home', home, '--adopt', '--json'], { root });
    await adopting.sees(/reconciled: /u);
    // The old ones are stopped and new ones placed, within the calls of one key.
    await untilOpen(place, (count) => count >= 50, 150_000);
    expect(adopting.text).not.toContain('HALTED');
    expect(adopting.text).not.toContain('ORPHAN_ORDER');
    await adopting.kill();
    lose();
    const halted = millrace(['run', config, '--home', home, '--json'], { root });
    await halted.sees(/STORE_BEHIND: the exchange has \d+ orders .* another database placed them/u);
    // The runs before have used most calls of the minute, so some cancels wait for the next one.
    await untilOpen(place, (count) => count === 0, 90_000);
    halted.signal('SIGTERM');
    // 6: its last list, which would show that none is open, waits for calls for more than 30 s.
    expect([0, 1, 6], halted.text).toContain((await halted.ended).code);

    // A panic needs neither bot nor database: only key and namespace.
    await place.client.postorder({
      pair: 'XBTZAR',
      type: 'BID',
      price: '900000',
      volume: '0.001',
      client_order_id: 'b1-safety22-zz-abcdefghijkl',
    });
    const panic = ['panic', '--namespace', 'safety22', '--venue', 'simulator', '--home', home];
    const stopped = await run(root, ...panic, '--json');
    expect([stopped.code, JSON.parse(stopped.last)]).toMatchObject([0, { isClean: true, open: 0 }]);
    expect(await openOrders(place)).toEqual([]);
    expect((await run(root, 'panic', '--all', '--venue', 'simulator', '--home', home)).code).toBe(
      3,
    );
    // An exchange that is away is asked for ever; giving up says that orders may remain.
    await place.exchange.stop();
    const away = millrace(panic, { root });
    await away.sees(/not known yet which orders are open; list of open orders: .*trying again/u);
    await away.sees(/start it with: npm run --silent millrace -- exchange --port \d+ --home /u);
    await away.sees(/trying again/u, 3);
    expect(away.text.match(/start it with/gu)).toHaveLength(1);
    away.signal('SIGINT');
    expect((await away.ended).code).toBe(6);
  }, 300_000);
});
