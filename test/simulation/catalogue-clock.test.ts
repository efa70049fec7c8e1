/** Clocks that are wrong, jump or say nothing, over the whole bot (catalogue K). */
import { describe, expect, test } from 'vitest';
import { exchangeTimeMsOf } from '../../src/venues/luno/client/reply-headers.ts';
import { steadyStrategy } from '../support/steady-strategy.ts';
import { knobs } from '../support/virtual-faults.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

const one = { strategy: steadyStrategy({ everyMs: 1_000, restMs: 120_000, ordersMax: 1 }) };
const often = { strategy: steadyStrategy({ everyMs: 1_000, restMs: 2_000 }) };

/** Which refusals the gate has stored. */
const refusals = (world: VirtualWorld): readonly string[] =>
  world.reports.refusalCounts(0).map(({ code }) => code);

describe('the clock', () => {
  test.each([1_000, 1_500, 30_000, 3_600_000])(
    'K1: of ours that is set %i ms ahead never puts a stamp ahead of the exchange',
    (aheadMs) => {
      const world = new VirtualWorld({ seed: 12, level: 0, ...often });
      world.begin();
      world.pass(5);
      world.outside.stepClock(aheadMs);
      world.pass(20);
      // The witness compares each stamp with the exchange's own clock.
      expect(world.witness.violations).toEqual([]);
      expect(world.witness.accepted).toBeGreaterThan(2);
    },
  );

  test('K2: that differs by more than two seconds lets no order pass, until it agrees again', () => {
    const world = new VirtualWorld({ seed: 12, level: 0, ...often });
    world.begin();
    world.pass(5);
    world.outside.stepClock(30_000);
    world.pass(2);
    const accepted = world.witness.accepted;
    world.pass(20);
    expect(refusals(world)).toContain('CLOCK_SKEW');
    expect(world.witness.accepted).toBe(accepted);
  });

  test('K4: of the exchange that is three hours ahead for 20 s is named, and trading goes on within 30 s', () => {
    let aheadUntilMicros = 0;
    const notices: string[] = [];
    const world: VirtualWorld = new VirtualWorld({
      seed: 12,
      level: 0,
      ...often,
      tamper: (_request, response) => {
        if (world.time.nowMicros > aheadUntilMicros) return response;
        const date = new Date(world.time.nowMicros / 1000 + 3 * 3_600_000).toUTCString();
        return { ...response, headers: { ...response.headers, date } };
      },
      onNotice: (line) => notices.push(line),
    });
    world.begin();
    world.pass(10);
    aheadUntilMicros = world.time.nowMicros + 20_000_000;
    world.pass(20);
    const during = world.witness.accepted;
    expect(notices).toContainEqual(
      expect.stringMatching(/by its answers, the exchange.s clock is 1\d{4}\.\d s ahead/u),
    );
    expect(notices).not.toContainEqual(expect.stringMatching(/market stream .* ms behind/u));
    expect(refusals(world)).toContain('CLOCK_SKEW');
    world.pass(30);
    expect(world.witness.accepted).toBeGreaterThan(during + 2);
    expect(notices).toContainEqual(expect.stringMatching(/agrees with ours again/u));
    expect(world.witness.violations).toEqual([]);
  });

  test('K3: that is set ahead while an order is unknown does not bring its end nearer', () => {
    let lost = false;
    const world = new VirtualWorld({
      seed: 12,
      level: 0,
      ...one,
      fate: ({ operation }) => {
        if (operation !== 'postorder' || lost) return undefined;
        lost = true;
        return 'lost';
      },
    });
    world.begin();
    world.pass(8);
    expect(world.reports.orders().map(({ state }) => state)).toEqual(['unknown']);
    world.outside.stepClock(600_000);
    world.pass(40);
    // By our own clock the quarantine is long over; by the exchange's it is not.
    expect(world.reports.orders().map(({ state }) => state)).toEqual(['unknown']);
    expect(world.witness.calls.get('postorder')).toBe(1);
    world.pass(110);
    expect(world.reports.orders().map(({ state }) => state)).toEqual(['absent']);
    expect(world.witness.violations).toEqual([]);
  });

  test.each(['clock.noDate', 'clock.staleDate'] as const)(
    'K4: whose word in the answers is missing or old (%s) delays, and decides nothing wrongly',
    (knob) => {
      const world = new VirtualWorld({
        seed: 12,
        level: 1,
        stormSeconds: 30,
        ...often,
        rates: { [knob]: 1, 'res.drop': 0.1 },
        without: knobs.filter((other) => other !== knob && other !== 'res.drop'),
      });
      const { violations, accepted } = world.run();
      expect(violations).toEqual([]);
      expect(accepted).toBeGreaterThan(3);
    },
  );

  test('K5: of a machine that slept six hours makes every book and comparison old', () => {
    const world = new VirtualWorld({ seed: 12, level: 0, ...often });
    world.begin();
    world.pass(5);
    const rounds = world.engine?.reconciler.rounds ?? 0;
    const [market] = world.engine?.markets.values() ?? [];
    world.tell({ kind: 'paused', forMs: 6 * 3_600_000 });
    world.pass(0.001);
    expect([market?.isUsable, world.engine?.reconciler.isBalanced]).toEqual([false, false]);
    const sent = world.witness.calls.get('postorder');
    world.pass(0.01);
    expect(world.witness.calls.get('postorder')).toBe(sent);
    world.pass(20);
    expect([market?.isUsable, world.engine?.reconciler.isBalanced]).toEqual([true, true]);
    expect(world.engine?.reconciler.rounds).toBeGreaterThan(rounds);
    expect(world.witness.calls.get('postorder')).toBeGreaterThan(sent ?? 0);
  });

  test('K5: while the loop falls behind nothing is placed, and it goes on when it caught up', () => {
    const world = new VirtualWorld({ seed: 12, level: 0, ...often });
    world.begin();
    world.pass(5);
    world.tell({ kind: 'loop-delay', delayMs: 501 });
    const sent = world.witness.calls.get('postorder');
    world.pass(10);
    expect(world.witness.calls.get('postorder')).toBe(sent);
    expect(refusals(world)).toContain('LOOP_DELAY');
    world.tell({ kind: 'loop-delay', delayMs: 0 });
    world.pass(10);
    expect(world.witness.calls.get('postorder')).toBeGreaterThan(sent ?? 0);
  });

  test.each([
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
    ['Tue, 31 Dec 2019 23:59:59 GMT', undefined],
    ['Wed, 01 Jan 2020 00:00:00 GMT', 1_577_836_800_000],
    ['Tue, 19 Jan 2038 03:14:08 GMT', 2_147_483_648_000],
    ['Thu, 31 Dec 2099 23:59:59 GMT', 4_102_444_799_000],
    ['Fri, 01 Jan 2100 00:00:00 GMT', undefined],
    ['1795176000', undefined],
  ])('K6: that says %s is read as %s', (date, expected) => {
    expect(exchangeTimeMsOf({ date })).toBe(expected);
  });
});
