/**
 * `node speed-first.ts RECORDING MESSAGES`: plays the first messages of a recording in a process
 * that has done nothing else, and prints the seconds since it began.
 */
import { Recording } from '../../src/recording/file/recording.ts';
import { SpeedQuoter } from './speed-quoter.ts';
import { playBlock } from './speed-runs.ts';

const [path, count] = process.argv.slice(2) as [string, string];
const recording = new Recording(path);
const quoter = new SpeedQuoter();
for await (const block of recording.blocks()) {
  playBlock(quoter, block);
  if (quoter.sums.messages >= Number(count)) break;
}
recording.close();
console.log(String(performance.now() / 1_000));
