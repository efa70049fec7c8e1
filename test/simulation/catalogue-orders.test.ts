/** Order requests that go wrong, one at a time, over the whole bot (catalogue A and C). */
import { describe, expect, test } from 'vitest';
import { createRequestWriter } from '../../src/venues/luno/client/request-writer.ts';
import type { SimulatorResponse } from '../../src/venues/luno/simulator/core/simulator-request.ts';
import { steadyStrategy } from '../support/steady-strategy.ts';
import type {
  Fate,
  Rewrite,
  SentRequest,
  Tamper,
  WorldOptions,
  WorldResult,
} from '../support/virtual-run.ts';
import { runWorld, VirtualWorld } from '../support/virtual-world.ts';

const one = { strategy: steadyStrategy({ everyMs: 1_000, restMs: 120_000, ordersMax: 1 }) };
const taker = { strategy: steadyStrategy({ everyMs: 1_000, restMs: 0, ordersMax: 1 }) };

function tell(options: Partial<WorldOptions>): WorldResult {
  return runWorld({ seed: 31, level: 0, stormSeconds: 20, ...options });
}

/** Changes the first answer to an operation. */
function first(operation: string, change: (made: SimulatorResponse) => ReturnType<Tamper>): Tamper {
  let isFirst = true;
  return (request, response) => {
    if (request.operation !== operation || !isFirst) return response;
    isFirst = false;
    return change(response);
  };
}

/** What becomes of the first order request. */
function firstOrder(fate: 'lost' | number): Fate {
  let isFirst = true;
  return ({ operation }) => {
    if (operation !== 'postorder' || !isFirst) return undefined;
    isFirst = false;
    return fate;
  };
}

/** What the bot asked for in its order requests, of one calm story. */
function sentOrders(): readonly Readonly<Record<string, unknown>>[] {
  const sent: Readonly<Record<string, unknown>>[] = [];
  tell({
    tamper: ({ operation, parameters }, response) => {
      if (operation === 'postorder') sent.push(parameters);
      return response;
    },
  });
  return sent;
}

const refusal = (status: number, code: string): SimulatorResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ error_code: code, error: code }),
});

/** The story ends well, with this many orders sent and accepted. */
function expectWell(result: WorldResult, sent: number, accepted = 1): void {
  expect(result.violations).toEqual([]);
  expect(result.incidents).toEqual({});
  expect([result.calls['postorder'], result.accepted]).toEqual([sent, accepted]);
}

