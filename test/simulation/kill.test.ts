/**
 * The end of all orders in virtual time: kills, panics, and halts that come from outside. The
 * prover `kill` runs the same stories over many more seeds.
 */
import { describe, expect, test } from 'vitest';
import { lostKill } from '../prove/recovery/lost-kill.ts';
import { killMany, manyOrders, openOf, pullSwitch } from '../support/kill-world.ts';
import { panicMany } from '../support/panic-world.ts';
import { botKey, Caller } from '../support/simulated-exchange.ts';
import { knobs } from '../support/virtual-faults.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

describe('the kill switch', { timeout: 120_000 }, () => {
  test('P8: nothing leaves after a halt, whenever it comes, and it outlives crashes', () => {
    for (let seed = 5_001; seed <= 5_010; seed++)
      expect(pullSwitch(seed), `seed ${seed}`).toMatchObject({ violations: [], remaining: 0 });
  });

  test('P8: a kill of 50 open orders leaves none within 25 s, with failures within 60 s', () => {
    for (let seed = 5_001; seed <= 5_002; seed++)
      for (const isFailing of [false, true]) {
        const found = killMany(seed, { orders: 50, isFailing });
        expect(found, `seed ${seed}`).toMatchObject({ violations: [], ordersOpen: 50 });
        expect(found.secondsToZero).toBeLessThan(isFailing ? 60 : 25);
      }
  });

  test('C6: half of all calls answered with 429 slow a kill down and do not end it', () => {
    const rates = { 'status.before.429': 0.5 };
    const without = knobs.filter((knob) => knob !== 'status.before.429');
    const found = killMany(5_004, { orders: 50, isFailing: true, rates, without });
    expect(found).toMatchObject({ violations: [], remaining: 0 });
  });

  test('C7: more orders than a minute has calls are stopped without a refusal of the exchange', async () => {
    const found = await panicMany(5_005, { orders: 400, isFailing: false });
    expect(found).toMatchObject({ violations: [], ordersOpen: 400, remaining: 0, throttled: 0 });
    // 290 calls leave in the first minute, the rest as soon as the next allows.
    expect(found.secondsToZero).toBeGreaterThan(55);
    expect(found.secondsToZero).toBeLessThan(75);
  });

  test('an order of unknown outcome keeps neither this run nor the next from ending, and is settled', async () => {
    // Killed and halted: lost, and taken long after its time to live.
    for (const seed of [1, 4, 5, 8])
      expect(await lostKill.play(seed, undefined), `seed ${seed}`).toEqual([]);
  });

  test('C8: orders of another namespace and of a person are never stopped', async () => {
    for (let seed = 5_006; seed <= 5_010; seed++) {
      const found = await panicMany(seed, { orders: 20, isFailing: true });
      expect(found, `seed ${seed}`).toMatchObject({ violations: [], remaining: 0 });
    }
  });
});

function begin(): VirtualWorld {
  const world = new VirtualWorld({ seed: 11, level: 0, withChaos: false });
  world.begin();
  world.pass(10);
  return world;
}

const botState = (world: VirtualWorld): string | undefined =>
  world.reports.tradingStates().find(({ scope }) => scope === 'bot')?.state;

describe('a bot whose account is not its own alone', () => {
  test('S5: an order of our namespace from another database halts and is stopped; another namespace is left alone', () => {
    const world = begin();
    const caller = new Caller(world.simulator, botKey, world.time.nowMicros);
    const other = caller.place('BID', '900000', '0.001', {
      client_order_id: 'b1-otherbot-1-abcdefghijkl',
    });
    world.pass(70);
    expect(botState(world)).toBeUndefined();

    const twin = new Caller(world.simulator, botKey, world.time.nowMicros).place(
      'BID',
      '900000',
      '0.001',
      { client_order_id: `b1-${world.settings.namespace}-1-abcdefghijkl` },
    );
    world.pass(90);
    expect(botState(world)).toBe('HALTED');
    expect(world.witness.incidents.map(({ code }) => code)).toEqual(['ORPHAN_ORDER']);
    const open = openOf(world.simulator, '');
    expect(open).toContain(other['order_id']);
    expect(open).not.toContain(twin['order_id']);
  });

  test('G15: a key that is revoked halts the bot, and what it knows of its orders is kept', () => {
    const world = begin();
    const before = world.reports.openOrders();
    expect(before.length).toBeGreaterThan(0);
    world.simulator.control({ kind: 'revoke-key', keyId: botKey.id }, world.time.nowMicros);
    world.pass(90);
    expect(botState(world)).toBe('HALTED');
    const state = world.reports.tradingStates().find(({ scope }) => scope === 'bot');
    expect(state?.reason).toMatch(/the exchange refuses the key/u);
    const after = world.reports.openOrders().map(({ clientOrderId }) => clientOrderId);
    for (const { clientOrderId } of before) expect(after).toContain(clientOrderId);
    // A restart remembers both.
    world.kill();
    world.pass(40);
    expect(world.lives).toBe(2);
    expect(botState(world)).toBe('HALTED');
    expect(world.reports.openOrders().length).toBeGreaterThanOrEqual(before.length);
  });
});

