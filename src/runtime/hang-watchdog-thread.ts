/** The thread of hang watchdogs: each message is what it watches next, or undefined for nothing. */
import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { Watch } from './hang-watchdog.ts';
import { placeOfMainThread } from './hanging-place.ts';
import { leaveScreen } from './terminal-device.ts';

const standardError = 2;
/** Checks per grace period. After a sleep of the machine one check has failed, not all of them. */
const checks = 10;

let checking: NodeJS.Timeout | undefined;

parentPort?.on('message', (watch: Watch | undefined) => {
  clearInterval(checking);
  if (watch === undefined) return;
  let lastCount = 0;
  let checksWithoutBeat = 0;
  checking = setInterval(() => {
    const beats = Atomics.load(watch.count, 0);
    const isAlive = beats === 0 || beats !== lastCount;
    lastCount = beats;
    checksWithoutBeat = isAlive ? 0 : checksWithoutBeat + 1;
    if (checksWithoutBeat === checks) placeOfMainThread((place) => kill(watch, place));
  }, watch.graceMs / checks);
});

function kill({ what, nowMicros, isScreenShown }: Watch, place: string | undefined): void {
  const micros = nowMicros[0] as number;
  const isLoading = Number.isNaN(micros);
  const time = isLoading ? 'the loading of its plugin' : new Date(micros / 1000).toISOString();
  try {
    // Written directly: the output of this thread goes through the main thread, which hangs.
    const at = place === undefined ? '' : `; it runs ${place}`;
    const before = isScreenShown[0] === 0 ? '' : leaveScreen;
    writeSync(standardError, `${before}millrace: ${what} ${time}${at}\n`);
  } finally {
    // Also if nobody reads the message, or its reader is gone.
    process.kill(process.pid, 'SIGKILL');
  }
}
