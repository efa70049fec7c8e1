/**
 * A state folder in an earlier format works like a folder in the current format.
 *
 * Method: the fixture has limit, stop and market orders, a deposit, open orders and two commands in
 * its log. It also has the answers about both users that the version that wrote it gave.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../../../../src/domain/errors.ts';
import { openStoredSimulator } from '../../../../../src/venues/luno/simulator/server/state-folder.ts';
import {
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import { botKey, Caller, otherKey, second } from '../../../../support/simulated-exchange.ts';

const fixture = join(import.meta.dirname, '../../../../fixtures/simulator/state-format-2');
/** The state follows a checksum of eight digits. */
const headerBytes = 8;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-formats-'));
  writeFileSync(join(folder, 'snapshot-2.bin'), snapshotOfFixture());
  copyFileSync(join(fixture, 'commands.txt'), join(folder, 'commands-2.log'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function snapshotOfFixture(): Buffer {
  return gunzipSync(readFileSync(join(fixture, 'snapshot.bin.gz')));
}

const open = () =>
  openStoredSimulator(folder, () => {
    throw new Error('the folder has an exchange');
  });

/** Returns the state of both users as JSON. */
function toldBy(simulator: Simulator): unknown {
  const told = ['desk', 'other'].map((id) => {
    const { orders, trades, accounts } = simulator.truth(id);
    return [id, { orders, trades, accounts: accounts.map((one) => ({ ...one, rows: one.rows })) }];
  });
  const text = JSON.stringify(Object.fromEntries(told), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return JSON.parse(text);
}

test('its orders, trades and ledger rows are the same as in the version that wrote them', () => {
  const { simulator, replayed } = open();
  expect(replayed).toBe(3);
  expect(toldBy(simulator)).toEqual(JSON.parse(readFileSync(join(fixture, 'truth.json'), 'utf8')));
  expect(simulator.faults()).toEqual([]);
});

test('it continues, and is the same after it was stored again', () => {
  const first = open();
  const desk = new Caller(first.simulator, botKey, first.simulator.timeMicros + second);
  const other = new Caller(first.simulator, otherKey, desk.timeMicros);
  other.place('ASK', 950_000, '0.3');
  const zar = first.simulator.truth('desk').accounts.find(({ currency }) => currency === 'ZAR');
  const path = `/api/1/accounts/${zar?.id}/transactions`;
  const rows = desk.get(path, { min_row: '1', max_row: '100' })['transactions'] ?? [];
  const descriptions = rows.map((row) => String(row['description']));
  const bought = descriptions.filter((text) => text.startsWith('Bought'));
  expect(bought).toEqual(['Bought 0.200000 XBT', 'Bought 0.300000 XBT']);
  const told = toldBy(first.simulator);
  first.close();
  const again = open();
  expect(again.replayed).toBe(0);
  expect(toldBy(again.simulator)).toEqual(told);
  expect(again.simulator.faults()).toEqual([]);
});

test('an unknown format is refused', () => {
  const snapshot: unknown = deserialize(snapshotOfFixture().subarray(headerBytes));
  for (const formatVersion of [1, 4, undefined]) {
    const bytes = serialize({ ...(snapshot as object), formatVersion });
    expect(() => restoreSimulator(bytes)).toThrow(StoreError);
  }
});
