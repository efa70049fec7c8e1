/** Stepping through a backtest shows what the backtest did, forward and back. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { DebugSession } from '../../src/bot/debug/debug-session.ts';
import { debuggedBacktest } from '../../src/bot/debug/debugged-run.ts';
import type { EventFacts, Happening, JudgedOrder } from '../../src/bot/debug/event-facts.ts';
import { preparePlugins } from '../../src/bot/start/prepare-plugins.ts';
import type { OrderRow, StoreRecord } from '../../src/domain/records.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-debug-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Timed = { readonly atMicros: number; readonly records: readonly StoreRecord[] };

async function opened(file: string) {
  const loaded = loadScenario(join(file, 'scenario.yaml'));
  const { source: _source, notices: _notices, ...scenario } = loaded;
  const { data: dataFolder, strategies: strategiesFolder } = workspace;
  const plugins = await preparePlugins(loaded, strategiesFolder);
  const steps: Timed[] = [];
  const { run } = await runBacktest({
    ...{ scenario, dataFolder, strategiesFolder },
    onRecords: (records, atMicros) => steps.push({ atMicros, records }),
  });
  run.store.close();
  const beatsMicros: number[] = [];
  const session = await DebugSession.open({
    run: debuggedBacktest(file, { scenario, dataFolder, plugins }),
    onStep: (atMicros) => beatsMicros.push(atMicros),
  });
  return { steps, session, beatsMicros };
}

/** Ten minutes; and the same with room for one order. */
const ten = join(folder, 'ten');
const tight = join(folder, 'tight');
const until = [/^to: .*$/mu, 'to: "2026-11-20T12:10:00Z"'] as const;

let first: Awaited<ReturnType<typeof opened>>;
let small: Awaited<ReturnType<typeof opened>>;
beforeAll(async () => {
  for (const made of [ten, tight]) mkdirSync(made);
  writeFirst(ten, [until]);
  writeFirst(tight, [until, [/ordersOpenMax: 10/u, 'ordersOpenMax: 1']]);
  first = await opened(ten);
  small = await opened(tight);
}, 120_000);
afterAll(() => {
  first.session.close();
  small.session.close();
});

const judgedIn = (facts: EventFacts): readonly JudgedOrder[] =>
  facts.happenings.filter((one): one is JudgedOrder => one.kind === 'judged');

const storedIn = (facts: EventFacts): readonly unknown[] =>
  facts.happenings.flatMap((one: Happening) => (one.kind === 'stored' ? [one.value] : []));

/** As JSON carries it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Returns every event that the run marks with `kind`. */
async function marked(
  { session }: typeof first,
  kind: 'decision' | 'order' | 'fill' | 'refusal',
): Promise<readonly EventFacts[]> {
  const found: EventFacts[] = [];
  const query = { isBackward: false, kind, strategyId: undefined };
  for (let from = 0; ; ) {
    const number = session.find({ ...query, from });
    if (number === undefined) return found;
    found.push(await session.factsOf(number));
    from = number;
  }
}

test('every record of the backtest is at an event of its time, in the same order', async () => {
  const changes = ['order', 'fill'] as const;
  const seen = new Map<number, readonly unknown[]>();
  for (const kind of changes)
    for (const facts of await marked(first, kind)) seen.set(facts.number, storedIn(facts));
  const found = [...seen].sort(([a], [b]) => a - b).flatMap(([, records]) => records);
  const wanted = first.steps
    .filter(({ records }) => records.some((one) => one.kind === 'order' || one.kind === 'fill'))
    .flatMap(({ records }) => records);
  expect(wanted.length).toBeGreaterThan(500);
  expect(found).toEqual(plain(wanted));
}, 120_000);

test('its counts are those of the records, and its times those of the run', () => {
  const { facts } = first.session;
  const stepsWith = (kind: StoreRecord['kind']): number =>
    first.steps.filter(({ records }) => records.some((one) => one.kind === kind)).length;
  expect(facts.counts).toMatchObject({ fill: stepsWith('fill'), order: stepsWith('order') });
  expect(facts.counts.decision).toBeGreaterThan(50);
  expect(facts.firstMs).toBe(Date.parse('2026-11-20T12:00:30Z'));
  expect(facts.notes).toEqual([]);
  const marks = facts.timeline.reduce((sum, { counts }) => sum + counts.fill, 0);
  expect(marks).toBe(facts.counts.fill);
});

