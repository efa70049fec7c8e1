/** Figures, ratios, goals and faults of the comparison with other programs, from made-up turns. */
import { describe, expect, test } from 'vitest';
import {
  faultsOf,
  figuresOf,
  goalsOf,
  type PeerRounds,
  ratiosOf,
  tableOf,
} from '../../prove/peers-figures.ts';
import { type PeerWork, peerPrograms } from '../../prove/peers-programs.ts';
import type { PeerTurn } from '../../prove/peers-turns.ts';

type Seconds = readonly [cold: number, warm: number];

function turn([coldSeconds, warmSeconds]: Seconds, orders = 100, residentMb = 200): PeerTurn {
  const run = { runSeconds: [warmSeconds], runCpuSeconds: [1], cpuSeconds: 2, orders, fills: 10 };
  return {
    coldSeconds,
    coldCpuSeconds: 2,
    warmSeconds,
    warmCpuSeconds: 1,
    run: { ...run, residentMb },
  };
}

function rounds(name: string, work: PeerWork, ...turns: readonly PeerTurn[]): PeerRounds {
  const program = peerPrograms.find((one) => one.name === name && one.work === work);
  if (program === undefined) throw new Error(`no program ${name}`);
  return { program, turns, version: '1', rows: 1_000 };
}

const played = [
  rounds('millrace', 'maker', turn([4, 2]), turn([3, 2.5], 100, 250)),
  rounds('hftbacktest', 'maker', turn([8, 1])),
  rounds('hftbacktest, vector book', 'maker', turn([6, 2])),
  rounds('hftbacktest, level 2', 'maker', turn([5, 0.5])),
  rounds('nautilus_trader', 'maker', turn([60, 50])),
  rounds('millrace', 'candles', turn([2, 1])),
  rounds('backtesting', 'candles', turn([10, 8])),
];
const figuresFor = (work: PeerWork, all = played) =>
  all.filter(({ program }) => program.work === work).map(figuresOf);

describe('the comparison', () => {
  test('counts the fastest turn of each, and the most memory', () => {
    const [ours] = figuresFor('maker');
    expect(ours).toMatchObject({ coldSeconds: 3, warmSeconds: 2, residentMb: 250 });
    expect(ours).toMatchObject({ rowsPerSecond: 500, ordersPerSecond: 50, orders: 100, fills: 10 });
  });

  test('divides by the fastest variant of hftbacktest that reads order by order', () => {
    expect(ratiosOf(figuresFor('maker'), figuresFor('candles'), 'Seconds')).toEqual({
      makerColdToHft: 0.5,
      makerWarmToHft: 2,
      makerWarmToHftLevel2: 4,
      makerWarmToNautilus: 0.04,
      candlesColdToBacktestingPy: 0.2,
    });
  });

  test('divides what the processor worked, for a busy machine', () => {
    const ratios = ratiosOf(figuresFor('maker'), figuresFor('candles'), 'CpuSeconds');
    expect(ratios).toMatchObject({ makerColdToHft: 1, makerWarmToNautilus: 1 });
  });

  test('says of each goal whether it is met', () => {
    const maker = figuresFor('maker');
    const goals = goalsOf(ratiosOf(maker, figuresFor('candles'), 'Seconds'), maker);
    expect(goals.map(({ met }) => met)).toEqual([true, false, true, true, true]);
    expect(goals[1]).toEqual({ goal: 'makerWarmToHft at most 1.5', value: 2, met: false });
  });

  test('takes a goal that nothing could be compared for as missed', () => {
    const alone = played.filter(({ program }) => program.name === 'millrace');
    const maker = figuresFor('maker', alone);
    const goals = goalsOf(ratiosOf(maker, figuresFor('candles', alone), 'Seconds'), maker);
    expect(goals.slice(0, 4)).toEqual(
      goals.slice(0, 4).map(({ goal }) => ({ goal, value: null, met: false })),
    );
    expect(goals[4]).toMatchObject({ value: 250, met: true });
  });

  test('finds programs that do other work, and turns that differ', () => {
    expect(faultsOf(played)).toEqual([]);
    const fewer = rounds('hftbacktest', 'maker', turn([8, 1], 70));
    const unequal = rounds('backtesting', 'candles', turn([8, 1]), turn([8, 1], 101));
    expect(faultsOf([...played.slice(0, 1), fewer, ...played.slice(5, 6), unequal])).toEqual([
      'hftbacktest (maker): 70 orders, Millrace had 100',
      'backtesting (candles): turns had different orders or fills',
    ]);
  });

  test('lists below the table what each program does not do', () => {
    const lines = tableOf('candles', figuresFor('candles'));
    expect(lines[0]).toMatch(/^candles +cold s +CPU s +warm s/u);
    expect(lines[2]).toMatch(/^backtesting 1 +10 +2 +8 +1 /u);
    expect(lines.join('\n')).toMatch(/not in backtesting: .*no latency/u);
  });
});
