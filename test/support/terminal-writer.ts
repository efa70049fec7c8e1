/**
 * `node terminal-writer.ts FILE`: writes to its terminal all the time, and to FILE how long the
 * event loop stood still at most, each second. Ctrl-C lets it print a last line and exit.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openTerminal } from '../../src/runtime/terminal-device.ts';
import { createTimers } from '../../src/runtime/timers.ts';

const [file = ''] = process.argv.slice(2);
const terminal = openTerminal(process.stdout, createTimers());
if (terminal === undefined) throw new Error('this needs a terminal');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let [written, second] = [0, 0];
terminal.enter();
setInterval(() => {
  terminal.write(`${'x'.repeat(70)} ${written++}\r\n`);
}, 1);
setInterval(() => {
  writeFileSync(file, JSON.stringify({ second: ++second, written, worstMs: delay.max / 1e6 }));
  delay.reset();
}, 1_000);
process.on('SIGINT', () => {
  terminal.leave();
  terminal.write('the last line\r\n');
  process.exit(0);
});
