/** Which key may call which operation, and permissions whose values the settings choose. */
import { expect, test } from 'vitest';
import type { Operation } from '../../../../../src/venues/luno/api/operation.ts';
import { type OperationName, operations } from '../../../../../src/venues/luno/api/operations.ts';
import { keyTemplates, permissions } from '../../../../../src/venues/luno/api/permissions.ts';
import { createApiKey } from '../../../../../src/venues/luno/simulator/core/api-key.ts';
import { documentedBits, documentedOperations } from '../../../../support/documented-operations.ts';
import {
  createDirectDriver,
  credentialsOf,
  type Driver,
} from '../../../../support/interface-driver.ts';
import { sendTexts } from '../../../../support/raw-request.ts';
import { scenarioSettings } from '../../../../support/scenario-steps.ts';

/** Gives the key `nothing` these bits. */
function driverWith(bits: number, permissionValues = {}): Driver {
  const settings = { ...scenarioSettings, permissionValues };
  const driver = createDirectDriver({ settings, seed: 1 });
  const { keyId, keySecret } = credentialsOf('nothing');
  const rights = { userId: 'desk', permissions: bits };
  const { secretDigest } = createApiKey({ id: keyId, secret: keySecret }, rights);
  const digest = Buffer.from(secretDigest).toString('hex');
  driver.control({ kind: 'add-key', keyId, secretDigest: digest, ...rights });
  return driver;
}

async function isRefused(driver: Driver, name: string): Promise<boolean> {
  const { path } = operations[name as OperationName] as Operation;
  const texts = path.includes(':id') ? { id: '1' } : {};
  const reply = await sendTexts(driver, name as OperationName, texts, { key: 'nothing' });
  return reply.kind === 'refused' && reply.code === 'ErrInsufficientPerms';
}

test.each(documentedOperations)('$name needs $permission and nothing else', async (documented) => {
  const { name, permission } = documented;
  const everything = Object.values(permissions).reduce((bits, { value }) => bits | value, 0);
  const needed = documentedBits[permission];
  expect(await isRefused(driverWith(needed ?? 0), name)).toBe(false);
  expect(await isRefused(driverWith(everything - (needed ?? 0)), name)).toBe(needed !== undefined);
});

test('if convert has a bit, keys without the bit are refused', async () => {
  const values = { MP_Transfers: 2 ** 18 };
  expect(await isRefused(driverWith(keyTemplates.all, values), 'convert')).toBe(true);
  expect(await isRefused(driverWith(2 ** 18, values), 'convert')).toBe(false);
  expect(await isRefused(driverWith(0, values), 'createMove')).toBe(false);
});

test('a read-only key may send but not trade, a trading key may do both, as documented', async () => {
  const refusals = async (bits: number) =>
    Promise.all(
      ['send', 'postorder', 'balance', 'listTransfers'].map((name) =>
        isRefused(driverWith(bits), name),
      ),
    );
  expect(await refusals(keyTemplates['read-only'])).toEqual([false, true, false, false]);
  expect(await refusals(keyTemplates.trading)).toEqual([false, false, false, true]);
});
