/**
 * The commands `why` and `reconcile` on short real runs: what happened to an order, why does the
 * bot not trade, does it agree with the exchange. Planted differences must be found.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStoreReports } from '../../src/store/sqlite-reports.ts';
import {
  type BotProcess,
  endAll,
  eventually,
  millrace,
  newHome,
  processesOf,
  startDemo,
} from '../support/process-bot.ts';

afterAll(endAll);

async function ask(...commandLine: string[]) {
  const asked = millrace([...commandLine, '--json']);
  const { code } = await asked.ended;
  const last = asked.stdout.trimEnd().split('\n').at(-1) ?? '';
  return { code, err: asked.stderr, found: last === '' ? undefined : JSON.parse(last) };
}

const store = (home: string): string => join(home, 'demo.sqlite');

describe('a demo that has run', () => {
  const home = newHome();
  let bot: BotProcess;
  let asked: {
    code: number | null;
    found: { tradingStates: unknown[]; idle: { isOver: boolean; reason: string }[] };
  };
  let busy: { code: number | null; err: string };
  /** The results of keycheck for the running demo and the stopped one. */
  let keys: readonly { code: number | null; err: string; found: { right: boolean } }[];
  let status: BotProcess;

  beforeAll(async () => {
    bot = startDemo(home);
    await bot.sees(/ fill +.* at \d+ ZAR \(maker/u);
    status = millrace(['status', 'config/demo.yaml', '--home', home]);
    const running = ask('keycheck', 'config/demo.yaml', '--home', home);
    [asked, busy] = await Promise.all([
      ask('why', 'config/demo.yaml', '--refused', '--since', '1h', '--home', home),
      ask('reconcile', 'config/demo.yaml', '--home', home),
    ]);
    await Promise.all([running, status.ended]);
    bot.signal('SIGINT');
    expect(await bot.ended, bot.text).toEqual({ code: 0, signal: null });
    await eventually(() => processesOf(home).length === 0, 5_000);
    keys = [await running, await ask('keycheck', 'config/demo.yaml', '--home', home)];
  }, 120_000);

  /** A copy of the stopped demo with a changed database. */
  function changedHome(sql: string): string {
    const copy = newHome();
    cpSync(home, copy, { recursive: true });
    const database = new SqliteDatabase(store(copy));
    // Triggers protect the history; damage would not respect them.
    const guards = `SELECT name FROM sqlite_schema WHERE type = 'trigger'`;
    for (const name of database.prepare<[], string>(guards).pluck().all())
      database.exec(`DROP TRIGGER ${name}`);
    database.pragma('foreign_keys = OFF');
    expect(database.prepare(sql).run().changes).toBe(1);
    database.close();
    return copy;
  }

  test('answers why while it runs, but cannot be compared', () => {
    expect(asked.code).toBe(0);
    expect(asked.found.tradingStates).toEqual([]);
    expect(busy.code).toBe(75);
    expect(busy.err).toContain('MR_ALREADY_RUNNING');
    expect(busy.err).toMatch(/process \d+ has the database \S+demo\.sqlite open; stop it/u);
  });

  test('shows the idle reason from the start as over, and the status leaves it out', () => {
    const reason = expect.stringMatching(/^started, and has not requested an order yet/u);
    expect(asked.found.idle).toMatchObject([{ isOver: true, reason }]);
    expect(status.stdout).toMatch(/^run +1 from \S+, running$/mu);
    expect(status.stdout).not.toMatch(/^idle /mu);
  });

  test('its key can be checked while it runs and after it stopped', () => {
    for (const { code, err, found } of keys) {
      expect(code, err).toBe(0);
      expect(found.right).toBe(true);
    }
  });

  test('shows the story of an order by its number and its ids, with fills and ledger rows', async () => {
    const reports = openStoreReports(store(home));
    const [fill] = reports.fills();
    const order = reports.findOrder({ intentId: fill?.intentId ?? 0 });
    reports.close();
    const byClientId = await ask(
      'why',
      'config/demo.yaml',
      order?.clientOrderId ?? '',
      '--home',
      home,
    );
    const byOrderId = await ask('why', 'config/demo.yaml', fill?.orderId ?? '', '--home', home);
    expect(byClientId.code).toBe(0);
    expect(byOrderId.found).toEqual(byClientId.found);
    const number = String(order?.intentId);
    expect((await ask('why', 'config/demo.yaml', number, '--home', home)).found).toEqual(
      byClientId.found,
    );
    // The number is what is printed; the ids are only in the log.
    expect(bot.text).toMatch(new RegExp(` is open \\(order ${number}\\)`, 'u'));
    expect(bot.text).not.toContain(order?.orderId);
    expect(bot.text).not.toContain(order?.clientOrderId);
    const log = readFileSync(join(home, 'log', 'demo.log'), 'utf8');
    expect(log).toContain(`(order ${number}) [${order?.orderId} ${order?.clientOrderId}]`);
    const { timeline, ledger, fills } = byClientId.found;
    expect(fills[0].witnesses).toContain('ledger');
    expect(new Set(ledger.map((row: { currency: string }) => row.currency))).toEqual(
      new Set(['XBT', 'ZAR']),
    );
    const kinds = timeline.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['intent', 'decision']);
    for (const kind of ['attempt', 'outcome', 'state', 'fill', 'ledger'])
      expect(kinds).toContain(kind);
    const people = millrace([
      'why',
      'config/demo.yaml',
      order?.clientOrderId ?? '',
      '--home',
      home,
    ]);
    await people.ended;
    expect(people.stdout).toMatch(/ {2}outcome +attempt 1: accepted/u);
    expect(people.stdout).toMatch(/\* fill +trade \d+: .* reported by .*ledger/u);
  });

  test('finds an order by the name that its strategy gave it, and says how many have it', async () => {
    const reports = openStoreReports(store(home));
    const bids = reports.orders().filter(({ level }) => level === 'bid');
    reports.close();
    const newest = bids.at(-1)?.intentId;
    const { code, found } = await ask('why', 'config/demo.yaml', 'bid', '--home', home);
    expect(code).toBe(0);
    expect(found.order.intentId).toBe(newest);
    expect(found.called).toEqual([{ strategyId: 'mm-xbt', count: bids.length, newest }]);
    const people = millrace(['why', 'config/demo.yaml', 'bid', '--home', home]);
    await people.ended;
    expect(people.stdout).toMatch(
      /^called +"bid": the (?:newest of \d+ orders|only order) of this/u,
    );
    expect(people.stdout).not.toContain('{');
    const slip = await ask('why', 'config/demo.yaml', 'bidd', '--home', home);
    expect(slip.code).toBe(4);
    expect(slip.found.fixes).toEqual(['did you mean bid?']);
  });

  test('an unknown id ends with 4 and suggests what was likely meant', async () => {
    const reports = openStoreReports(store(home));
    const id = reports.orders()[0]?.clientOrderId ?? '';
    reports.close();
    const slip = await ask('why', 'config/demo.yaml', id.slice(0, -1), '--home', home);
    expect(slip.code).toBe(4);
    expect(slip.found.fixes).toEqual([`did you mean ${id}?`]);
    expect((await ask('why', 'config/demo.yaml', id, '--home', newHome())).code).toBe(4);
    expect((await ask('why', 'config/demo.yaml', '--home', home)).code).toBe(2);
    expect((await ask('why', 'config/demo.yaml', id, '--refused', '--home', home)).code).toBe(2);
  });

  test('agrees with its exchange exactly', async () => {
    const { code, found, err } = await ask('reconcile', 'config/demo.yaml', '--home', home);
    expect({ code, found }, err).toMatchObject({
      code: 0,
      found: { equal: true, differences: [], undecided: [], positionDifference: '0' },
    });
    expect(found.fills).toBeGreaterThan(0);
    expect(found.ordersAtExchange).toBeGreaterThan(0);
    expect(found.ledgerRows).toBeGreaterThan(0);
    expect(processesOf(home)).toEqual([]);
  });

  test('a deleted fill is found and named, and nothing is repaired', async () => {
    const reports = openStoreReports(store(home));
    const [fill] = reports.fills();
    reports.close();
    const copy = changedHome(`DELETE FROM fills WHERE sequence = ${fill?.sequence}`);
    const first = await ask('reconcile', 'config/demo.yaml', '--home', copy);
    expect(first.code).toBe(1);
    expect(first.found.differences).toContainEqual(
      expect.objectContaining({
        kind: 'fill',
        subject: `XBTZAR ${fill?.sequence} ${fill?.orderId}`,
        store: null,
      }),
    );
    expect(first.found.positionDifference).not.toBe('0');
    expect(await ask('reconcile', 'config/demo.yaml', '--home', copy)).toEqual(first);
    const people = millrace(['reconcile', 'config/demo.yaml', '--home', copy]);
    expect((await people.ended).code).toBe(1);
    expect(people.stdout).toContain(`! fill     XBTZAR ${fill?.sequence} ${fill?.orderId}`);
    expect(people.stdout).toContain('none repaired');
  });

  test.each([
    [
      'the last digit of a fee',
      `UPDATE fills SET fee_counter = '0.00000001', fee_base = '0.00000001'
       WHERE sequence = (SELECT min(sequence) FROM fills)`,
      ['fill', 'feeBase'],
    ],
    [
      'a state of an order',
      `UPDATE orders SET state = 'rejected' WHERE intent_id = 1`,
      ['order', 'state'],
    ],
    [
      'a ledger row',
      `DELETE FROM ledger WHERE row_index = 1
       AND account_id = (SELECT min(account_id) FROM ledger)`,
      ['ledger', 'row'],
    ],
  ])('finds a change of %s', async (_, sql, [kind, field]) => {
    const { code, found } = await ask('reconcile', 'config/demo.yaml', '--home', changedHome(sql));
    expect(code).toBe(1);
    expect(found.differences).toContainEqual(expect.objectContaining({ kind, field }));
  });

  test('--repair completes the database of a killed bot, and its resting orders stay', async () => {
    const own = newHome();
    const killed = startDemo(own);
    await killed.sees(/ fill +.* at \d+ ZAR \(maker/u);
    killed.signal('SIGKILL');
    await eventually(() => processesOf(own).length === 0, 10_000);
    const open = (): readonly string[] => {
      const reports = openStoreReports(store(own));
      const states = reports.openOrders().map(({ clientOrderId }) => clientOrderId);
      reports.close();
      return states;
    };
    const before = open();
    const { code, found, err } = await ask(
      'reconcile',
      'config/demo.yaml',
      '--repair',
      '--home',
      own,
    );
    expect({ code, found }, err).toMatchObject({
      code: 0,
      found: { equal: true, differences: [], undecided: [], ledgerRowsNotReadYet: 0 },
    });
    expect(found.openOrders).toBe(open().length);
    expect(before).toEqual(expect.arrayContaining([...open()]));
    // The market goes on while the exchange runs, and may have filled resting orders.
    expect(await ask('reconcile', 'config/demo.yaml', '--repair', '--home', own)).toMatchObject({
      code: 0,
      found: { equal: true },
    });
    expect(processesOf(own)).toEqual([]);
    // The outcome of an order that was being sent at the kill is known after two minutes.
  }, 240_000);

  test('--repair says that it waits for an order that may still arrive', async () => {
    const copy = changedHome(
      `UPDATE orders SET state = 'sending', order_id = NULL, completed_ms = NULL,
         client_order_id = client_order_id || '0'
       WHERE intent_id = (
         SELECT max(intent_id) FROM orders WHERE state = 'cancelled' AND base = '0')`,
    );
    const repair = millrace(['reconcile', 'config/demo.yaml', '--repair', '--home', copy]);
    await repair.sees(
      /^an order is not at the exchange, but its request may still arrive; the repair waits /mu,
    );
    repair.signal('SIGKILL');
    await repair.ended;
    await eventually(() => processesOf(copy).length === 0, 10_000);
  });

  test('a home without a bot cannot be compared, and stays empty', async () => {
    const empty = newHome();
    const { code, found } = await ask('reconcile', 'config/demo.yaml', '--home', empty);
    expect(code).toBe(4);
    expect(found.problem).toContain(store(empty));
  });

  test.each([
    ['status', 'give the home of a bot that has run'],
    ['report', 'give the home of a bot that has run'],
    ['keycheck', 'give the home of a demo that has run'],
    ['watchdog', 'give the home of a bot that has run'],
  ])('nor does it have a %s: 4, and what to name', async (verb, fix) => {
    const { code, err } = await ask(verb, 'config/demo.yaml', '--home', newHome());
    expect(code, err).toBe(4);
    expect(err).toContain(fix);
  });
});
