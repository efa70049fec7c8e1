/**
 * `speed-process.ts WAY FOLDER [PLANT]`, forked by the speed proof: does the work in one way, each
 * time it is told to, and answers with what that cost. Each way has a process of its own, as it
 * has with whoever uses it: V8 compiles a function for all who call it.
 */
import { assert } from '../../src/domain/errors.ts';
import { readBlocks, speedFiles } from './speed-ground.ts';
import { runMaker, runMakerInParts } from './speed-maker.ts';
import { SpeedQuoter } from './speed-quoter.ts';
import { runCore, runFile, runFull, runNaive, runRxjs, runTold } from './speed-runs.ts';
import { speedScenario } from './speed-scenario.ts';
import type { SpeedCost, SpeedTurn, SpeedWay } from './speed-turns.ts';

type Work = () => Promise<Omit<SpeedTurn, 'cost'>> | Omit<SpeedTurn, 'cost'>;

const wrongRates = { maker: '0.0003', taker: '0.001' } as const;
/** Of the whole backtest's quotes, in the recording's time: a message takes 20 ms of it. */
const refreshOfFull = '60s';

const [way, folder, plant] = process.argv.slice(2) as [SpeedWay, string, string | undefined];

async function workOf(files: ReturnType<typeof speedFiles>): Promise<Work> {
  if (way === 'file') return async () => ({ sums: (await runFile(files.recording)).sums });
  if (way === 'naive') return async () => ({ sums: (await runNaive(files.lines)).sums });
  const { makerFolder } = files;
  if (way === 'maker') return async () => ({ maker: await runMaker(makerFolder, true) });
  if (way === 'dropped') return async () => ({ maker: await runMaker(makerFolder, false) });
  if (way === 'parts') return async () => ({ maker: await runMakerInParts(makerFolder) });
  if (way === 'full') {
    const scenario = speedScenario(folder, refreshOfFull);
    return async () => ({ orders: await runFull(scenario) });
  }
  const blocks = await readBlocks(files.recording);
  if (way === 'rxjs') return () => ({ sums: runRxjs(blocks).sums });
  if (plant === 'slow-path') return () => ({ sums: runTold(blocks).sums });
  const rates = plant === 'wrong-fee' ? wrongRates : undefined;
  return () => ({ sums: runCore(blocks, new SpeedQuoter(rates)).sums });
}

async function costOf<T>(work: () => Promise<T> | T): Promise<[result: T, cost: SpeedCost]> {
  const before = process.cpuUsage();
  const startMs = performance.now();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const wallSeconds = (performance.now() - startMs) / 1e3;
  const residentMb = process.resourceUsage().maxRSS / 1_024;
  return [result, { cpuSeconds: (user + system) / 1e6, wallSeconds, residentMb }];
}

assert(process.send !== undefined, 'speed-process.ts must be forked');
const work = await workOf(speedFiles(folder));
process.on('message', async () => {
  const [done, cost] = await costOf(work);
  process.send?.({ ...done, cost });
});
process.send({});
