/** The declarations, compared with lists written by hand from the documents. */
import { describe, expect, test } from 'vitest';
import { changeList, interfaceVersion } from '../../../../../src/venues/luno/api/change-list.ts';
import { errorCodes } from '../../../../../src/venues/luno/api/error-codes.ts';
import { limits } from '../../../../../src/venues/luno/api/limits.ts';
import { limitRows } from '../../../../../src/venues/luno/api/limits-table.ts';
import type { Operation } from '../../../../../src/venues/luno/api/operation.ts';
import { type OperationName, operations } from '../../../../../src/venues/luno/api/operations.ts';
import {
  isPermitted,
  keyTemplates,
  permissions,
} from '../../../../../src/venues/luno/api/permissions.ts';
import { walletErrorCodes } from '../../../../../src/venues/luno/api/wallet/error-names.ts';
import { documentedBits, documentedOperations } from '../../../../support/documented-operations.ts';

const all = Object.values<Operation>(operations);
const ofExchange = all.filter((operation) => operation.document === 'exchange');

describe('the exchange document', () => {
  test('has exactly these operations', () => {
    expect(ofExchange.map((one) => one.name).sort()).toEqual(
      documentedOperations.map((one) => one.name).sort(),
    );
  });
  test.each(documentedOperations)('$name: $method $path', (documented) => {
    const { method, path, permission, source, authentication } = operations[
      documented.name as OperationName
    ] as Operation;
    expect(permission === 'none').toBe(authentication === 'none');
    const needed = permission === 'none' ? '-' : permission;
    expect({ method, path, permission: needed, source }).toEqual({
      method: documented.method,
      path: documented.path,
      permission: documented.permission,
      source: documented.source,
    });
  });
  test('uses forms, and basic authentication', () => {
    for (const { encoding, authentication } of ofExchange) {
      expect(encoding).toBe('form');
      expect(authentication).not.toBe('signed');
    }
  });
});

test('the wallet document uses JSON and signed requests, at our own paths', () => {
  const ofWallet = all.filter((operation) => operation.document === 'wallet');
  expect(ofWallet.length).toBeGreaterThan(10);
  for (const { encoding, authentication, source } of ofWallet)
    expect({ encoding, authentication, source }).toEqual({
      encoding: 'json',
      authentication: 'signed',
      source: 'ours',
    });
});

test('an operation declares every error code of its body and parameters', () => {
  for (const { name, method, encoding, parameters, errors } of all) {
    const ofBody = encoding === 'json' ? 'ErrRequestBodyFormat' : 'ErrInvalidParameters';
    if (method !== 'GET') expect(errors, name).toContain(ofBody);
    for (const { errorCode, missingErrorCode = errorCode } of Object.values(parameters)) {
      expect(errors, name).toContain('ErrInvalidArguments');
      expect(errors, name).toContain(errorCode);
      expect(errors, name).toContain(missingErrorCode);
    }
    expect(new Set(errors).size, name).toBe(errors.length);
  }
});

test('method and path of an operation are unique', () => {
  const places = all.flatMap(({ method, path, aliases }) =>
    [path, ...aliases].map((one) => `${method} ${one.replace(/:\w+/gu, ':')}`),
  );
  expect(new Set(places).size).toBe(places.length);
});

test('the name of an operation equals its key', () => {
  for (const [key, { name }] of Object.entries(operations)) expect(name).toBe(key);
});

describe('error codes', () => {
  const inDocument = (document: 'exchange' | 'wallet' | 'facts') =>
    Object.entries(errorCodes)
      .filter(([, one]) => one.documents.includes(document))
      .map(([code]) => code);
  test('are 112 and 50, 141 of them distinct, and five that are only in the facts', () => {
    expect(inDocument('exchange')).toHaveLength(112);
    expect(inDocument('wallet')).toHaveLength(50);
    expect(new Set([...inDocument('exchange'), ...inDocument('wallet')]).size).toBe(141);
    expect(inDocument('facts')).toHaveLength(5);
  });
  test('of the wallet document are the ones that its operations send', () => {
    expect([...walletErrorCodes].sort()).toEqual(inDocument('wallet').sort());
  });
  test('have a meaning, and the status of a refusal or a failure', () => {
    for (const { meaning, status } of Object.values(errorCodes)) {
      expect(meaning).not.toBe('');
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });
  test('of every operation exist', () => {
    for (const operation of all)
      for (const code of operation.errors) expect(Object.keys(errorCodes)).toContain(code);
  });
});

describe('permissions', () => {
  test('have the documented bits', () => {
    const values = Object.entries(permissions).map(([name, { value }]) => [name, value]);
    expect(Object.fromEntries(values)).toEqual(documentedBits);
  });
  test('form the two documented sets', () => {
    const bits = (...names: readonly string[]) =>
      names.reduce((sum, name) => sum + (documentedBits[name] ?? Number.NaN), 0);
    const read = ['Perm_R_Balance', 'Perm_R_Transactions', 'Perm_R_Orders', 'Perm_R_Withdrawals'];
    const both = [...read, 'Perm_R_Beneficiaries', 'Perm_W_Send'];
    expect(keyTemplates['read-only']).toBe(bits(...both, 'Perm_R_Transfers'));
    expect(keyTemplates.trading).toBe(bits(...both, 'Perm_W_Orders'));
  });
  test('without a documented value need only a valid key, unless the settings give a value', () => {
    for (const name of ['MP_None', 'MP_None_Write', 'MP_Transfers'] as const)
      expect(isPermitted(0, name)).toBe(true);
    const values = { MP_Transfers: 2 ** 20, MP_None_Write: 2 ** 21 };
    expect(isPermitted(2 ** 20, 'MP_Transfers', values)).toBe(true);
    expect(isPermitted(2 ** 20, 'MP_None_Write', values)).toBe(false);
    expect(isPermitted(0, 'MP_None', values)).toBe(true);
  });
});

describe('the change list', () => {
  test('goes from new to old', () => {
    const years = changeList.map(({ date }) => Number.parseInt(date.slice(0, 4), 10));
    expect(changeList).toHaveLength(53);
    expect(years).toEqual([...years].sort((one, other) => other - one));
  });
  test('names existing operations', () => {
    for (const { operations: names } of changeList)
      for (const name of names) expect(Object.keys(operations)).toContain(name);
  });
  test('ends at the published version', () => expect(interfaceVersion).toBe('1.2.5'));
});

test('every row of the limits tables has figures, all of them in its text', () => {
  expect(limitRows.filter((row) => row.document === 'exchange')).toHaveLength(17);
  expect(limitRows.filter((row) => row.document === 'wallet')).toHaveLength(4);
  const said: Readonly<Record<string, string>> = {
    publicTradesAgeMsMax: '24 hours',
    addressCreationIntervalMs: '1 per hour',
    marketDataCacheMs: '1 second',
    userStreamCacheMs: '5 minutes',
    pageSizeMin: '',
  };
  for (const { text, figures } of limitRows)
    for (const figure of figures) expect(text).toContain(said[figure] ?? String(limits[figure]));
});
