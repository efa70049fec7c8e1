/**
 * How fast order by order history is played: against a C++ loop that does the same work on the same
 * columns, and against the usual JSON, Map, decimal.js and RxJS pipeline, in one run and in turns,
 * each in a process of its own.
 *
 * What plays columns in memory is measured in CPU time of all threads of the process, so that other
 * work on the machine counts little; what reads a file in wall time, since a thread beside it
 * decompresses. Before any of it counts, all must have seen the same tops, fills, cash and fees.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../src/domain/errors.ts';
import { endFlag, type FlowBlock, sliceBlock } from '../../src/market/flow/flow-block.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { decisionMicros } from './speed-decision.ts';
import { goalsOf, missedGoals } from './speed-goals.ts';
import { makeGround, type SpeedGround, speedFiles } from './speed-ground.ts';
import { idleDayMillis } from './speed-idle.ts';
import { type StepKind, stepKinds } from './speed-maker.ts';
import type { SpeedSums } from './speed-quoter.ts';
import { bytesPerLiveOrder, runCore } from './speed-runs.ts';
import {
  buildLoop,
  loopTurn,
  type SpeedCost,
  SpeedProcess,
  type SpeedTurn,
  type SpeedWay,
  speedWays,
} from './speed-turns.ts';

const messagesUsual = 10_000_000;
const messagesOfPlant = 300_000;
/** Of the flow that the maker trades in: some 24 orders for each thousand. */
const makerMessagesUsual = 1_000_000;
const makerMessagesOfPlant = 20_000;
/**
 * Of the naive pipeline, which takes less for the first 20,000, since they only fill the book: so
 * many that these count for little, as they do in the ten million of the others.
 */
const naiveMessages = 240_000;
/** V8 has compiled everything for the last time after some thirty million messages. */
const roundsWarm = 3;
const roundsMeasured = 7;
/** V8 has compiled the maker for the last time in its fifth round. */
const roundsOfMakerWarm = 5;
const makerRounds: Partial<Record<SpeedWay, number>> = { maker: 8, dropped: 8, parts: 8 };
const noCompiler = 'the C++ loop: g++ does not run here; Debian: apt-get install g++';
const plants = {
  'wrong-fee': 'the replay exchange takes another fee than the others',
  'slow-path': 'every message is also told as JSON',
};

/**
 * Seconds after which a process that begins has played its first million messages; the fastest of
 * three, since the first one after an installation also compiles for those after it.
 */
function firstMillion(path: string): number {
  const script = join(import.meta.dirname, 'speed-first.ts');
  const command = [script, path, '1000000'];
  const seconds = () => Number(execFileSync(process.execPath, command, { encoding: 'utf8' }));
  return Math.min(seconds(), seconds(), seconds());
}

function rounded(value: number, digits = 3): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** The blocks up to the end of message `count`. */
function firstMessages(blocks: readonly FlowBlock[], count: number): readonly FlowBlock[] {
  const taken: FlowBlock[] = [];
  let messages = 0;
  for (const block of blocks) {
    for (let row = 0; row < block.rows; row++)
      if (((block.meta[row] as number) & endFlag) !== 0 && ++messages === count)
        return [...taken, sliceBlock(block, 0, row + 1)];
    taken.push(block);
  }
  return taken;
}

type Kind = 'cpp' | SpeedWay;
const kinds: readonly Kind[] = ['cpp', ...speedWays];
type Turns = Readonly<Record<Kind, readonly SpeedTurn[]>>;

/** Lets all of them do the work in turns. Without a compiler there is no C++ loop. */
async function takeTurns(folder: string, plant: string): Promise<Turns> {
  const turns: Record<Kind, SpeedTurn[]> = {
    cpp: [],
    core: [],
    rxjs: [],
    file: [],
    full: [],
    naive: [],
    maker: [],
    dropped: [],
    parts: [],
  };
  const program = buildLoop(folder);
  const processes: SpeedProcess[] = [];
  try {
    for (const way of speedWays) processes.push(await SpeedProcess.start(way, folder, plant));
    for (let round = 0; round < roundsWarm + roundsMeasured; round++) {
      if (program !== undefined) turns.cpp.push(loopTurn(program, speedFiles(folder).columns));
      for (const [index, way] of speedWays.entries())
        if (round < (makerRounds[way] ?? Number.POSITIVE_INFINITY))
          turns[way].push(await (processes[index] as SpeedProcess).turn());
    }
  } finally {
    for (const process of processes) process.end();
  }
  for (const kind of kinds)
    turns[kind].splice(0, kind in makerRounds ? roundsOfMakerWarm : roundsWarm);
  return turns;
}