test('it reports that it goes on after every few events, so that only one that hangs is ended', () => {
  const { beatsMicros, session } = first;
  expect(beatsMicros.length).toBeGreaterThan(session.facts.events / 10);
  const last = beatsMicros.at(-1) ?? 0;
  expect(Math.abs(last / 1000 - session.facts.lastMs)).toBeLessThan(1_000);
});

test('each order is found by its ids, with the checks that let it pass, and what left', async () => {
  const rows = new Map<number, OrderRow>();
  for (const { records } of first.steps)
    for (const record of records)
      if (record.kind === 'order') rows.set(record.row.intentId, record.row);
  const some = [...rows.values()].filter((_, index) => index % 10 === 0);
  expect(some.length).toBeGreaterThan(5);
  for (const { intentId, clientOrderId, orderId, price, side, pair, strategyId } of some) {
    const number = await first.session.numberOf(String(intentId));
    expect(await first.session.numberOf(clientOrderId)).toBe(number);
    expect(await first.session.numberOf(orderId ?? '')).toBe(number);
    const facts = await first.session.factsOf(number);
    const judged = judgedIn(facts).find((one) => one.price === price && one.side === side);
    expect(judged).toMatchObject({ strategyId, pair, isApproved: true });
    expect(judged?.checks.map(({ position }) => position)).toEqual(
      Array.from({ length: 24 }, (_, index) => index + 1),
    );
    expect(judged?.checks.flatMap(({ rules }) => rules).every(({ isPassed }) => isPassed)).toBe(
      true,
    );
  }
}, 120_000);

test('a resting order has its true place at the exchange', async () => {
  const all = [...(await first.session.factsBetween(1, 900)), ...(await marked(first, 'decision'))];
  const orders = all.flatMap(({ markets, placesIn }) => {
    expect(placesIn).toBe('exchange');
    return markets.flatMap(({ ownOrders }) => ownOrders);
  });
  const placed = orders.filter(({ aheadVolume }) => aheadVolume !== null);
  expect(placed.length).toBeGreaterThan(100);
  expect(placed.some(({ aheadVolume }) => Number(aheadVolume) > 0)).toBe(true);
  // The exchange has ended an order before we know, which our own book could not tell.
  expect(orders.some(({ state, aheadVolume }) => state === 'open' && aheadVolume === null)).toBe(
    true,
  );
});

describe('a refused order', () => {
  test('shows the rule that refused it, with the values of its record', async () => {
    const refusals = await marked(small, 'refusal');
    expect(refusals.length).toBeGreaterThan(0);
    const records = small.steps.flatMap(({ records: all }) =>
      all.filter((one) => one.kind === 'decision' && one.verdict === 'refused'),
    );
    expect(records.length).toBeGreaterThan(0);
    const shown = refusals.flatMap((facts) => {
      const stored = storedIn(facts).filter(
        (one) => (one as StoreRecord).kind === 'decision',
      ) as Extract<StoreRecord, { kind: 'decision' }>[];
      const refused = stored.filter(({ verdict }) => verdict === 'refused');
      const rules = judgedIn(facts)
        .filter(({ isApproved }) => !isApproved)
        .map(({ checks }) =>
          checks
            .flatMap((check) => check.rules)
            .filter(({ isPassed }) => !isPassed)
            .map(({ isPassed: _, ...rule }) => rule),
        );
      for (const { refusals: text } of refused) expect(rules).toContainEqual(JSON.parse(text));
      return refused;
    });
    expect(shown).toEqual(plain(records));
  }, 60_000);
});

