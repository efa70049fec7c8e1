/**
 * Backtests over random order flow, for what the gate costs; prints figures as JSON. A process of
 * its own, so that taking the checks away harms nobody.
 *
 *     gate-speed-run.ts cost|on|off FOLDER
 *
 * `cost` times judgements where they happen; `on` and `off` time whole backtests. Without the gate
 * the verdicts of a run with it are given again, so that both trade alike: only the judging and the
 * writing down of what was judged by are left out.
 */
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { type CheckEntry, checkTable } from '../../src/risk/check-table.ts';
import { Gate, type Verdict } from '../../src/risk/gate.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';

const [way, folder] = process.argv.slice(2);
if ((way !== 'cost' && way !== 'on' && way !== 'off') || folder === undefined)
  throw new RangeError('usage: gate-speed-run.ts cost|on|off FOLDER');

/** Each order is judged so often more, so that reading the clock does not count. */
const repeats = 16;
const measuredRuns = 3;

const { source: _source, ...scenario } = loadScenario(join(folder, 'scenario.yaml'));
const strategiesFolder = join(import.meta.dirname, '../../strategies');
const judge = Gate.prototype.judge;
const micros: number[] = [];
const firstMicros: number[] = [];
const verdicts: Verdict[] = [];
let judged = 0;

if (way === 'cost')
  Gate.prototype.judge = function timed(this: Gate, proposal, facts) {
    const clockMs = performance.now();
    const startedMs = performance.now();
    const verdict = judge.call(this, proposal, facts);
    const firstMs = performance.now();
    for (let count = 0; count < repeats; count++) judge.call(this, proposal, facts);
    micros.push(((performance.now() - firstMs) * 1_000) / repeats);
    firstMicros.push((firstMs - startedMs - (startedMs - clockMs)) * 1_000);
    return verdict;
  };
else
  Gate.prototype.judge = function kept(this: Gate, proposal, facts) {
    const verdict = judge.call(this, proposal, facts);
    verdicts.push(verdict);
    return verdict;
  };

// The first run is slower than any other: the code is not compiled yet.
await runOnce();
if (way !== 'cost') Gate.prototype.judge = judge;
if (way === 'off') {
  (checkTable as CheckEntry[]).length = 0;
  Gate.prototype.inputs = () => '{}';
  Gate.prototype.judge = function told(this: Gate, proposal, facts) {
    const verdict = verdicts[judged++] as Verdict;
    return verdict.kind === 'refused' ? verdict : judge.call(this, proposal, facts);
  };
}
const runs: number[] = [];
micros.length = 0;
firstMicros.length = 0;
for (let run = 0; run < measuredRuns; run++) runs.push(await runOnce());
console.log(
  JSON.stringify({
    judgements: way === 'cost' ? micros.length : verdicts.length,
    medianMicros: medianOf(micros),
    firstMedianMicros: medianOf(firstMicros),
    bestMs: Math.min(...runs),
  }),
);

/** Returns the processor time of a backtest in milliseconds. */
async function runOnce(): Promise<number> {
  judged = 0;
  const before = process.cpuUsage();
  await runBacktest({ scenario, dataFolder: folder as string, strategiesFolder });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function medianOf(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
