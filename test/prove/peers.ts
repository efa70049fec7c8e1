/**
 * Millrace beside the programs that a user could pick instead: the same data and the same
 * strategies in each, measured in turns. A market maker that quotes again each second, on a million
 * rows of order flow; and two moving averages on a year of one-minute candles.
 *
 * Cold is a process from its start to its end, with loading and compiling; what programs keep on
 * the disk between two runs (bytecode, numba's cache where it has one) is there. Warm is the
 * fastest further run in a process that has run before: the others have their data in memory then,
 * Millrace reads its recording again and writes its result file.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PeersData, writePeersData } from './peers-data.ts';
import { environmentOf, findPython, type PeerEnvironment } from './peers-environment.ts';
import {
  faultsOf,
  figuresOf,
  goalsOf,
  type PeerFigures,
  type PeerRounds,
  ratiosOf,
  tableOf,
} from './peers-figures.ts';
import {
  type PeerPackage,
  type PeerProgram,
  type PeerWork,
  peerPackages,
  peerPrograms,
} from './peers-programs.ts';
import { makerRule, writeCandlesScenario, writeMakerScenario } from './peers-scenarios.ts';
import { type PeerTurn, takeTurn } from './peers-turns.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const roundsUsual = 5;
const usual = { messages: 1_000_000, candles: 525_600 };
const small = { messages: 100_000, candles: 43_200 };
/** Scripts that make a package's own data out of the CSV files. */
const preparations: Partial<Record<PeerPackage, string>> = {
  hftbacktest: 'prepare_hftbacktest.py',
  nautilus_trader: 'prepare_nautilus.py',
};
const plants = {
  'other-strategy':
    'the maker of Millrace quotes every five seconds, that of the others each second',
  'slow-run': 'the runs of Millrace count as if they took twenty times as long',
};
const slowness = 20;

type Environments = ReadonlyMap<PeerPackage, PeerEnvironment>;

/** Makes all environments, and tells of each that takes its time. */
async function makeEnvironments(): Promise<Environments> {
  const python = await findPython();
  const made = new Map<PeerPackage, PeerEnvironment>();
  for (const name of Object.keys(peerPackages) as PeerPackage[])
    made.set(name, await environmentOf(name, python));
  return made;
}

/** Makes what packages read instead of CSV; this is not measured. */
async function prepare(folder: string, environments: Environments): Promise<void> {
  for (const [name, environment] of environments) {
    const script = preparations[name];
    if (script === undefined || 'missing' in environment) continue;
    const path = join(import.meta.dirname, 'peers', script);
    await promisify(execFile)(environment.python, [path, folder], { maxBuffer: 1e8 });
  }
}

type Played = { readonly played: readonly PeerRounds[]; readonly failures: readonly string[] };

/** Lets all programs that can run take turns; one that fails takes no more, and has no figures. */
async function playRounds(
  folder: string,
  environments: Environments,
  { data, rounds }: { readonly data: PeersData; readonly rounds: number },
): Promise<Played> {
  const turnsOf = new Map<PeerProgram, PeerTurn[]>();
  const failures = new Map<PeerProgram, string>();
  for (let round = 0; round < rounds; round++)
    for (const program of peerPrograms) {
      const environment = program.package && environments.get(program.package);
      if ((environment !== undefined && 'missing' in environment) || failures.has(program))
        continue;
      try {
        const turn = await takeTurn(program, { folder, python: environment?.python });
        turnsOf.set(program, [...(turnsOf.get(program) ?? []), turn]);
      } catch (error) {
        failures.set(program, (error as Error).message);
        turnsOf.delete(program);
      }
    }
  const played = [...turnsOf].map(([program, turns]) => ({
    ...{ program, turns },
    version: program.package === undefined ? ownVersion() : peerPackages[program.package],
    rows: program.work === 'maker' ? data.flowRows : data.candleRows,
  }));
  return { played, failures: [...failures.values()] };
}

function ownVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return JSON.parse(manifest).version;
}

/** As if Millrace had been slower. */
function slowed(rounds: PeerRounds): PeerRounds {
  if (rounds.program.package !== undefined) return rounds;
  const turns = rounds.turns.map((turn) => ({
    ...turn,
    coldSeconds: turn.coldSeconds * slowness,
    warmSeconds: turn.warmSeconds * slowness,
  }));
  return { ...rounds, turns };
}

async function run({ plant, rounds, isSmall }: ProverOptions): Promise<ProverResult> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-peers-'));
  try {
    const environments = await makeEnvironments();
    const isShort = isSmall === true || plant !== undefined;
    const data = await writePeersData(folder, isShort ? small : usual);
    writeMakerScenario(folder, makerRule.refreshSeconds * (plant === 'other-strategy' ? 5 : 1));
    writeCandlesScenario(folder);
    await prepare(folder, environments);
    const { played, failures } = await playRounds(folder, environments, {
      data,
      rounds: rounds ?? (plant === undefined ? roundsUsual : 1),
    });
    const counted = plant === 'slow-run' ? played.map(slowed) : played;
    const figuresFor = (work: PeerWork): readonly PeerFigures[] =>
      counted.filter(({ program }) => program.work === work).map(figuresOf);
    const [maker, candles] = [figuresFor('maker'), figuresFor('candles')];
    const ratios = ratiosOf(maker, candles, 'Seconds');
    const ratiosCpu = ratiosOf(maker, candles, 'CpuSeconds');
    const goals = goalsOf(ratios, maker);
    const faults = [...failures, ...faultsOf(counted)];
    // On few data loading is most of it, so goals are judged on all of them, or to show a plant.
    const isJudged = !isShort || plant === 'slow-run';
    const missed = isJudged ? goals.filter(({ met }) => !met) : [];
    const missing = [...environments.values()].flatMap((one) =>
      'missing' in one ? [one.missing] : [],
    );
    return {
      figures: { ...{ maker, candles, ratios, ratiosCpu, goals }, ...data },
      violations: faults.length + missed.length,
      notes: [
        ...faults,
        ...missed.map(({ goal, value }) => `missed: ${goal}, was ${value ?? 'not measured'}`),
        ...(isJudged ? [] : ['few data: the goals were not judged']),
      ],
      missing,
      table: [...tableOf('maker', maker), ...tableOf('candles', candles)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const peersProver: Prover = {
  name: 'peers',
  title: 'a backtest is as fast as in the programs that users would pick instead',
  compared: ['flowRows', 'candleRows'],
  plants,
  run,
};