describe('an event that is wanted from the beginning', () => {
  let opens = 0;
  async function openedFor(wanted: string | number) {
    const loaded = loadScenario(join(tight, 'scenario.yaml'));
    const { source: _source, notices: _notices, ...scenario } = loaded;
    const { data: dataFolder, strategies: strategiesFolder } = workspace;
    const plugins = await preparePlugins(loaded, strategiesFolder);
    const run = debuggedBacktest(tight, { scenario, dataFolder, plugins });
    opens = 0;
    const open: typeof run.open = (observer) => {
      opens++;
      return run.open(observer);
    };
    return DebugSession.open({ run: { ...run, open }, wanted });
  }

  for (const at of ['12:05', '12:00:30', '2026-11-20T12:09:59Z'])
    test(`at ${at} is found in the first pass, and is what a second one shows`, async () => {
      const session = await openedFor(at);
      const number = await session.numberOf(at);
      expect(number).toBe(await small.session.numberOf(at));
      const facts = await session.factsOf(number);
      expect(opens).toBe(1);
      expect(facts).toEqual(await small.session.factsOf(number));
      expect(await session.replayTo(number)).toEqual(facts);
      expect(await session.factsOf(number - 1 || 1)).toMatchObject({ number: number - 1 || 1 });
      expect(opens).toBe(2);
      session.close();
    }, 60_000);

  test('as the decision about an order is kept, by any id of the order', async () => {
    const rows = small.steps.flatMap(({ records }) =>
      records.flatMap((record) => (record.kind === 'order' ? [record.row] : [])),
    );
    const [first] = rows;
    const last = rows.findLast(({ orderId }) => orderId !== undefined);
    if (first === undefined || last === undefined) throw new Error('the run placed no order');
    const [early, late] = [first, last].map(({ intentId }) => String(intentId));
    const acknowledged = rows.find(({ orderId }) => orderId !== undefined);
    const ids = [early, late, last.clientOrderId, last.orderId, acknowledged?.orderId];
    for (const id of ids) {
      if (id === undefined) throw new Error('the exchange gave an order no id');
      const session = await openedFor(id);
      const number = await session.numberOf(id);
      expect(number).toBe(await small.session.numberOf(id));
      const facts = await session.factsOf(number);
      expect(opens).toBe(1);
      expect(facts).toEqual(await small.session.factsOf(number));
      expect(judgedIn(facts).length).toBeGreaterThan(0);
      session.close();
    }
  }, 60_000);

  test('by its number is kept too, and one that does not exist is refused as always', async () => {
    const { events } = small.session.facts;
    const session = await openedFor(events - 2);
    expect(await session.factsOf(events - 2)).toEqual(await small.session.factsOf(events - 2));
    expect(opens).toBe(1);
    session.close();
    const none = await openedFor(events + 1);
    await expect(none.factsOf(events + 1)).rejects.toThrow(`event ${events + 1} does not exist`);
    none.close();
  }, 60_000);
});

describe('going', () => {
  test('back shows the same as going forward', async () => {
    const { session } = small;
    const last = session.facts.events;
    const numbers = [last, 1, Math.floor(last / 2), 7, last - 3];
    const before = [];
    for (const number of numbers) before.push(await session.factsOf(number));
    for (const [index, number] of numbers.entries())
      expect(await session.replayTo(number)).toEqual(before[index]);
    expect(before.map(({ number }) => number)).toEqual(numbers);
  }, 60_000);

  test('to the next and the previous mark finds the same events, of each strategy', async () => {
    const { session } = small;
    const query = { kind: 'decision', strategyId: 'mm-xbt' } as const;
    const next = session.find({ ...query, from: 0, isBackward: false });
    const second = session.find({ ...query, from: next ?? 0, isBackward: false });
    expect(second).toBeGreaterThan(next ?? Infinity);
    expect(session.find({ ...query, from: second ?? 0, isBackward: true })).toBe(next);
    expect(session.find({ ...query, from: next ?? 0, isBackward: true })).toBeUndefined();
    const other = { ...query, strategyId: 'other', from: 0, isBackward: false };
    expect(session.find(other)).toBeUndefined();
  });

  test('to a time shows the first event at or after it', async () => {
    const { session } = small;
    const number = await session.numberOf('12:05');
    expect(await session.numberOf('2026-11-20T12:05:00Z')).toBe(number);
    const atMs = Date.parse('2026-11-20T12:05:00Z');
    expect((await session.factsOf(number)).atMs).toBeGreaterThanOrEqual(atMs);
    expect((await session.factsOf(number - 1)).atMs).toBeLessThan(atMs);
  });

  test('to what the run does not have says what it has', async () => {
    const { session } = small;
    await expect(session.numberOf('13:30')).rejects.toThrow(
      '13:30 is outside the run, which is from 2026-11-20T12:00:30.000Z to 2026-11-20T12:10:00',
    );
    await expect(session.numberOf('nonesuch')).rejects.toThrow(/^no order "nonesuch" among the /u);
    const { events } = session.facts;
    await expect(session.factsOf(events + 1)).rejects.toThrow(
      `event ${events + 1} does not exist: the run has events 1 to ${events}`,
    );
  });
});
