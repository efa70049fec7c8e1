/** Recorded order flow in the simulated exchange, without users and with them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Side } from '../../../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../../../src/domain/money.ts';
import { IdentifiedBook } from '../../../../../src/market/book/identified-book.ts';
import type { OrderFlowRow } from '../../../../../src/market/flow/order-flow-row.ts';
import type { FlowRecording } from '../../../../../src/venues/luno/simulator/core/flow-recording.ts';
import type { SimulatorSettings } from '../../../../../src/venues/luno/simulator/core/simulator-settings.ts';
import { openStoredSimulator } from '../../../../../src/venues/luno/simulator/server/state-folder.ts';
import {
  createSimulator,
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import { RandomOrderFlow } from '../../../../support/random-order-flow.ts';
import { applyFlowRow } from '../../../../support/row-book.ts';
import { SeededRandom } from '../../../../support/seeded-random.ts';
import {
  botKey,
  Caller,
  quietSettings,
  second,
  startMicros,
  testKeys,
} from '../../../../support/simulated-exchange.ts';

const pair = 'XBTZAR';
const speed = 2;
const market = quietSettings.markets.find((one) => one.pair === pair);
if (market === undefined) throw new Error('the test needs XBTZAR');
const settings: SimulatorSettings = {
  ...quietSettings,
  markets: [
    { ...market, priceMin: 1 as Ticks, volumeMin: 1 as Lots, volumeScale: 0, flowSpeed: speed },
  ],
};

function start(recording: FlowRecording) {
  const genesis = { settings, seed: 1, timeMicros: startMicros, keys: testKeys(settings) };
  return createSimulator({ ...genesis, flow: recording });
}

/** A caller who can open a stream too. */
const callerFor = (simulator: Simulator, timeMicros = startMicros) =>
  Object.assign(new Caller(simulator, botKey, timeMicros), { simulator });
type FlowCaller = ReturnType<typeof callerFor>;

type Order = { readonly price: number; readonly volume: number };

/** Returns the orders of a side as the public book shows them: price and volume, in queue order. */
function ordersOf(caller: FlowCaller, side: 'bids' | 'asks'): Order[] {
  const frames: string[] = [];
  const session = caller.simulator.openSession(
    `/api/1/stream/${pair}`,
    (output) => output.kind === 'frame' && frames.push(output.text),
    caller.timeMicros,
  );
  session?.receive(
    JSON.stringify({ api_key_id: botKey.id, api_key_secret: botKey.secret }),
    caller.timeMicros,
  );
  session?.close(caller.timeMicros);
  const snapshot = JSON.parse(frames[0] ?? '{}') as Record<
    string,
    readonly { readonly price: string; readonly volume: string }[]
  >;
  return (snapshot[side] ?? []).map((one) => ({
    price: Number.parseFloat(one.price),
    volume: Number.parseFloat(one.volume),
  }));
}

function restingIn(book: IdentifiedBook, side: Side): Order[] {
  return book.book.levels(side).flatMap(({ price }) =>
    [...book.book.ordersAt(side, price)].map((slot) => ({
      price,
      volume: book.book.volumeOf(slot),
    })),
  );
}

/** Returns the rows of the actions, which are one second apart in the recording. */
function rowsOf(...actions: readonly (readonly Partial<OrderFlowRow>[])[]): OrderFlowRow[] {
  let sequence = 0;
  return actions.flatMap((action, at) =>
    action.map(
      (row, index) =>
        ({
          sequence: ++sequence,
          atMicros: 1_000_000_000 + at * second,
          endsMessage: index === action.length - 1,
          ...row,
        }) as OrderFlowRow,
    ),
  );
}

const create = (id: string, side: Side, price: number, volume: number) =>
  ({ kind: 'create', id, side, price: price as Ticks, volume: volume as Lots }) as const;
const remove = (id: string) => ({ kind: 'delete', id }) as const;
const trade = (makerId: string, makerSide: Side, price: number, volume: number, takerId = 't') =>
  ({
    kind: 'trade',
    makerId,
    takerId,
    makerSide,
    price: price as Ticks,
    volume: volume as Lots,
  }) as const;
const resting = (id: string, side: Side, price: number, volume: number) => ({
  id,
  side,
  price: price as Ticks,
  volume: volume as Lots,
});

/** Returns the time at which the market has replayed `count` actions. */
const after = (count: number) => startMicros + ((count - 1) * second) / speed;

const seeds =
  process.env['SEED'] === undefined ? [1, 2, 3, 4] : [Number.parseInt(process.env['SEED'], 10)];

