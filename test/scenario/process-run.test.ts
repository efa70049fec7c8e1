/** One run of the demo as a process: what it prints, what it leaves, and who may not join it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  endAll,
  eventually,
  millrace,
  newHome,
  processesOf,
  startDemo,
} from '../support/process-bot.ts';
import { filesUnder, findIn, formsOf } from '../support/process-secrets.ts';
import { truthOf } from '../support/process-truth.ts';

afterAll(endAll);

// Signs that change in a URL, in JSON and in base64, so that each form is another text.
const canary = { id: 'sim_canary', secret: 'Canary+/="\\%&?<>~one' };
const readOnly = { id: 'sim_reader', secret: 'Canary+/="\\%&?<>~two' };
const fromOutside = { id: 'outside_key', secret: 'Canary+/="\\%&?<>~six' };
const canaries = [canary, readOnly, fromOutside];

function plantCredentials(home: string): void {
  const issued = {
    api_key_id: canary.id,
    api_key_secret: canary.secret,
    read_only: { api_key_id: readOnly.id, api_key_secret: readOnly.secret },
  };
  mkdirSync(join(home, 'simulator'), { recursive: true });
  writeFileSync(join(home, 'simulator', 'credentials.json'), JSON.stringify(issued), {
    mode: 0o600,
  });
}

/** Returns where any of the canaries stands. */
function leaks(texts: ReadonlyMap<string, string>): readonly string[] {
  return canaries.flatMap(({ id, secret }) => findIn(texts, formsOf(secret, id)));
}

describe.concurrent('a run of the demo', () => {
  test('ends by its time with one object of JSON, equal to the exchange', async () => {
    const home = newHome();
    const bot = startDemo(home, '--for', '2s');
    expect(await bot.ended).toEqual({ code: 0, signal: null });
    expect(bot.stdout.split('\n')).toHaveLength(2);
    expect(bot.summary()).toMatchObject({
      mode: 'demo',
      seconds: expect.any(Number),
      firstQuoteMs: expect.any(Number),
      ordersAccepted: expect.any(Number),
      positionDifference: '0',
      balanceDifference: '0',
      openOrdersAtExit: 0,
      incidents: 0,
    });
    expect(processesOf(home)).toEqual([]);

    const fresh = startDemo(home, '--for', '1s', '--fresh');
    expect((await fresh.ended).code).toBe(0);
    expect(fresh.stderr).not.toContain('restored');
    // The number of a run is the database's, so a first one means a new database.
    expect(fresh.summary().journal).toMatch(/run1\.jsonl$/u);
    expect((await truthOf(home)).ordersAtExchange).toBe(fresh.summary().ordersAccepted);
  }, 60_000);

  test('a run that follows another does not inherit its reason for not trading', async () => {
    const home = newHome();
    expect((await startDemo(home, '--for', '2s').ended).code).toBe(0);
    const ended = millrace(['status', 'config/demo.yaml', '--home', home]);
    expect((await ended.ended).code).toBe(0);
    expect(ended.stdout).toMatch(
      /^blocked +mm-xbt XBTZAR when the run ended, .*: the bot is stopping/mu,
    );

    const bot = startDemo(home);
    await bot.sees(/ is open \(/u);
    const running = millrace(['status', 'config/demo.yaml', '--home', home]);
    expect((await running.ended).code).toBe(0);
    expect(running.stdout).not.toContain('the bot is stopping');
    bot.signal('SIGINT');
    expect((await bot.ended).code).toBe(0);
  }, 60_000);

  test('S4: lets no other join it, has its fills on both sides, replays and tells no secret', async () => {
    const home = newHome();
    plantCredentials(home);
    const bot = startDemo(home, '--log', 'trace');
    await bot.sees(/ fill +.* at \d+ ZAR \(maker/u);

    // The first one holds the home; the second must not even forget it.
    const second = startDemo(home, '--fresh');
    expect((await second.ended).code).toBe(75);
    expect(second.stderr).toContain('MR_ALREADY_RUNNING');
    expect(second.stderr).toMatch(
      /bot demo of \S+demo\.yaml runs already: .* this shows it:\n {2}\S.* status demo\n/u,
    );
    // Another bot would need an exchange of its own.
    const other = join(home, 'other.yaml');
    const text = readFileSync('config/demo.yaml', 'utf8').replace(/^egress: .*$/mu, '');
    writeFileSync(other, text.replace('bot: demo', 'bot: next'));
    const third = millrace(['start', other, '--home', home]);
    expect((await third.ended).code).toBe(75);
    expect(third.stderr).toMatch(
      /bot demo \(\S+demo\.yaml\) runs on .*:\n {2}\S.* start \S+other\.yaml --home \S+next\n/u,
    );

    // As it runs, the write-ahead log and the command log hold what has not been moved on yet.
    const running = filesUnder(home);
    bot.signal('SIGINT');
    expect((await bot.ended).code).toBe(0);
    const summary = bot.summary();
    expect(summary.fills).toBeGreaterThan(0);
    expect(summary).toMatchObject({
      fillsAtExchange: summary.fills,
      positionDifference: '0',
      balanceDifference: '0',
      openOrdersAtExit: 0,
    });

    // A run with a key from outside; nothing listens where its venue is.
    const config = resolve('config/demo.yaml');
    const stranger = millrace(['run', config, '--home', home, '--log', 'trace'], {
      cwd: home,
      env: {
        MILLRACE_API_KEY_ID: fromOutside.id,
        MILLRACE_API_KEY_SECRET: fromOutside.secret,
      },
    });
    await stranger.sees(/cannot be reached yet/u);
    stranger.signal('SIGINT');
    expect((await stranger.ended).code).toBe(1);
    expect(stranger.text).toContain('stopped while starting');

    const replay = millrace(['replay', '--all', '--json', '--home', home]);
    expect((await replay.ended).code).toBe(0);
    expect(JSON.parse(replay.stdout)).toMatchObject({ journals: 1, different: 0 });

    const texts = new Map([
      ...[...running].map(([name, text]) => [`running ${name}`, text] as const),
      ...filesUnder(home),
      ['first', bot.text],
      ['second', second.text],
      ['stranger', stranger.text],
      ['replay', replay.text],
    ]);
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining([
        'running demo.sqlite-wal',
        'demo.sqlite',
        'simulator/snapshot-2.bin',
      ]),
    );
    for (const place of ['', 'running ']) texts.delete(`${place}simulator/credentials.json`);
    expect(leaks(texts)).toEqual([]);
    for (const form of formsOf(canary.secret, canary.id))
      expect(leaks(new Map([...texts, ['planted', `… ${form} …`]]))).not.toEqual([]);

    const truth = await truthOf(home);
    expect(truth).toEqual({
      ordersAtExchange: summary.ordersAccepted,
      fillsAtExchange: summary.fills,
      openAtExchange: 0,
      differences: [],
    });
  }, 120_000);

  test('goes on when its reader has gone, and leaves nothing running', async () => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u);
    bot.child.stdout?.destroy();
    bot.child.stderr?.destroy();
    const journal = (): number =>
      [...filesUnder(join(home, 'journal')).values()].join('').split('"kind":"cancel"').length;
    const before = journal();
    await eventually(() => journal() > before, 15_000);
    bot.signal('SIGTERM');
    expect(await bot.ended).toEqual({ code: 0, signal: null });
    expect(processesOf(home)).toEqual([]);
    expect((await truthOf(home)).differences).toEqual([]);
  }, 60_000);
});
