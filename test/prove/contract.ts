/**
 * `npm run prove -- contract`: every member of the strategy contract works in a backtest, in the
 * demo and on a paper account, in the lines that `docs/strategy-api.md` shows. A strategy that
 * looks at the market alone asks for the same in the demo and in a backtest of what the demo
 * received, nothing that `room` grants is refused for those reasons, and the runs replay.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.ts';
import { type Ended, endAll, millrace } from '../support/process-bot.ts';
import {
  type ContractProject,
  everyMember,
  feedFile,
  writeContractProject,
} from './contract/contract-project.ts';
import { given } from './contract/in-use/given.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const recording = join(packageRoot, 'backtests/first/recording.mrec');
const from = '2026-11-20T12:00:30Z';
/** Half an hour of asks, four a second. */
const roomAsks = 7_200;
/** Nobody can set parameters in a backtest. */
const notInBacktests = 'Context.parameters$';

const plants = {
  'unused-member': 'a line is not run, as that of a member without one',
  'other-intent': 'one intent of the backtest differs from that of the demo',
  'less-room': 'an order is one lot larger than the room for it',
};

/** Every member that a strategy gets, as `Type.member`. */
const members = Object.entries(given).flatMap(([type, lines]) =>
  Object.keys(lines).map((member) => `${type}.${member}`),
);

type Mode = 'backtest' | 'demo' | 'paper';
type Intents = ReadonlyMap<string, string>;