test.each(seeds)(
  'without users the book equals the recorded book after every action, seed %i',
  (seed) => {
    const flow = new RandomOrderFlow(new SeededRandom(seed), { hasResizes: false });
    const actions = Array.from({ length: 200 }, () => flow.next());
    const rows = actions.flatMap((action, at) =>
      action.map((row, index) => ({
        ...row,
        atMicros: at * second,
        endsMessage: index === action.length - 1,
      })),
    );
    const simulator = start({ digest: 'a', resting: [], rows });
    const caller = callerFor(simulator);
    const history = new IdentifiedBook();
    for (const [at, action] of actions.entries()) {
      caller.timeMicros = startMicros + Math.floor((at * second) / speed);
      for (const row of action) expect(applyFlowRow(history, row)).toBe(true);
      simulator.advance(caller.timeMicros);
      expect(ordersOf(caller, 'bids')).toEqual(restingIn(history, 'BID'));
      expect(ordersOf(caller, 'asks')).toEqual(restingIn(history, 'ASK'));
    }
    expect(simulator.faults()).toEqual([]);
    expect(simulator.flows()).toMatchObject([{ pair, misfits: 0, rows: rows.length }]);
  },
);

test.each(seeds)(
  'with users no invariant breaks and no order outlives its recorded order, seed %i',
  (seed) => {
    const random = new SeededRandom(seed);
    const flow = new RandomOrderFlow(new SeededRandom(seed + 100));
    const actions = Array.from({ length: 300 }, () => flow.next());
    const rows = actions.flatMap((action, at) =>
      action.map((row, index) => ({
        ...row,
        atMicros: at * second,
        endsMessage: index === action.length - 1,
      })),
    );
    const simulator = start({ digest: 'a', resting: [], rows });
    const caller = callerFor(simulator);
    const history = new IdentifiedBook();
    let own = 0;
    for (const [at, action] of actions.entries()) {
      caller.timeMicros = startMicros + Math.floor((at * second) / speed);
      simulator.advance(caller.timeMicros);
      for (const row of action) applyFlowRow(history, row);
      if (random.fraction() < 0.3) {
        const side = random.pick(['BID', 'ASK'] as const);
        const price = random.integer(96, 104);
        const placed = caller.place(side, price, String(random.integer(1, 9)));
        if (placed['order_id'] !== undefined) own += 1;
      }
      const open = caller.get('/api/exchange/2/listorders')['orders'] ?? [];
      const here = ordersOf(caller, 'bids').length + ordersOf(caller, 'asks').length - open.length;
      const there = restingIn(history, 'BID').length + restingIn(history, 'ASK').length;
      expect(here).toBeLessThanOrEqual(there);
    }
    expect(own).toBeGreaterThan(50);
    expect(simulator.faults()).toEqual([]);
    expect(simulator.truth('desk').trades.length).toBeGreaterThan(20);
  },
);

test("a user's better price trades with the recorded taker first, and the maker leaves as recorded", () => {
  const rows = rowsOf([create('a', 'ASK', 105, 5)], [trade('b', 'BID', 100, 10)]);
  const simulator = start({ digest: 'a', resting: [resting('b', 'BID', 100, 10)], rows });
  const caller = callerFor(simulator, after(1));
  caller.place('BID', 101, '4');
  caller.timeMicros = after(2);
  simulator.advance(caller.timeMicros);
  expect(simulator.truth('desk').trades).toMatchObject([{ price: 101, volume: 4 }]);
  // Six of ten were left for the maker. The recorded maker is gone, so the other four left too.
  expect(ordersOf(caller, 'bids')).toEqual([]);
});

test('a user behind the queue at a price trades only when more than the queue is taken', () => {
  const rows = rowsOf(
    [create('a', 'ASK', 105, 5)],
    [trade('b', 'BID', 100, 6)],
    [trade('b', 'BID', 100, 4), create('t', 'ASK', 100, 3)],
  );
  const simulator = start({ digest: 'a', resting: [resting('b', 'BID', 100, 10)], rows });
  const caller = callerFor(simulator, after(1));
  caller.place('BID', 100, '2');
  simulator.advance(after(2));
  expect(simulator.truth('desk').trades).toEqual([]);
  // The taker of the third action is one order: four of the maker, two of the user, one rests.
  caller.timeMicros = after(3);
  simulator.advance(caller.timeMicros);
  expect(simulator.truth('desk').trades).toMatchObject([{ price: 100, volume: 2 }]);
  expect(ordersOf(caller, 'asks')).toEqual([
    { price: 100, volume: 1 },
    { price: 105, volume: 5 },
  ]);
});

test('volume that a user took stays taken when the owner moves or reduces the order', () => {
  const rows = rowsOf(
    [create('c', 'BID', 90, 1)],
    [remove('a'), create('a', 'ASK', 104, 10)],
    [{ kind: 'resize', id: 'a', volume: 8 as Lots }],
    [{ kind: 'resize', id: 'a', volume: 3 as Lots }],
  );
  const simulator = start({ digest: 'a', resting: [resting('a', 'ASK', 105, 10)], rows });
  const caller = callerFor(simulator, after(1));
  caller.place('BID', 105, '4', { time_in_force: 'IOC' });
  expect(ordersOf(caller, 'asks')).toEqual([{ price: 105, volume: 6 }]);
  const left = [[{ price: 104, volume: 6 }], [{ price: 104, volume: 4 }], []];
  for (const [index, expected] of left.entries()) {
    caller.timeMicros = after(index + 2);
    expect(ordersOf(caller, 'asks')).toEqual(expected);
  }
  expect(simulator.faults()).toEqual([]);
});

