/** The status of a bot as a real process: watched, compared with its database, stopped, killed. */
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { watchBot } from '../../src/control/control-client.ts';
import type { BotStatus } from '../../src/domain/bot-status.ts';
import { openStoreReports } from '../../src/store/sqlite-reports.ts';
import { endAll, millrace, newHome, startDemo } from '../support/process-bot.ts';

afterAll(endAll);

const patient = { timeout: 20_000 };

/** Watches the bot of a home. */
function watchHome(home: string) {
  const seen = { status: undefined as BotStatus | undefined, count: 0, end: '' };
  watchBot(join(home, 'demo.sqlite.control', 'bot'), {
    onStatus: (status) => {
      seen.status = status;
      seen.count++;
    },
    onEnd: (reason) => {
      seen.end = reason;
    },
  });
  return seen;
}

async function command(home: string, ...words: string[]) {
  const started = millrace([...words, '--home', home]);
  const { code } = await started.ended;
  return { code, out: started.stdout, err: started.stderr };
}

describe.concurrent('the status of a running bot', () => {
  test('comes four times a second, agrees with the database, and stops with the bot', async ({
    expect,
  }) => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    const seen = watchHome(home);
    await bot.sees(/ (?:bought|sold) /u);
    const before = seen.count;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(seen.count - before).toBeGreaterThan(10);
    const { status } = seen;
    expect(status).toMatchObject({
      ...{ bot: 'demo', mode: 'demo', ordersGoTo: 'simulator', pid: bot.pid, run: 1 },
      ...{ state: 'ACTIVE', states: [], stopping: null, isReconciled: true },
    });
    const [market] = status?.markets ?? [];
    expect(market?.bids.length).toBeGreaterThanOrEqual(12);
    // An order that rests is in the book, so its place is known.
    await expect
      .poll(() => seen.status?.markets[0]?.ownOrders.map(({ aheadOrders }) => aheadOrders), patient)
      .toEqual([expect.any(Number), expect.any(Number)]);
    expect(status?.latency?.attempts).toBeGreaterThan(1);
    expect(status?.strategies[0]?.presence.bidQuoted).toBeGreaterThan(0.3);
    expect(status?.notices.length).toBeGreaterThan(3);

    const shown = await command(home, 'status', 'config/demo.yaml');
    expect(shown.out).toMatch(
      /order +open mm-xbt bid XBTZAR BID \S+ at \S+, (?:behind \S+ in \d+ orders|first at its)/u,
    );
    expect(shown.out).toMatch(/position +mm-xbt XBTZAR: \S+ XBT, profit \S+ ZAR after fees of /u);

    const halted = await command(home, 'halt', 'config/demo.yaml', '--reason', 'the news');
    expect(halted.code, halted.err).toBe(0);
    await expect.poll(() => seen.status?.state, patient).toBe('HALTED');
    await expect.poll(() => seen.status?.notTrading, patient).toMatchObject([{ kind: 'halted' }]);
    await expect.poll(() => seen.status?.orders.live, patient).toBe(0);
    // Without orders, fills end; what was booked is stored within a second, and its mids soon.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const reports = openStoreReports(join(home, 'demo.sqlite'));
    const last = seen.status as BotStatus;
    expect(last.strategies[0]?.fills).toBe(reports.fillCount());
    expect(last.balances).toEqual(
      reports
        .ledgerLatest()
        .map(({ currency, balance, available }) => ({ currency, balance, available }))
        .sort((a, b) => (a.currency < b.currency ? -1 : 1)),
    );
    const stored = [...reports.fillsWithMids('XBTZAR', 0, Number.MAX_SAFE_INTEGER)];
    expect(last.fills.map(({ intentId, price, volume }) => [intentId, price, volume])).toEqual(
      stored
        .slice(-20)
        .reverse()
        .map(({ intentId, price, volume }) => [intentId, price, volume]),
    );
    expect(stored.every(({ mid, mid1s }) => mid !== undefined && mid1s !== undefined)).toBe(true);
    const parts = last.strategies[0]?.profitParts;
    expect(parts?.spread).toBe(reports.fillSpreads()[0]?.spread);
    const profit = Number(parts?.spread) - Number(parts?.fees) + Number(parts?.inventory);
    expect(profit).toBeCloseTo(Number(last.strategies[0]?.profit), 6);
    expect([...reports.marketSamples('XBTZAR', 0, Number.MAX_SAFE_INTEGER)].length).toBeGreaterThan(
      0,
    );
    expect(reports.operatorCommands(9)).toMatchObject([
      {
        ...{ command: 'halt', reason: 'the news', outcome: 'done' },
        ...{ askedBy: expect.stringMatching(/^user \S/u), text: expect.stringMatching(/HALTED/u) },
      },
    ]);
    reports.close();
    bot.signal('SIGTERM');
    expect((await bot.ended).code, bot.text).toBe(0);
    expect(seen.end).toBe('the bot has ended, or this program read too slowly');
  }, 120_000);

  test('ends with a bot that is killed, and goes on with the next; commands without it are kept', async ({
    expect,
  }) => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    const seen = watchHome(home);
    await expect.poll(() => seen.count, patient).toBeGreaterThan(2);
    await bot.kill();
    await expect
      .poll(() => seen.end, patient)
      .toBe('the bot has ended, or this program read too slowly');
    const reduced = await command(home, 'reduce', 'config/demo.yaml', '--reason', 'less');
    expect(reduced.code, reduced.err).toBe(0);
    const resumed = await command(home, 'resume', 'config/demo.yaml', '--reason', 'on');
    expect(resumed.code, resumed.err).toBe(0);
    const next = startDemo(home);
    await next.sees(/ is open \(/u, 2);
    const again = watchHome(home);
    await expect.poll(() => again.status?.run, patient).toBe(2);
    const reports = openStoreReports(join(home, 'demo.sqlite'));
    expect(reports.operatorCommands(9).map(({ command: name }) => name)).toEqual([
      'resume',
      'reduce',
    ]);
    reports.close();
    next.signal('SIGTERM');
    expect((await next.ended).code, next.text).toBe(0);
  }, 120_000);

  test('a stop over the control channel ends the bot as Ctrl-C does, with who asked', async ({
    expect,
  }) => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(/ is open \(/u, 2);
    const { createConnection } = await import('node:net');
    const socket = createConnection(join(home, 'demo.sqlite.control', 'bot'));
    const request = { command: 'stop', reason: 'lunch', by: 'page ana' };
    socket.write(`${JSON.stringify(request)}\n`);
    expect((await bot.ended).code, bot.text).toBe(0);
    expect(bot.text).toContain('stopping: lunch (page ana)');
    expect(bot.summary()).toMatchObject({ openOrdersAtExit: 0 });
    const reports = openStoreReports(join(home, 'demo.sqlite'));
    expect(reports.operatorCommands(9)).toMatchObject([
      { askedBy: 'page ana', command: 'stop', reason: 'lunch', outcome: 'done' },
    ]);
    const blocks = reports.tradingBlocks();
    expect(blocks.map(({ kind }) => kind)).toEqual(blocks.map(() => 'stopping'));
    expect(blocks).toMatchObject([{ reason: 'the bot is stopping: lunch (page ana)' }]);
    reports.close();
  }, 60_000);
});
