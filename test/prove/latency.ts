/**
 * Measures how long a bot takes from a market frame to the order that answers it, beside a bare
 * program that only reads frames and sends orders: real processes, one clock, in turns.
 */
import { endAll } from '../support/process-bot.ts';
import type { Reaction, Reactor } from './latency/bot-settings-text.ts';
import {
  type Block,
  figuresOf,
  type LatencyFigures,
  type Parts,
  partsOf,
  rounded,
} from './latency/latency-figures.ts';
import { goalsOf } from './latency/latency-goals.ts';
import { databaseInMemory, type LaneOptions, LatencyLane } from './latency/latency-lane.ts';
import { latencyPlants, type PlantedFigure } from './latency/latency-plants.ts';
import { latencyTable } from './latency/latency-table.ts';
import { referenceNode, referenceVersion } from './latency/reference-node.ts';
import { runSustained, type Sustained } from './latency/sustained-run.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const roundsDefault = 8;
/** Reactions of each program in a round: few, so that some rounds meet a quiet machine. */
const blockOf = { usual: 125, small: 20 };
const plantedReactions = 40;

/** One thing at a time differs from the main comparison. */
const variants: readonly (Partial<LaneOptions> & { readonly changes: number })[] = [
  { database: 'disk', changes: 200 },
  { burst: 50, changes: 60 },
  { strategies: 10, changes: 50 },
  { strategies: 50, changes: 20 },
  { lineDelayMs: 5, changes: 60 },
  { lineDelayMs: 50, changes: 30 },
];

const main: Omit<LaneOptions, 'reactor'> = {
  database: 'memory',
  strategies: 1,
  burst: 1,
  lineDelayMs: 0,
  isLimited: false,
  isHooked: true,
  plant: undefined,
};

type Measured = LatencyFigures & { readonly parts: Parts };
type Variant = Partial<LaneOptions> & Readonly<Record<Reaction, Measured>>;

async function run(options: ProverOptions): Promise<ProverResult> {
  try {
    return options.plant === undefined ? await prove(options) : await findPlant(options.plant);
  } finally {
    await endAll();
  }
}

async function prove({ rounds, isSmall = false }: ProverOptions): Promise<ProverResult> {
  const startedMs = performance.now();
  const size = isSmall ? blockOf.small : blockOf.usual;
  const blocks = await compare(rounds ?? roundsDefault, size);
  const floor = figuresOf(blocks.floor.plain);
  const referenceFloor = figuresOf(blocks.referenceFloor);
  const place = comparedOf(blocks.place, floor);
  const quote = comparedOf(blocks.quote, floor);
  const others: Variant[] = [];
  for (const { changes, ...variant } of variants)
    others.push(await runVariant(variant, isSmall ? 10 : changes));
  const sustained = await sustain(isSmall ? 10_000 : 60_000);
  const sustainedPerMinute = Math.min(sustained.place.perMinute, sustained.quote.perMinute);
  const delayed = others.filter(({ lineDelayMs }) => lineDelayMs !== undefined);
  const farthest = delayed.find(({ lineDelayMs }) => lineDelayMs === 50);
  const goals = goalsOf({
    reactions: Math.min(floor.reactions, place.reactions, quote.reactions),
    missing: [{ place, quote }, ...others]
      .flatMap((one) => [one.place, one.quote])
      .reduce((sum, { missing }) => sum + missing, 0),
    placeRatio: place.ratioToFloor,
    quoteRatio: quote.ratioToFloor,
    placeCpuRatio: rounded(place.cpuMillis / referenceFloor.cpuMillis),
    quoteCpuRatio: rounded(quote.cpuMillis / referenceFloor.cpuMillis),
    placeCalls: place.callsPerReaction,
    quoteCalls: quote.callsPerReaction,
    residentMb: Math.max(place.residentMb, quote.residentMb),
    delayedQuoteMs: farthest?.quote.p90 ?? Number.NaN,
    sustainedPerMinute,
  });
  const missed = goals.filter(({ met }) => !met);
  return {
    figures: {
      reactions: { floor: floor.reactions, place: place.reactions, quote: quote.reactions },
      floor,
      referenceFloor: { node: referenceVersion, ...referenceFloor },
      place,
      quote,
      delayed,
      variants: others.filter(({ lineDelayMs }) => lineDelayMs === undefined),
      databaseInMemory,
      sustainedPerMinute,
      sustained,
      goals,
      seconds: Math.round((performance.now() - startedMs) / 1_000),
    },
    table: latencyTable({ floor, referenceFloor, place, quote }, others, sustained),
    violations: missed.length,
    notes: missed.map(({ goal, value }) => `${goal}, was ${value}`),
  };
}

type Blocks = { readonly plain: Block[]; readonly inParts: Block[] };
type Compared = Readonly<Record<Reactor, Blocks>> & { readonly referenceFloor: Block[] };

