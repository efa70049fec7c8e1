/**
 * `node src/launch.mjs test/prove/peers-backtest.ts backtest SCENARIO STRATEGIES RUNS`: runs a
 * scenario RUNS times as the command `backtest` does, gate, records, result file and report
 * included, and prints the {@link PeerRun} as its last line. The word `backtest` gives the process
 * the flags of V8 that the launcher gives that command.
 */

import { performance } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { Output } from '../../src/terminal/output.ts';
import { workspace } from '../support/package-root.ts';
import type { PeerRun } from './peers-turns.ts';

const graceMs = 600_000;
const [scenario = '', strategies = '', runs = ''] = process.argv.slice(3);
const runSeconds: number[] = [];
const runCpuSeconds: number[] = [];
let text = '';
for (let run = 0; run < Number(runs); run++) {
  text = '';
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
  const before = process.cpuUsage();
  const startMs = performance.now();
  const output = new Output({ workspace, isJson: true, stdout, stderr });
  const code = await runBacktestCommand({
    ...{ scenario, graceMs, output },
    workspace: { ...workspace, strategies },
  });
  runSeconds.push((performance.now() - startMs) / 1_000);
  const { user, system } = process.cpuUsage(before);
  runCpuSeconds.push((user + system) / 1e6);
  if (code !== 0) throw new Error(`the backtest ended with exit code ${code}: ${text}`);
}
const { orders, fills } = JSON.parse(text);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const run: PeerRun = {
  ...{ runSeconds, runCpuSeconds, orders, fills },
  cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  residentMb: maxRSS / 1024,
};
console.log(JSON.stringify(run));