describe('an order request', () => {
  test('A1: that is lost before the exchange is sent again under its id, and there is one order', () => {
    expectWell(tell({ ...one, fate: firstOrder('lost') }), 2);
  });

  test.each([500, 1_500])('A3: that arrives %i ms late is adopted, not sent again', (lateMs) => {
    expectWell(tell({ ...one, fate: firstOrder(lateMs) }), 1);
  });

  test.each([2_500, 8_000, 110_000])(
    'A4: that arrives %i ms late is refused by its time to live, and its id is sent again',
    (lateMs) => expectWell(tell({ ...one, fate: firstOrder(lateMs) }), 2),
  );

  test('A5: that is taken 8 s late by an exchange that ignores the time to live is still one order', () => {
    expectWell(tell({ ...one, broken: ['ttl'], fate: firstOrder(8_000) }), 1);
  });

  test('A5: that is taken after it was sent again is refused as a repetition', () => {
    expectWell(tell({ ...one, broken: ['ttl'], fate: firstOrder(40_000) }), 2);
  });

  test('A6: an exchange that takes an id twice has one order of it, by the time to live alone', () => {
    expectWell(
      tell({ ...one, broken: ['uniqueness'], tamper: first('postorder', () => undefined) }),
      1,
    );
  });

  test.each<[string, Tamper]>([
    ['a failure of the server', first('postorder', () => refusal(500, 'ErrInternal'))],
    [
      'a failure without a code',
      first('postorder', () => ({ ...refusal(502, ''), body: '<html>' })),
    ],
  ])('A7: that is answered by %s after it was taken is adopted', (_name, tamper) => {
    expectWell(tell({ ...one, tamper }), 1);
  });

  test('A8: whose deadline is said to be exceeded although it was taken is adopted', () => {
    expectWell(
      tell({ ...taker, tamper: first('postorder', () => refusal(400, 'ErrDeadlineExceeded')) }),
      1,
    );
  });

  test.each([
    ['half of it', '{"order_id":"BX'],
    ['no JSON', 'OK'],
    ['nothing in it', '{}'],
    ['a number', '{"order_id":7}'],
    ['an empty id', '{"order_id":""}'],
    ['an id of 10 kB', `{"order_id":"${'x'.repeat(10_240)}"}`],
  ])('A10: whose answer is %s is looked up and adopted', (_name, body) => {
    expectWell(tell({ ...one, tamper: first('postorder', (made) => ({ ...made, body })) }), 1);
  });

  test("A11: whose answer names another order is an incident, and our own id's word is taken", () => {
    const tamper = first('postorder', (made) => ({
      ...made,
      body: '{"order_id":"BX0NOTOURS00000"}',
    }));
    const world = new VirtualWorld({ seed: 31, level: 0, ...one, tamper });
    world.begin();
    world.pass(60);
    // The read by the id that we were given finds nothing; the list of open orders knows ours.
    world.engine?.reconciler.request();
    world.pass(60);
    const [row] = world.reports.orders();
    const codes = world.witness.incidents.map(({ code }) => code);
    expect(codes).toContain('ORDER_ID_DIFFERS');
    expect(world.simulator.truth('desk').orders.map((order) => order.order_id)).toEqual([
      row?.orderId,
    ]);
    expect(world.reports.tradingStates()).toContainEqual(
      expect.objectContaining({ scope: 'bot', state: 'HALTED' }),
    );
  });

  test('A16: that takes what there is ends with the fills that it had', () => {
    const result = tell(taker);
    expectWell(result, 1);
    expect(result.fills).toBeGreaterThan(0);
    expect(Object.keys(result.states)).toHaveLength(1);
  });

  test('A21: whose answer cannot be stored ends the process; the next one finds the order', () => {
    const commits = tell(one).commits;
    for (let commit = 1; commit <= commits; commit++) {
      const result = tell({ ...one, crashAt: [{ commit, where: 'before' }] });
      expect(result.violations, `commit ${commit} fails`).toEqual([]);
      expect(result.accepted).toBeLessThanOrEqual(1);
    }
  });

  test('A24: of two strategies in one moment, together above the limit, is refused to the second', () => {
    const strategy = steadyStrategy({ everyMs: 1_000, restMs: 60_000, ordersMax: 1 });
    const begin = (ordersOpenMax: number): VirtualWorld => {
      const world = new VirtualWorld({
        seed: 31,
        level: 0,
        strategy,
        hasTwin: true,
        limits: (usual) => ({ ...usual, account: { ...usual.account, ordersOpenMax } }),
      });
      world.begin();
      world.pass(10);
      expect(world.witness.violations).toEqual([]);
      return world;
    };
    const owners = (world: VirtualWorld): readonly string[] =>
      world.reports.orders().map(({ strategyId }) => strategyId);
    const narrow = begin(1);
    expect(owners(narrow)).toEqual(['own']);
    expect(narrow.reports.refusalCounts(0)).toEqual([
      expect.objectContaining({ strategyId: 'twin', code: 'ORDERS_OPEN', count: 1 }),
    ]);
    expect([...owners(begin(2))].sort()).toEqual(['own', 'twin']);
  });

  test('A25: always names both accounts', () => {
    const { settings } = new VirtualWorld({ seed: 31 });
    const sent = sentOrders();
    expect(sent.length).toBeGreaterThan(5);
    for (const parameters of sent) {
      expect(parameters['base_account_id']).toBe(settings.accounts['XBT']);
      expect(parameters['counter_account_id']).toBe(settings.accounts['ZAR']);
    }
  });

  test('A26: never has a price that moves with the last trade', () => {
    const names = new Set(sentOrders().flatMap((parameters) => Object.keys(parameters)));
    expect([...names].filter((name) => /stop|relative|direction/u.test(name))).toEqual([]);
    expect(names).toContain('price');
  });

  test('A27: never asks for leverage or margin', () => {
    const names = new Set(sentOrders().flatMap((parameters) => Object.keys(parameters)));
    expect([...names].filter((name) => /leverage|margin|repay/u.test(name))).toEqual([]);
    expect(names).toContain('volume');
  });

  test.each([301, 302, 307, 308])(
    'A28: that is redirected with %i is not followed; it proves nothing',
    (status) => {
      const tamper = first('postorder', (made) => ({
        ...made,
        status,
        headers: { location: 'https://evil.example/' },
      }));
      expectWell(tell({ ...one, tamper }), 1);
    },
  );

  test('A29: has an id of letters, digits and dashes, which no proxy splits', () => {
    const ids = sentOrders().map((parameters) => String(parameters['client_order_id']));
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,64}$/u);
  });

  test.each(['x'.repeat(101), 'a b', 'a\n', 'ä', ''])(
    'A30: with the id %j is refused here',
    (id) => {
      const write = createRequestWriter({
        authorization: () => 'Basic',
        wallet: undefined,
        paths: {},
        allow: ['postorder'],
      });
      const [good] = sentOrders() as [Parameters<typeof write<'postorder'>>[1]];
      expect(write('postorder', good)).not.toHaveProperty('refusal');
      expect(write('postorder', { ...good, client_order_id: id })).toHaveProperty('refusal');
    },
  );
});

