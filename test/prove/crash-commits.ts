/**
 * What one durable commit for many orders gains over one commit an order: the records with which
 * the orders of a real run were sent, through the real driver into a real database, once in groups
 * and once one by one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreRecord } from '../../src/domain/records.ts';
import { Driver } from '../../src/engine/driver.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Effect } from '../../src/engine/event.ts';
import { decodeEvent, decodeLine, type JournalHeader } from '../../src/engine/journal.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { type PreparedStrategy, prepareStrategy } from '../../src/strategy/loader.ts';
import { marketFramesOf } from '../../src/venues.ts';

const strategies = join(import.meta.dirname, 'strategies');
const roundsEach = 5;

export type CommitSpeed = {
  /** Orders that were committed each way. */
  readonly ordersCommitted: number;
  readonly commitsGrouped: number;
  readonly ordersPerSecondSingle: number;
  readonly ordersPerSecondGrouped: number;
  /** Orders a second in groups, over orders a second one by one. */
  readonly groupCommitRatio: number;
};

/** What is committed before an order leaves. */
type SendRecords = readonly StoreRecord[];
type Pass = { readonly seconds: number; readonly commits: number };

/** Measures both ways with the orders of the journal at `path`. */
export async function measureCommits(path: string): Promise<CommitSpeed> {
  const { header, orders } = await readOrders(path);
  if (orders.length === 0) throw new Error(`${path} has no order that was sent`);
  const single: Pass[] = [];
  const grouped: Pass[] = [];
  for (let round = 0; round < roundsEach; round++) {
    single.push(commitAll(header, orders, false));
    grouped.push(commitAll(header, orders, true));
  }
  const one = fastestOf(single);
  const many = fastestOf(grouped);
  return {
    ordersCommitted: orders.length,
    commitsGrouped: many.commits,
    ordersPerSecondSingle: Math.round(orders.length / one.seconds),
    ordersPerSecondGrouped: Math.round(orders.length / many.seconds),
    groupCommitRatio: Number((one.seconds / many.seconds).toFixed(1)),
  };
}

function fastestOf(passes: readonly Pass[]): Pass {
  return passes.reduce((fastest, one) => (one.seconds < fastest.seconds ? one : fastest));
}

/** Steps the run once more, and returns for each order what was stored up to its first attempt. */
async function readOrders(
  path: string,
): Promise<{ readonly header: JournalHeader; readonly orders: readonly SendRecords[] }> {
  const [first = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const header = decodeLine(first);
  if (header?.kind !== 'header') throw new Error(`${path} has no header`);
  const plugins = new Map<string, PreparedStrategy>();
  for (const settings of header.start.settings.strategies)
    plugins.set(settings.id, await prepareStrategy({ folder: strategies, settings }));
  const engine = new Engine(header.start, plugins);
  const byIntent = new Map<number, StoreRecord[]>();
  const sent = new Set<number>();
  for (const line of lines) {
    const block = decodeLine(line);
    if (block?.kind !== 'batch') continue;
    for (const [atMicros, event] of block.events)
      for (const record of engine.step(atMicros, decodeEvent(event, marketFramesOf())).records) {
        const intentId = intentOf(record);
        if (intentId === undefined || sent.has(intentId)) continue;
        byIntent.set(intentId, [...(byIntent.get(intentId) ?? []), record]);
        if (record.kind === 'attempt') sent.add(intentId);
      }
  }
  const orders = [...byIntent].filter(([intentId]) => sent.has(intentId));
  return { header, orders: orders.map(([, records]) => records) };
}

function intentOf(record: StoreRecord): number | undefined {
  if (record.kind === 'order') return record.row.intentId;
  if (record.kind === 'evidence' || record.kind === 'attempt') return record.intentId;
  return undefined;
}

/** Lets an event stand for each order; `isGrouped` lets all wait before the driver looks. */
function commitAll(
  { start }: JournalHeader,
  orders: readonly SendRecords[],
  isGrouped: boolean,
): Pass {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-commits-'));
  const store = openSqliteStore(join(folder, 'commits.sqlite'), {
    nowMs: Math.floor(start.startedMicros / 1000),
    namespace: start.settings.namespace,
    run: { configHash: '', codeHash: '', nodeVersion: process.version },
  });
  const waiting: (() => void)[] = [];
  const request = {
    ...{ kind: 'request', request: 1, call: { kind: 'place' }, deadlineMs: 1 },
  } as unknown as Effect;
  const steps = orders.values();
  const driver = new Driver({
    engine: {
      nextWakeMicros: Infinity,
      step: () => ({ records: steps.next().value ?? [], effects: [request] }),
    } as unknown as Engine,
    store,
    clock: createClock(),
    timers: {
      after: () => () => {},
      every: () => () => {},
      soon: (callback) => {
        waiting.push(callback);
        return () => {};
      },
    },
    exchange: { open: () => {}, request: () => {}, reconnect: () => {}, close: async () => {} },
    journal: { append: () => {} },
    onNotice: () => {},
    onStopped: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  const drain = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  };
  try {
    const beganMs = performance.now();
    for (const _ of orders) {
      driver.accept({ kind: 'tick' });
      if (!isGrouped) drain();
    }
    drain();
    const seconds = (performance.now() - beganMs) / 1000;
    const stored = store.reports.orders().length;
    if (stored !== orders.length) throw new Error(`${stored} of ${orders.length} orders stored`);
    return { seconds, commits: store.commitNumber };
  } finally {
    driver.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
