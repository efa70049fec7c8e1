/**
 * One backtest over random order flow, with the gate as it is or with a table of no checks: prints
 * how long it took and what a judgement took, as JSON. A process of its own, so that taking the
 * checks away harms nobody.
 *
 *     gate-speed-run.ts on|off FOLDER
 */
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run-backtest.ts';
import { type CheckEntry, checkTable } from '../../src/risk/check-table.ts';
import { Gate } from '../../src/risk/gate.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';

const [way, folder] = process.argv.slice(2);
if ((way !== 'on' && way !== 'off') || folder === undefined)
  throw new RangeError('usage: gate-speed-run.ts on|off FOLDER');
if (way === 'off') (checkTable as CheckEntry[]).length = 0;

const micros: number[] = [];
const judge = Gate.prototype.judge;
Gate.prototype.judge = function timed(this: Gate, ...given) {
  const startedMs = performance.now();
  const verdict = judge.apply(this, given);
  micros.push((performance.now() - startedMs) * 1_000);
  return verdict;
};

const { source: _source, ...scenario } = loadScenario(join(folder, 'scenario.yaml'));
const strategiesFolder = join(import.meta.dirname, '../../strategies');
const runs: number[] = [];
for (let run = 0; run < 4; run++) {
  // A run of a day is long: what counts is the code when it is warm.
  if (run <= 1) micros.length = 0;
  const startedMs = performance.now();
  await runBacktest({ scenario, dataFolder: folder, strategiesFolder });
  runs.push(performance.now() - startedMs);
}
micros.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    judgements: micros.length,
    medianMicros: micros[Math.floor(micros.length / 2)],
    bestMs: Math.min(...runs),
  }),
);