describe('a refusal for the market', () => {
  test('G12: closes the pair: nothing is sent until the list of markets says that it is open', () => {
    const world = new VirtualWorld({ seed: 31, level: 0, withChaos: false, refresh: '1s' });
    const code = 'ErrMarketUnavailable';
    world.simulator.control(
      { kind: 'fail-next', operation: 'postorder', code },
      world.time.nowMicros,
    );
    world.begin();
    world.pass(6);
    const [market] = world.engine?.markets.values() ?? [];
    expect(market?.isClosed).toBe(true);
    const sent = world.witness.calls.get('postorder') ?? 0;
    world.pass(3);
    expect(world.witness.calls.get('postorder')).toBe(sent);
    world.pass(12);
    expect(market?.isClosed).toBe(false);
    world.pass(5);
    expect(world.witness.calls.get('postorder')).toBeGreaterThan(sent);
  });

  test('A9: a burst of 429 for a minute pauses the bot, which goes on afterwards', () => {
    const result = tell({
      strategy: steadyStrategy({ everyMs: 25_000, restMs: 120_000, ordersMax: 4 }),
      stormSeconds: 110,
      script: (world) => world.outside.throttle(60),
    });
    expect(result.violations).toEqual([]);
    // What was wished for during the pause is too old when it is over.
    expect(result.accepted).toBe(2);
    const calls = Object.values(result.calls).reduce((sum, count) => sum + count, 0);
    expect(calls).toBeLessThan(150);
  });

  test('A9: a wait of an hour is obeyed for a minute, and told', () => {
    const throttled = { ...refusal(429, 'ErrTooManyRequests'), headers: { 'retry-after': '3600' } };
    const result = tell({
      strategy: steadyStrategy({ everyMs: 10_000, restMs: 120_000, ordersMax: 1 }),
      stormSeconds: 110,
      tamper: first('postorder', () => throttled),
      keepJournals: true,
    });
    expectWell(result, 1);
    expect(result.journals.flat().join('\n')).toMatch(
      /refuses calls because there are too many \(429\): for 60 s only one cancel a second/u,
    );
  });
});

