/** The thread of a hang watchdog. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchdogThreadData } from './hang-watchdog.ts';

const standardError = 2;
/** Checks per grace period. After a sleep of the machine one check has failed, not all of them. */
const checks = 10;

const { what, graceMs, count, nowMicros } = workerData as WatchdogThreadData;
let lastCount = 0;
let checksWithoutBeat = 0;

setInterval(() => {
  const beats = Atomics.load(count, 0);
  const isAlive = beats === 0 || beats !== lastCount;
  lastCount = beats;
  checksWithoutBeat = isAlive ? 0 : checksWithoutBeat + 1;
  if (checksWithoutBeat < checks) return;
  const micros = nowMicros[0] as number;
  const isLoading = Number.isNaN(micros);
  const time = isLoading ? 'the loading of its plugin' : new Date(micros / 1000).toISOString();
  // Written directly: the output of this thread goes through the main thread, which hangs.
  writeSync(standardError, `millrace: ${what} ${time}\n`);
  process.kill(process.pid, 'SIGKILL');
}, graceMs / checks);
