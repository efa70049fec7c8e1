/** The folder of a simulated exchange: log, snapshots, incomplete lines, damage, lock and keys. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../../../../src/domain/errors.ts';
import { lockFolder } from '../../../../../src/runtime/process-lock.ts';
import { defaultSimulatorSettings } from '../../../../../src/venues/luno/simulator/core/simulator-settings.ts';
import { issueCredentials } from '../../../../../src/venues/luno/simulator/server/credentials-file.ts';
import { openStoredSimulator } from '../../../../../src/venues/luno/simulator/server/state-folder.ts';
import type { Recorder } from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import {
  botKey,
  Caller,
  second,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-simulator-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const open = () =>
  openStoredSimulator(folder, (record) => simulatorFor(defaultSimulatorSettings, { record }));
const logName = () => readdirSync(folder).find((name) => name.endsWith('.log')) ?? '';
const logFile = () => join(folder, logName());

/** Trades for twenty seconds. Returns the state of the exchange, without closing it. */
function tradeAWhile() {
  const stored = open();
  const caller = new Caller(stored.simulator, botKey);
  for (let i = 0; i < 40; i++) {
    caller.timeMicros += second / 2;
    const side = i % 2 === 0 ? 'BID' : 'ASK';
    const id = caller.place(side, side === 'BID' ? 999_000 : 1_001_000, '0.005')['order_id'];
    if (i % 3 === 0) caller.post('/api/1/stoporder', { order_id: id as string });
  }
  return stored;
}

test('after a crash the log restores the same orders, trades and ledgers', () => {
  const { simulator } = tradeAWhile();
  const published = simulator.truth('desk');
  const { simulator: again, replayed } = open();
  expect(replayed).toBeGreaterThan(50);
  expect(again.timeMicros).toBeGreaterThanOrEqual(simulator.timeMicros);
  simulator.advance(again.timeMicros);
  expect(again.truth('desk')).toEqual(simulator.truth('desk'));
  expect(again.truth('desk').trades.slice(0, published.trades.length)).toEqual(published.trades);
  expect(again.faults()).toEqual([]);
});

test('after a crash both continue identically, so the participants are restored too', () => {
  const { simulator } = tradeAWhile();
  const { simulator: again } = open();
  const later = again.timeMicros + 30 * second;
  const book = (one: typeof again) =>
    new Caller(one, undefined, later).get('/api/1/orderbook', { pair: 'XBTZAR' });
  expect(book(again)).toEqual(book(simulator));
});

test('a clean shutdown leaves a snapshot and an empty log', () => {
  const stored = tradeAWhile();
  const truth = stored.simulator.truth('desk');
  stored.close();
  expect(statSync(logFile()).size).toBe(0);
  const { simulator, replayed } = open();
  expect(replayed).toBe(0);
  expect(simulator.truth('desk').orders.length).toBe(truth.orders.length);
});

test('a long log is replaced by a snapshot, and a crash in between does no harm', () => {
  const create = (record: Recorder) => simulatorFor(defaultSimulatorSettings, { record });
  const stored = openStoredSimulator(folder, create, { logBytesMax: 2000 });
  const caller = new Caller(stored.simulator, botKey);
  const before = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name))] as const,
  );
  for (let i = 0; i < 20; i++) {
    caller.timeMicros += second;
    caller.place('BID', 1_000_000, '0.001');
    stored.compact();
  }
  expect(statSync(logFile()).size).toBeLessThan(3000);
  expect(readdirSync(folder)).toHaveLength(2);
  // The older pair remains if the process dies before it can remove it.
  for (const [name, bytes] of before) writeFileSync(join(folder, name), bytes);
  const again = open();
  stored.simulator.advance(again.simulator.timeMicros);
  expect(again.simulator.truth('desk')).toEqual(stored.simulator.truth('desk'));
  expect(readdirSync(folder)).toHaveLength(2);
});

test.each([1, 5, 30])(
  'a last line that lacks %i bytes is dropped, and the log continues',
  (bytes) => {
    tradeAWhile();
    truncateSync(logFile(), statSync(logFile()).size - bytes);
    const lines = readFileSync(logFile(), 'utf8').split('\n').length - 1;
    const torn = open();
    expect(torn.replayed).toBe(lines);
    const caller = new Caller(torn.simulator, botKey, torn.simulator.timeMicros);
    expect(caller.place('BID', 900_000, '0.01')['order_id']).toMatch(/^BX/u);
    expect(open().replayed).toBeGreaterThan(lines);
  },
);

