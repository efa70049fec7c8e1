/**
 * A backtest with planted strategies as a process of its own.
 *
 *     node backtest-process.ts SCENARIO STRATEGIES GRACE_MS
 */

import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { Output } from '../../src/terminal/output.ts';
import { workspace } from './package-root.ts';

const [scenario = '', strategies = '', graceMs = ''] = process.argv.slice(2);
const { stdout, stderr } = process;
process.exitCode = await runBacktestCommand({
  scenario,
  graceMs: Number(graceMs),
  workspace: { ...workspace, strategies },
  output: new Output({ workspace, isJson: true, stdout, stderr }),
});