/** Lets seconds pass until both sides have an order, and returns how many have. */
function quotesWithin(world: VirtualWorld, seconds: number): number {
  const quoted = (): number => new Set(world.reports.openOrders().map(({ side }) => side)).size;
  for (let passed = 0; passed < seconds && quoted() < 2; passed++) world.pass(1);
  return quoted();
}

describe('a halt', () => {
  test.each(['strategy:mm', 'pair:XBTZAR'])(
    'of %s cancels what is within it, and a resume of it lets it quote again',
    (scope) => {
      const world = begin();
      expect(quotesWithin(world, 5)).toBe(2);
      world.tell({ kind: 'operator', command: 'halt', reason: 'test', scope });
      world.pass(20);
      expect(world.reports.openOrders()).toHaveLength(0);
      expect(world.reports.tradingStates()).toMatchObject([{ scope, state: 'HALTED' }]);
      world.kill();
      world.pass(60);
      expect(world.reports.openOrders()).toHaveLength(0);
      world.tell({ kind: 'operator', command: 'resume', reason: 'test', scope });
      expect(quotesWithin(world, 25)).toBe(2);
    },
  );

  test.each(['bot', 'strategy:mm', 'pair:XBTZAR'])(
    'a person reduces %s: only what brings it nearer to zero passes, through a restart too',
    (scope) => {
      const world = begin();
      expect(quotesWithin(world, 5)).toBe(2);
      world.tell({ kind: 'operator', command: 'reduce', reason: 'test', scope });
      world.pass(30);
      expect(world.reports.tradingStates()).toMatchObject([{ scope, state: 'REDUCING' }]);
      expect(world.reports.openOrders().length).toBeLessThan(2);
      const refused = world.reports.refusalCounts(0).find(({ code }) => code === 'REDUCE_ONLY');
      expect(refused?.count).toBeGreaterThan(0);
      world.kill();
      world.pass(40);
      expect(world.reports.tradingStates()).toMatchObject([{ scope, state: 'REDUCING' }]);
      expect(world.reports.openOrders().length).toBeLessThan(2);
      world.tell({ kind: 'operator', command: 'resume', reason: 'test', scope });
      expect(quotesWithin(world, 25)).toBe(2);
    },
  );

  test.each([
    { kind: 'operator', command: 'halt', reason: 'test', ticket: 1 },
    { kind: 'operator', command: 'halt', reason: 'test', ticket: 1, scope: 'strategy:own' },
    { kind: 'operator', command: 'halt', reason: 'test', ticket: 1, scope: 'pair:XBTZAR' },
    { kind: 'operator', command: 'kill', reason: 'test', ticket: 1 },
    { kind: 'operator', command: 'stop', reason: 'test', ticket: 1 },
  ] as const)('$command of $scope ends what waits for the call budget at once', (event) => {
    const told: string[] = [];
    const world = new VirtualWorld({
      ...{ seed: 13, level: 0, withChaos: false, isRoomy: true },
      strategy: manyOrders(400, 100),
      onOperated: ({ text }) => told.push(text),
    });
    const counts = () => world.reports.orderCounts();
    world.begin();
    for (let i = 0; i < 300 && (counts()['waiting'] ?? 0) < 20; i++) world.pass(0.1);
    expect(counts()['waiting']).toBeGreaterThanOrEqual(20);
    expect(counts()['unsent']).toBeUndefined();
    world.tell(event);
    world.pass(0.001);
    expect(told.length).toBe(1);
    // A halt also stores what was held. No cancel is answered yet, and what waited is unsent.
    const live = world.reports.openOrders().length + (counts()['unsent'] ?? 0);
    if (event.command === 'halt') expect(told[0]).toContain(`${live} live orders`);
    expect(counts()['waiting'] ?? 0).toBe(0);
  });

  test('is not opened by a word to reduce', () => {
    const answers: string[] = [];
    const onOperated = ({ text }: { readonly text: string }): number => answers.push(text);
    const world = new VirtualWorld({ seed: 12, level: 0, withChaos: false, onOperated });
    world.begin();
    world.pass(10);
    world.tell({ kind: 'operator', command: 'halt', reason: 'test' });
    world.tell({ kind: 'operator', command: 'reduce', reason: 'test', ticket: 2 });
    world.pass(20);
    expect(answers.join()).toContain('bot is HALTED, which is stricter');
    expect(world.reports.tradingStates()).toMatchObject([{ scope: 'bot', state: 'HALTED' }]);
    expect(world.reports.openOrders()).toHaveLength(0);
  });

  test('that is taken back ends a kill that is still at work', () => {
    const answers: string[] = [];
    const world = new VirtualWorld({
      seed: 12,
      level: 0,
      withChaos: false,
      halfSpread: '12bps',
      onOperated: ({ text }) => answers.push(text),
    });
    world.begin();
    world.pass(10);
    world.tell({ kind: 'operator', command: 'kill', reason: 'test', ticket: 1 });
    world.pass(2);
    world.tell({ kind: 'operator', command: 'resume', reason: 'test', ticket: 2 });
    world.pass(20);
    expect(answers.join('\n')).toMatch(/the kill ended early because the bot was resumed/u);
    expect(world.reports.openOrders()).toHaveLength(2);
  });
});
