/**
 * A separate process for the tests of the store: opens the database given by its first argument and
 * commits until it is killed. Each line on standard output is a commit that `commit` has
 * acknowledged.
 *
 * Exits with 75 if another process has the database open. With a second argument it only keeps the
 * store open, without a reference to it: the lock must outlive garbage collections.
 */
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AlreadyRunningError } from '../../../src/domain/errors.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite-store.ts';
import { fill, noonMs, openOptions, order, proof } from './store-samples.ts';

const [path = '', holdOnly] = process.argv.slice(2);

function openOrExit(): SqliteStore {
  try {
    return openSqliteStore(path, openOptions);
  } catch (failure) {
    if (failure instanceof AlreadyRunningError) process.exit(75);
    throw failure;
  }
}

if (holdOnly === undefined) {
  const store = openOrExit();
  writeSync(1, 'open\n');
  let intentId = store.restore(noonMs).intentIdNext;
  for (let commitNumber = 1; ; commitNumber++) {
    const orderId = `BX${intentId}`;
    const batch = Array.from({ length: 3 }, (_, index) => ({
      sequence: `${intentId * 10 + index}`,
      change: { intentId, orderId },
    }));
    store.commit(
      [
        order(intentId),
        ...batch.map(({ sequence, change }) => fill(sequence, change)),
        ...batch.map(({ sequence }) => proof(sequence, orderId)),
      ],
      commitNumber,
    );
    writeSync(1, `${intentId}\n`);
    intentId++;
  }
} else {
  openOrExit();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await setImmediate();
  collect();
  writeSync(1, 'open\n');
  // Waits for the end of standard input.
  process.stdin.resume();
}
