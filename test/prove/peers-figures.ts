/** What the turns of the comparison come to: figures, ratios, goals, and a table for people. */
import type { PeerProgram, PeerWork } from './peers-programs.ts';
import type { PeerTurn } from './peers-turns.ts';

/** The turns of a program that could run. */
export type PeerRounds = {
  readonly program: PeerProgram;
  readonly version: string;
  /** What it played: rows of the order flow, or candles. */
  readonly rows: number;
  readonly turns: readonly PeerTurn[];
};

export type PeerFigures = {
  readonly program: string;
  readonly version: string;
  readonly coldSeconds: number;
  readonly coldCpuSeconds: number;
  readonly warmSeconds: number;
  readonly warmCpuSeconds: number;
  readonly rowsPerSecond: number;
  readonly ordersPerSecond: number;
  readonly orders: number;
  readonly fills: number;
  readonly residentMb: number;
  readonly lacks: readonly string[];
};

/** Millrace's seconds ÷ those of the other; null where the other could not run. */
export type PeerRatios = Readonly<
  Record<
    | 'makerColdToHft'
    | 'makerWarmToHft'
    | 'makerWarmToHftLevel2'
    | 'makerWarmToNautilus'
    | 'candlesColdToBacktestingPy',
    number | null
  >
>;

/** `value` is null, and the goal not met, where it cannot be judged. */
export type PeerGoal = {
  readonly goal: string;
  readonly value: number | null;
  readonly met: boolean;
};

/** Orders of a program may differ by this share from Millrace's: the models of fills differ. */
const ordersShareMax: Readonly<Record<PeerWork, number>> = { maker: 0.2, candles: 0.01 };

/** The fastest turn counts, since other work on the machine only adds time. */
export function figuresOf({ program, version, rows, turns }: PeerRounds): PeerFigures {
  const least = (of: (turn: PeerTurn) => number): number => Math.min(...turns.map(of));
  const warmSeconds = least((turn) => turn.warmSeconds);
  const { orders = 0, fills = 0 } = turns.at(-1)?.run ?? {};
  return {
    program: program.name,
    version,
    coldSeconds: rounded(least((turn) => turn.coldSeconds)),
    coldCpuSeconds: rounded(least((turn) => turn.coldCpuSeconds)),
    warmSeconds: rounded(warmSeconds),
    warmCpuSeconds: rounded(least((turn) => turn.warmCpuSeconds)),
    rowsPerSecond: Math.round(rows / warmSeconds),
    ordersPerSecond: Math.round(orders / warmSeconds),
    orders,
    fills,
    residentMb: Math.round(Math.max(...turns.map(({ run }) => run.residentMb))),
    lacks: program.lacks,
  };
}

/** `of` is the time that people wait, or what the processor worked. */
export function ratiosOf(
  maker: readonly PeerFigures[],
  candles: readonly PeerFigures[],
  of: 'Seconds' | 'CpuSeconds',
): PeerRatios {
  const hft = ['hftbacktest', 'hftbacktest, vector book'];
  return {
    makerColdToHft: ratioTo(maker, hft, `cold${of}`),
    makerWarmToHft: ratioTo(maker, hft, `warm${of}`),
    makerWarmToHftLevel2: ratioTo(maker, ['hftbacktest, level 2'], `warm${of}`),
    makerWarmToNautilus: ratioTo(maker, ['nautilus_trader'], `warm${of}`),
    candlesColdToBacktestingPy: ratioTo(candles, ['backtesting'], `cold${of}`),
  };
}

/** Against the fastest of those that are named. */
function ratioTo(
  figures: readonly PeerFigures[],
  names: readonly string[],
  of: 'coldSeconds' | 'warmSeconds' | 'coldCpuSeconds' | 'warmCpuSeconds',
): number | null {
  const ours = figures.find(({ program }) => program === 'millrace');
  const theirs = figures.filter(({ program }) => names.includes(program)).map((one) => one[of]);
  if (ours === undefined || theirs.length === 0) return null;
  return rounded(ours[of] / Math.min(...theirs));
}

export function goalsOf(ratios: PeerRatios, maker: readonly PeerFigures[]): readonly PeerGoal[] {
  const ours = maker.find(({ program }) => program === 'millrace');
  const atMost = (name: string, value: number | null, most: number): PeerGoal => ({
    goal: `${name} at most ${most}`,
    value,
    met: value !== null && value <= most,
  });
  const { makerColdToHft, makerWarmToHft, makerWarmToNautilus } = ratios;
  return [
    {
      goal: 'makerColdToHft below 1',
      value: makerColdToHft,
      met: makerColdToHft !== null && makerColdToHft < 1,
    },
    atMost('makerWarmToHft', makerWarmToHft, 1.5),
    atMost('makerWarmToNautilus', makerWarmToNautilus, 0.05),
    atMost('candlesColdToBacktestingPy', ratios.candlesColdToBacktestingPy, 0.25),
    atMost("residentMb of the maker's run", ours?.residentMb ?? null, 300),
  ];
}

/** What makes the figures incomparable, in words. */
export function faultsOf(rounds: readonly PeerRounds[]): readonly string[] {
  const notes: string[] = [];
  for (const { program, turns } of rounds) {
    const { name, work } = program;
    const first = turns[0]?.run;
    const ours = rounds.find((one) => one.program.work === work && one.program.name === 'millrace');
    const wanted = ours?.turns[0]?.run.orders;
    if (first === undefined || wanted === undefined) continue;
    if (turns.some(({ run }) => run.orders !== first.orders || run.fills !== first.fills))
      notes.push(`${name} (${work}): turns had different orders or fills`);
    if (Math.abs(first.orders / wanted - 1) > ordersShareMax[work])
      notes.push(`${name} (${work}): ${first.orders} orders, Millrace had ${wanted}`);
  }
  return notes;
}

const columns = [
  'cold s',
  'CPU s',
  'warm s',
  'CPU s',
  'rows/s',
  'orders/s',
  'MB',
  'orders',
  'fills',
] as const;

/** Returns a table of one kind of work, and below it what each program does not do. */
export function tableOf(work: PeerWork, figures: readonly PeerFigures[]): readonly string[] {
  const lines = figures.map((one) => [
    `${one.program} ${one.version}`,
    ...[one.coldSeconds, one.coldCpuSeconds, one.warmSeconds, one.warmCpuSeconds],
    ...[one.rowsPerSecond, one.ordersPerSecond, one.residentMb],
    ...[one.orders, one.fills],
  ]);
  const text = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, index) => (index === 0 ? String(cell).padEnd(34) : String(cell).padStart(10)))
      .join('');
  return [
    text([work, ...columns]),
    ...lines.map(text),
    ...figures
      .filter(({ lacks }) => lacks.length > 0)
      .map(({ program, lacks }) => `  not in ${program}: ${lacks.join('; ')}`),
    '',
  ];
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
