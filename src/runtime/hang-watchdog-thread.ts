/** The thread of a standstill guard. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { StandstillWatch } from './hang-watchdog.ts';

const standardError = 2;
/** In one grace it is looked so often; a machine that slept missed one look, not all of them. */
const looks = 10;

const { what, graceMs, count, nowMicros } = workerData as StandstillWatch;
let countSeen = 0;
let looksWithoutBeat = 0;

setInterval(() => {
  const beats = Atomics.load(count, 0);
  const isMoving = beats === 0 || beats !== countSeen;
  countSeen = beats;
  looksWithoutBeat = isMoving ? 0 : looksWithoutBeat + 1;
  if (looksWithoutBeat < looks) return;
  const micros = nowMicros[0] as number;
  const isLoading = Number.isNaN(micros);
  const time = isLoading ? 'the loading of its plugin' : new Date(micros / 1000).toISOString();
  // The thread that prints is the one that loops.
  writeSync(standardError, `millrace: ${what} ${time}\n`);
  process.kill(process.pid, 'SIGKILL');
}, graceMs / looks);