/** What strategies of a run have said. */
function readSaid(text: string): {
  readonly used: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly intents: Intents;
} {
  return {
    used: new Set(
      [...text.matchAll(/\bused ((?:\w+\.\w+\$?(?: |\b|$|(?=")))+)/gmu)].flatMap(([, names]) =>
        (names as string).trim().split(' '),
      ),
    ),
    problems: [...text.matchAll(/\bproblem (\w+\.[^"\n]+)/gu)].map(
      ([, problem]) => problem as string,
    ),
    intents: new Map(
      [...text.matchAll(/\bintent ([\d/]+) ([-\d. ]+\d)/gu)].map(
        ([, trade, orders]) => [trade as string, orders as string] as const,
      ),
    ),
  };
}

async function run(options: ProverOptions): Promise<ProverResult> {
  const project = writeContractProject();
  try {
    return await prove(project, options);
  } finally {
    await endAll();
    rmSync(project.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function prove(project: ContractProject, { plant }: ProverOptions): Promise<ProverResult> {
  const notes: string[] = [];
  const exercised: Record<Mode, number> = { backtest: 0, demo: 0, paper: 0 };
  const take = (mode: Mode, text: string): void => {
    const { used, problems } = readSaid(text);
    if (mode === 'backtest') used.size > 0 && (used as Set<string>).add(notInBacktests);
    if (plant === 'unused-member') (used as Set<string>).delete('MarketContext.mid');
    exercised[mode] = members.filter((member) => used.has(member)).length;
    const missing = members.filter((member) => !used.has(member));
    if (missing.length > 0) notes.push(`${mode}: not used: ${missing.join(', ')}`);
    notes.push(...problems.map((problem) => `${mode}: ${problem}`));
  };

  const played = await command(project, [
    'backtest',
    project.scenario('every', everyMember(60), { recording, from, to: '2026-11-20T12:06:00Z' }),
  ]);
  take('backtest', played.stdout);
  const room = roomOf(
    await command(project, [
      'backtest',
      project.scenario(
        'room',
        [['room', 'room-taker', `{ asks: ${roomAsks}, more: ${plant === 'less-room' ? 1 : 0} }`]],
        { recording, from },
      ),
    ]),
  );
  if (room.asked < roomAsks / 2) notes.push(`room was asked only ${room.asked} times`);
  if (room.refused > 0) notes.push(`${room.refused} orders were refused that had room`);

  const demo = await runBot(project, 'demo');
  take('demo', demo.log);
  const paper = await runBot(project, 'paper');
  take('paper', paper.log);
  notes.push(...demo.problems, ...paper.problems);

  const same = await sameIntents(project, demo, plant === 'other-intent');
  notes.push(...same.notes);
  return {
    figures: {
      members: members.length,
      exercised,
      sameIntents: same.count,
      roomAsked: room.asked,
      roomGranted: room.granted,
      roomRefused: room.refused,
      replayed: demo.replayed + paper.replayed,
      replayDifferent: demo.different + paper.different,
    },
    violations: notes.length,
    notes,
  };
}

async function command(
  { folder }: ContractProject,
  words: readonly string[],
): Promise<Ended & { readonly stdout: string; readonly stderr: string }> {
  const process = millrace([...words, '--json'], { cwd: folder });
  const ended = await process.ended;
  return { ...ended, stdout: process.stdout, stderr: process.stderr };
}

function roomOf({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): {
  readonly asked: number;
  readonly granted: number;
  readonly refused: number;
} {
  const said = /room (\{[^}]*\})/u.exec(stdout.replaceAll('\\"', '"'))?.[1];
  if (said === undefined) throw new Error(`the room was not counted: ${stderr}`);
  return JSON.parse(said);
}

type BotRun = {
  readonly home: string;
  readonly log: string;
  readonly replayed: number;
  readonly different: number;
  readonly problems: readonly string[];
};

/** Runs the bot of a mode until its strategies are done, and replays it. */
async function runBot(project: ContractProject, mode: 'demo' | 'paper'): Promise<BotRun> {
  const home = join(project.folder, `home-${mode}`);
  const config = project.config(mode);
  const feed = join(project.folder, feedFile);
  writeFileSync(feed, 'value\n1000000\n');
  const feeding = setInterval(() => appendFileSync(feed, '1000001.5\n'), 1_000);
  const bot = millrace(['start', config, '--home', home, '--json', '--for', '90s'], {
    cwd: project.folder,
  });
  await bot.sees(/is open \(order \d+\)/u);
  const set = await command(project, [
    ...['set', config, 'every', 'size=0.002', '--reason', 'proof', '--home', home],
  ]);
  const ended = await bot.ended;
  clearInterval(feeding);
  const replayed = await command(project, ['replay', '--all', '--home', home]);
  const { journals, different } = JSON.parse(replayed.stdout.trim().split('\n').at(-1) ?? '{}');
  const log = readFileSync(join(home, 'log', `${mode}-contract.log`), 'utf8');
  return {
    ...{ home, log, replayed: journals ?? 0, different: different ?? 1 },
    problems: [
      ...(ended.code === 0 ? [] : [`${mode}: the bot ended with ${ended.code}: ${bot.stderr}`]),
      ...(set.code === 0 ? [] : [`${mode}: set ended with ${set.code}: ${set.stderr}`]),
      ...(replayed.code === 0 ? [] : [`${mode}: the replay differs: ${replayed.stderr}`]),
    ],
  };
}

/** Plays what the demo received, and compares what the strategy of the market asked for. */
async function sameIntents(
  project: ContractProject,
  { home, log }: BotRun,
  isPlanted: boolean,
): Promise<{ readonly count: number; readonly notes: readonly string[] }> {
  const captures = join(home, 'captures');
  const files = readdirSync(captures, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const out = join(project.folder, 'received.mrec');
  const compiled = await command(project, ['compile', ...files, '--pair', 'XBTZAR', '-o', out]);
  if (compiled.code !== 0) return { count: 0, notes: [`compile: ${compiled.stderr}`] };
  const scenario = project.scenario('same', [['trades', 'trade-quoter', '{}']], { recording: out });
  const played = await command(project, ['backtest', scenario]);
  if (played.code !== 0) return { count: 0, notes: [`backtest: ${played.stderr}`] };
  const [real, simulated] = [readSaid(log).intents, readSaid(played.stdout).intents];
  const common = [...simulated].filter(([trade]) => real.has(trade));
  const differing = common.filter(
    ([trade, orders], index) =>
      real.get(trade) !== (isPlanted && index === 0 ? `${orders}1` : orders),
  );
  return {
    count: common.length - differing.length,
    notes: differing.map(
      ([trade, orders]) =>
        `at trade ${trade} the backtest wants ${orders}, the demo ${real.get(trade)}`,
    ),
  };
}

export const contractProver: Prover = {
  name: 'contract',
  title: 'every member of the strategy contract works in a backtest, in the demo and in paper',
  compared: ['members', 'sameIntents', 'roomGranted', 'replayed'],
  plants,
  run,
};