/** Whether all have come to the same sums, the naive one over the messages that it had. */
function areEqual(turns: Turns, { blocks, lines }: SpeedGround): boolean {
  const sumsOf = (kind: Kind): SpeedSums | undefined => turns[kind].at(-1)?.sums;
  const equal = (one: object | undefined, other: object | undefined): boolean =>
    one === undefined || JSON.stringify(one) === JSON.stringify(other);
  const core = sumsOf('core');
  return (
    (['cpp', 'rxjs', 'file'] as const).every((kind) => equal(sumsOf(kind), core)) &&
    equal(sumsOf('naive'), runCore(firstMessages(blocks, lines)).sums)
  );
}

/** Shared machines only add time, so that the fastest round says most. */
function fastest(turns: readonly SpeedTurn[], of: (cost: SpeedCost) => number): number {
  return Math.min(...turns.map(({ cost }) => of(cost)));
}

const cpuOf = ({ cpuSeconds }: SpeedCost): number => cpuSeconds;
const wallOf = ({ wallSeconds }: SpeedCost): number => wallSeconds;

function figuresOf(turns: Turns, ground: SpeedGround) {
  const { messages } = ground.index.counts;
  const seconds = (kind: Kind, of = cpuOf): number => fastest(turns[kind], of);
  const perSecond = (kind: Kind, of = cpuOf): number =>
    Math.round((kind === 'naive' ? ground.lines : messages) / seconds(kind, of));
  const hasLoop = turns.cpp.length > 0;
  const ratio = (kind: Kind): number | null =>
    hasLoop ? rounded(seconds('cpp') / seconds(kind)) : null;
  const spreadOf = (kind: Kind): number => {
    const slowest = Math.max(...turns[kind].map(({ cost }) => cost.cpuSeconds));
    return rounded((slowest - seconds(kind)) / seconds(kind), 2);
  };
  const timesNaive = (kind: Kind, of: (cost: SpeedCost) => number): number =>
    rounded(perSecond(kind, of) / perSecond('naive', of), 1);
  return {
    messages,
    cppEventsPerSecond: hasLoop ? perSecond('cpp') : null,
    engineEventsPerSecond: perSecond('core'),
    rxjsEventsPerSecond: perSecond('rxjs'),
    fileEventsPerSecond: perSecond('file', wallOf),
    fullEventsPerSecond: perSecond('full', wallOf),
    naiveEventsPerSecond: perSecond('naive', wallOf),
    ratioCore: ratio('core'),
    rxjsRatio: ratio('rxjs'),
    ratioToNaive: timesNaive('file', wallOf),
    ratioToNaiveCpu: timesNaive('file', cpuOf),
    ratioFullToNaive: timesNaive('full', wallOf),
    ordersOfFull: turns.full.at(-1)?.orders,
    checksumsEqual: areEqual(turns, ground),
    spread: Object.fromEntries(
      kinds.filter((kind) => turns[kind].length > 0).map((kind) => [kind, spreadOf(kind)]),
    ),
  };
}