test('volume that was hidden in the recording takes nothing from other orders', () => {
  const rows = rowsOf([create('c', 'BID', 90, 1)], [trade('a', 'ASK', 105, 9)]);
  const orders = [resting('a', 'ASK', 105, 2), resting('b', 'ASK', 105, 5)];
  const simulator = start({ digest: 'a', resting: orders, rows });
  const caller = callerFor(simulator, after(2));
  simulator.advance(caller.timeMicros);
  expect(ordersOf(caller, 'asks')).toEqual([{ price: 105, volume: 5 }]);
});

test('a restart continues at the same point of the same recording, and refuses any other', () => {
  const flow = new RandomOrderFlow(new SeededRandom(9));
  const rows = Array.from({ length: 100 }, (_, at) =>
    flow.next().map((row, index, action) => ({
      ...row,
      atMicros: at * second,
      endsMessage: index === action.length - 1,
    })),
  ).flat();
  const recording = { digest: 'a'.repeat(64), resting: [], rows };
  const simulator = start(recording);
  simulator.advance(startMicros + 20 * second);
  const snapshot = simulator.snapshot();
  const again = restoreSimulator(snapshot, () => {}, recording);
  expect(again.flows()).toEqual(simulator.flows());
  for (const one of [simulator, again]) one.advance(startMicros + 40 * second);
  const books = [simulator, again].map((one) => {
    const caller = callerFor(one, one.timeMicros);
    return [ordersOf(caller, 'bids'), ordersOf(caller, 'asks')];
  });
  expect(books[1]).toEqual(books[0]);
  expect(() =>
    restoreSimulator(snapshot, () => {}, { ...recording, digest: 'b'.repeat(64) }),
  ).toThrow(/replays the recorded order flow aaaaaaaaaaaaaaaa, but bbbbbbbbbbbbbbbb was given/u);
  expect(() => restoreSimulator(snapshot)).toThrow(/but none was given/u);
});

test('an exchange that was killed continues from its log, including the recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-flow-'));
  try {
    const flow = new RandomOrderFlow(new SeededRandom(11));
    const rows = Array.from({ length: 200 }, (_, at) =>
      flow.next().map((row, index, action) => ({
        ...row,
        atMicros: at * second,
        endsMessage: index === action.length - 1,
      })),
    ).flat();
    const recording = { digest: 'a', resting: [], rows };
    const open = () =>
      openStoredSimulator(
        folder,
        (record) => {
          const keys = testKeys(settings);
          const genesis = { settings, seed: 1, timeMicros: startMicros, keys, flow: recording };
          return createSimulator(genesis, record);
        },
        { flow: recording },
      );
    const { simulator } = open();
    const caller = callerFor(simulator);
    for (let at = 1; at <= 60; at++) {
      caller.timeMicros = startMicros + at * second;
      caller.place(at % 2 === 0 ? 'BID' : 'ASK', 100, '3');
    }
    const { simulator: again, replayed } = open();
    expect(replayed).toBeGreaterThan(60);
    simulator.advance(again.timeMicros);
    expect(again.truth('desk')).toEqual(simulator.truth('desk'));
    expect(again.flows()).toEqual(simulator.flows());
    expect(again.truth('desk').trades.length).toBeGreaterThan(5);
    expect(again.faults()).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the recording waits while the exchange is not running, and starts again after its end', () => {
  const rows = rowsOf([create('a', 'ASK', 105, 5)], [remove('a')]);
  const simulator = start({ digest: 'a', resting: [resting('b', 'BID', 100, 10)], rows });
  const caller = callerFor(simulator);
  simulator.advance(after(1));
  simulator.pause(startMicros + 3600 * second);
  caller.timeMicros = simulator.timeMicros;
  expect(ordersOf(caller, 'asks')).toHaveLength(1);
  caller.timeMicros += second / speed;
  expect(ordersOf(caller, 'asks')).toHaveLength(0);
  expect(simulator.flows()).toMatchObject([{ rows: 2, rounds: 0 }]);
  // The pause is a minute of recorded time.
  caller.timeMicros += (60 * second) / speed;
  expect(ordersOf(caller, 'asks')).toEqual([{ price: 105, volume: 5 }]);
  expect(ordersOf(caller, 'bids')).toEqual([{ price: 100, volume: 10 }]);
  expect(simulator.flows()).toMatchObject([{ rows: 1, rounds: 1, misfits: 0 }]);
  expect(simulator.faults()).toEqual([]);
});

test('a closed market takes no recorded orders, and the recording continues', () => {
  const rows = rowsOf([create('a', 'ASK', 105, 5)], [remove('b')]);
  const simulator = start({ digest: 'a', resting: [resting('b', 'BID', 100, 10)], rows });
  simulator.control({ kind: 'set-status', pair, status: 'DISABLED' }, startMicros - 1);
  const caller = callerFor(simulator, after(2));
  simulator.advance(caller.timeMicros);
  expect(simulator.flows()).toMatchObject([{ rows: 2, misfits: 0 }]);
  expect(simulator.faults()).toEqual([]);
});