/** Lets the programs react in turns; then measures the parts, in bots of their own. */
async function compare(rounds: number, size: number): Promise<Compared> {
  const blocks: Compared = {
    floor: { plain: [], inParts: [] },
    referenceFloor: [],
    place: { plain: [], inParts: [] },
    quote: { plain: [], inParts: [] },
  };
  const plain = { ...main, isHooked: false };
  const lanes: readonly (readonly [LaneOptions, Block[]])[] = [
    [{ ...plain, reactor: 'floor' }, blocks.floor.plain],
    [{ ...plain, reactor: 'floor', node: referenceNode() }, blocks.referenceFloor],
    [{ ...plain, reactor: 'place' }, blocks.place.plain],
    [{ ...plain, reactor: 'quote' }, blocks.quote.plain],
  ];
  await withLanes(
    lanes.map(([options]) => options),
    async (opened) => {
      for (let round = 0; round < rounds; round++)
        for (const [index, lane] of opened.entries())
          lanes[index]?.[1].push(await lane.block(size));
    },
  );
  for (const reactor of ['place', 'quote'] as const)
    await LatencyLane.with({ ...main, reactor }, async (lane) => {
      await lane.block(size);
      blocks[reactor].inParts.push(await measureParts(lane, rounds * size));
    });
  return blocks;
}

/** Opens all lanes for as long as `use` needs them. */
async function withLanes(
  [first, ...others]: readonly LaneOptions[],
  use: (lanes: readonly LatencyLane[]) => Promise<void>,
): Promise<void> {
  if (first === undefined) return await use([]);
  await LatencyLane.with(first, (lane) => withLanes(others, (more) => use([lane, ...more])));
}

function measureParts(lane: LatencyLane, changes: number): Promise<Block> {
  return lane.block(Math.ceil(changes / 5), { timesParts: true });
}

function measuredOf({ plain, inParts }: Blocks): Measured {
  return { ...figuresOf(plain), parts: partsOf(inParts) };
}

function comparedOf(blocks: Blocks, floor: { readonly p50: number }) {
  const figures = measuredOf(blocks);
  return { ...figures, ratioToFloor: rounded(figures.p50 / floor.p50) };
}

async function runVariant(variant: Partial<LaneOptions>, changes: number): Promise<Variant> {
  const run = async (reactor: Reaction): Promise<Measured> => {
    const options = { ...main, ...variant, reactor };
    const blocks: Blocks = { plain: [], inParts: [] };
    await LatencyLane.with(options, async (lane) => {
      blocks.plain.push(await lane.block(changes));
      blocks.inParts.push(await measureParts(lane, changes));
    });
    return measuredOf(blocks);
  };
  return { ...variant, place: await run('place'), quote: await run('quote') };
}

/** Under the exchange's limit, both bots at a time: they wait more than they work. */
async function sustain(measuredMs: number): Promise<Readonly<Record<Reaction, Sustained>>> {
  const run = (reactor: Reaction): Promise<Sustained> =>
    LatencyLane.with({ ...main, reactor, isLimited: true }, (lane) =>
      runSustained(lane, { warmMs: 1.2 * measuredMs, measuredMs }),
    );
  const [place, quote] = await Promise.all([run('place'), run('quote')]);
  return { place, quote };
}

/** A fault is found if its figure is as much higher with it as it has to be. */
async function findPlant(name: string): Promise<ProverResult> {
  const planted = latencyPlants[name];
  if (planted === undefined) throw new RangeError(`no plant ${name}`);
  const { figure, byAtLeast } = planted;
  const without = await plantFigure(figure, undefined);
  const found = await plantFigure(figure, name);
  const isFound = found - without >= byAtLeast;
  return {
    figures: { figure, without, with: found },
    violations: isFound ? 1 : 0,
    notes: isFound ? [`${figure} is ${found}, and ${without} without the fault`] : [],
  };
}

async function plantFigure(figure: PlantedFigure, plant: string | undefined): Promise<number> {
  const reactor = figure === 'floorP50' ? 'floor' : 'place';
  const options: LaneOptions = { ...main, reactor, plant };
  const block = await LatencyLane.with(options, (lane) =>
    lane.block(plantedReactions, { timesParts: figure === 'commitP50' }),
  );
  const { p50, callsPerReaction } = figuresOf([block]);
  if (figure === 'callsPerReaction') return callsPerReaction;
  return figure === 'commitP50' ? partsOf([block]).commit : p50;
}

export const latencyProver: Prover = {
  name: 'latency',
  title: 'from a market frame to an order, beside a bare program: the goals hold',
  compared: ['sustainedPerMinute'],
  plants: Object.fromEntries(
    Object.entries(latencyPlants).map(([name, { meaning }]) => [name, meaning]),
  ),
  run,
};