/** What an order costs, and where: CPU time, the fastest rounds. */
function makerFiguresOf(turns: Turns, microsPerMessage: number) {
  const { maker } = turns.maker.at(-1) as SpeedTurn;
  const parts = turns.parts.reduce((one, other) =>
    cpuOf(other.cost) < cpuOf(one.cost) ? other : one,
  );
  const steps = parts.maker?.steps;
  assert(maker !== undefined && steps !== undefined, 'the maker must have been played');
  for (const kind of stepKinds)
    assert(steps[kind].steps > 0, `no step of ${kind} was measured: the engine has other methods`);
  const cpuSeconds = fastest(turns.maker, cpuOf) - fastest(turns.dropped, cpuOf);
  const microsPerOrder = (cpuSeconds * 1e6) / maker.orders;
  // Time that the process did not have is in no part: each is scaled to CPU time.
  const scale = parts.cost.cpuSeconds / parts.cost.wallSeconds;
  const microsOf = (kind: StepKind): number => steps[kind].ms * 1_000 * scale;
  const inEngine = stepKinds.reduce((sum, kind) => sum + microsOf(kind), 0);
  const perOrder = (micros: number): number => rounded(micros / maker.orders, 2);
  return {
    orders: maker.orders,
    fills: maker.fills,
    microsPerOrder: rounded(microsPerOrder, 1),
    messagesPerOrder: Math.round(microsPerOrder / microsPerMessage),
    parts: {
      ...Object.fromEntries(stepKinds.map((kind) => [kind, perOrder(microsOf(kind))])),
      outside: perOrder(parts.cost.cpuSeconds * 1e6 - inEngine),
    },
    replyStepMicros: rounded(microsOf('replies') / steps.replies.steps, 2),
    timerStepMicros: rounded(microsOf('timers') / steps.timers.steps, 2),
    residentMb: Math.round(Math.max(...turns.maker.map(({ cost }) => cost.residentMb))),
  };
}

/** What is wrong on any machine, in words. */
function faults(figures: ReturnType<typeof figuresOf>): readonly string[] {
  const { checksumsEqual, engineEventsPerSecond, rxjsEventsPerSecond } = figures;
  const notes: string[] = [];
  if (!checksumsEqual) notes.push('the sums differ');
  if (engineEventsPerSecond < rxjsEventsPerSecond)
    notes.push('a direct call is slower than a stream with three operators');
  return notes;
}

async function run({ messages, plant }: ProverOptions): Promise<ProverResult> {
  // First: what is let go of later would be counted against it.
  const liveBytes = bytesPerLiveOrder();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-speed-'));
  try {
    const ground = await makeGround(folder, {
      messages: messages ?? (plant === undefined ? messagesUsual : messagesOfPlant),
      linesMax: naiveMessages,
      seed: 1,
    });
    const { makerFolder } = speedFiles(folder);
    mkdirSync(makerFolder);
    const makerGround = await makeGround(makerFolder, {
      messages: plant === undefined ? makerMessagesUsual : makerMessagesOfPlant,
      linesMax: 0,
      seed: 2,
    });
    const { counts, bytes } = ground.index;
    const turns = await takeTurns(folder, plant ?? '');
    const speeds = figuresOf(turns, ground);
    const { engineEventsPerSecond } = speeds;
    const figures = {
      ...speeds,
      bytesPerMessage: rounded(bytes / counts.messages),
      bytesPerLiveOrder: rounded(liveBytes, 1),
      firstMillionSeconds: rounded(firstMillion(speedFiles(folder).recording)),
      idleDayMillis: rounded(await idleDayMillis(), 2),
      decisionMicros: rounded(await decisionMicros(), 2),
      maker: {
        messages: makerGround.index.counts.messages,
        ...makerFiguresOf(turns, 1e6 / engineEventsPerSecond),
      },
    };
    const goals = goalsOf({
      ...figures,
      ...figures.maker,
      makerResidentMb: figures.maker.residentMb,
    });
    // With a plant the flow is short, and goals that are missed anyhow must not hide it.
    const notes = [...faults(figures), ...(plant === undefined ? missedGoals(goals) : [])];
    const violations = notes.length;
    notes.push('from a file (file, full, naive): wall time; ratioCore, rxjsRatio, …Cpu: CPU time');
    const missing = turns.cpp.length === 0 ? [noCompiler] : [];
    return { figures: { ...figures, goals }, violations, notes, missing };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const speedProver: Prover = {
  name: 'speed',
  title: 'history is played at a stated share of the speed of C++, with the same fills and fees',
  compared: ['messages', 'ordersOfFull'],
  plants,
  run,
};