describe('a cancel', () => {
  const cancelled = { strategy: steadyStrategy({ everyMs: 1_000, restMs: 2_000, ordersMax: 1 }) };
  /** The user stream never reports an order complete. */
  const withoutEnds: Rewrite = (source, text) =>
    source === 'user' ? text.replace('"COMPLETE"', '"PENDING"') : text;

  test('C1: of an order whose answer is lost waits for its id, then stops it', () => {
    const result = tell({ ...cancelled, tamper: first('postorder', () => undefined) });
    expectWell(result, 1);
    expect(result.states).toEqual({ cancelled: 1 });
  });

  test.each<[string, Tamper]>([
    ['C3: whose answer is lost', first('stoporder', () => undefined)],
    [
      'C4: that is refused',
      first('stoporder', () => refusal(400, 'ErrCannotStopUnknownOrNonPendingOrder')),
    ],
    ['C5: that says false', first('stoporder', (made) => ({ ...made, body: '{"success":false}' }))],
  ])('%s is repeated until the record says that the order is over', (_name, tamper) => {
    const result = tell({ ...cancelled, tamper });
    expectWell(result, 1);
    expect(result.states).toEqual({ cancelled: 1 });
  });

  test('C8, A11: stops its own order also where the answer named one of somebody else', () => {
    const stopped: unknown[] = [];
    const world = new VirtualWorld({
      ...{ seed: 31, level: 0, ...cancelled },
      tamper: ({ operation, parameters }, made) => {
        if (operation === 'stoporder') stopped.push(parameters['order_id']);
        return operation === 'postorder'
          ? { ...made, body: '{"order_id":"BX0NOTOURS00000"}' }
          : made;
      },
    });
    world.begin();
    world.pass(60);
    const [order] = world.simulator.truth('desk').orders;
    expect(order?.status).toBe('COMPLETE');
    expect(new Set(stopped)).toEqual(new Set([order?.order_id]));
  });

  test('C7: of sixty open orders needs no read of each, which would starve new ones', () => {
    const world = new VirtualWorld({
      seed: 31,
      level: 0,
      isRoomy: true,
      strategy: steadyStrategy({ everyMs: 1_000, restMs: 3_600_000, ordersMax: 70 }),
    });
    world.begin();
    world.pass(65);
    const open = world.engine?.orders.tracker.count('open') ?? 0;
    const before = new Map(world.witness.calls);
    const calls = (operation: string): number =>
      (world.witness.calls.get(operation) ?? 0) - (before.get(operation) ?? 0);
    world.pass(60);
    expect(open).toBeGreaterThan(55);
    expect(calls('listOrdersV2')).toBeGreaterThan(3);
    // Only what left the list was read: single polls would have been four a minute for each.
    expect(calls('getOrderV3')).toBeLessThan(open);
    expect(world.reports.orders()).toHaveLength(70);
    expect(world.witness.violations).toEqual([]);
  });

  test('C6: leaves through a burst of 429, about one a second', () => {
    const world = new VirtualWorld({
      seed: 31,
      level: 0,
      withChaos: false,
      halfSpread: '20bps',
      refresh: '15s',
    });
    world.begin();
    world.pass(20);
    expect(world.reports.openOrders().length).toBeGreaterThan(0);
    world.outside.throttle(10);
    world.tell({ kind: 'operator', command: 'halt', reason: 'the test' });
    world.pass(40);
    expect(world.reports.openOrders()).toEqual([]);
    expect(world.simulator.truth('desk').orders.every((order) => order.status === 'COMPLETE')).toBe(
      true,
    );
  });

  test('C9: that is accepted while the record says PENDING for long, and no stream the end, is polled, and its order counts as open', () => {
    let shown: SimulatorResponse | undefined;
    const reads: SentRequest[] = [];
    const world = new VirtualWorld({
      seed: 31,
      level: 0,
      ...cancelled,
      rewrite: withoutEnds,
      tamper: (request, made) => {
        if (request.operation !== 'getOrderV3') return made;
        shown ??= made;
        reads.push(request);
        return { ...made, body: shown.body };
      },
    });
    world.begin();
    world.pass(30);
    expect(reads.length).toBeGreaterThan(5);
    expect(world.reports.openOrders().map((order) => order.state)).toEqual(['open']);
  });
});