test('a last line with a wrong checksum is dropped', () => {
  tradeAWhile();
  const before = statSync(logFile()).size;
  appendFileSync(logFile(), '00000000 {"kind":"stop"}\n');
  open();
  expect(statSync(logFile()).size).toBe(before);
});

test('a damaged line in the middle is refused', () => {
  tradeAWhile();
  const text = readFileSync(logFile(), 'utf8');
  writeFileSync(logFile(), text.replace('"operation":"postorder"', '"operation":"poststamp"'));
  expect(open).toThrow(StoreError);
});

test('a damaged snapshot is refused', () => {
  tradeAWhile().close();
  const name = readdirSync(folder).find((one) => one.endsWith('.bin')) ?? '';
  appendFileSync(join(folder, name), 'x');
  expect(open).toThrow(/snapshot is damaged/u);
});

test('a log whose replay diverges is refused', () => {
  tradeAWhile();
  const lines = readFileSync(logFile(), 'utf8').split('\n');
  const place = lines.findIndex((line) => line.includes('"postorder"'));
  writeFileSync(logFile(), lines.filter((_, index) => index !== place).join('\n'));
  expect(open).toThrow(StoreError);
});

test('a folder of version 0.1.0 opens, although its log has older forms of order commands', () => {
  const fixture = join(import.meta.dirname, '../../../../fixtures/simulator-0.1.0');
  for (const name of readdirSync(fixture)) copyFileSync(join(fixture, name), join(folder, name));
  expect(readFileSync(logFile(), 'utf8')).toMatch(/"kind":"place".+"kind":"stop"/su);
  const { simulator, replayed } = open();
  expect(replayed).toBe(5);
  expect(simulator.truth('desk')).toMatchObject({
    orders: [
      {
        order_id: 'BX23705C4T5301H',
        client_order_id: 'first',
        status: 'PENDING',
        base: '0.002000',
      },
      { order_id: 'BX2F5S69GEPAGNT', status: 'COMPLETE', expiration_timestamp: 1_795_176_001_000 },
    ],
    trades: [{ orderId: 'BX23705C4T5301H', volume: 2000, takerSide: 'ASK' }],
  });
  expect(simulator.truth('other').orders).toMatchObject([
    { order_id: 'BX0MB3XV4WM7A9H', status: 'COMPLETE' },
  ]);
  expect(simulator.faults()).toEqual([]);
});

test('a command that cannot be stored has no effect and gets no answer', () => {
  let isFull = false;
  const simulator = simulatorFor(defaultSimulatorSettings, {
    record: () => {
      if (isFull) throw new StoreError('no space left on device');
    },
  });
  const caller = new Caller(simulator, botKey);
  caller.place('BID', 900_000, '0.01');
  isFull = true;
  expect(() => caller.place('BID', 900_000, '0.01')).toThrow(StoreError);
  expect(simulator.truth('desk').orders).toHaveLength(1);
  expect(() => simulator.advance(startMicros + 60 * second)).toThrow(StoreError);
  expect(simulator.timeMicros).toBe(startMicros);
});

test('a folder is locked against a second process, but not by a dead owner', () => {
  const unlock = lockFolder(folder);
  const lock = join(folder, 'process.lock');
  // Process 1 always exists, but it did not start at this time.
  writeFileSync(lock, '1 0');
  lockFolder(folder);
  const stat = readFileSync('/proc/1/stat', 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  writeFileSync(lock, `1 ${started}`);
  expect(() => lockFolder(folder)).toThrow(/in use by process 1/u);
  unlock();
  lockFolder(folder)();
});

test('the keys are created once, and only the owner can read them', () => {
  const issued = issueCredentials(folder);
  expect(issued.api_key_id).toMatch(/^sim_[0-9a-f]{20}$/u);
  expect(issued.read_only.api_key_id).not.toBe(issued.api_key_id);
  expect(issueCredentials(folder)).toEqual(issued);
  const path = join(folder, 'credentials.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o600);
  writeFileSync(path, `{"api_key_id":"${issued.api_key_secret}"`);
  expect(() => issueCredentials(folder)).toThrow(/not a credentials file/u);
  expect(() => issueCredentials(folder)).not.toThrow(issued.api_key_secret);
});
