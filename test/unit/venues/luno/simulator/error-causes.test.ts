/**
 * Every error code comes from the cause that its declaration names, with its status and in the form
 * of its API; and an operator can make any call fail with any code.
 */
import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../../../src/venues/luno/api/error-codes.ts';
import { restoreSimulator } from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import { errorScenarios } from '../../../../support/error-scenarios.ts';
import { createDirectDriver, type Driver } from '../../../../support/interface-driver.ts';
import { credentialHeaders } from '../../../../support/raw-request.ts';
import { scenarioSettings } from '../../../../support/scenario-steps.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];
const caused = codes.filter((code) => errorCodes[code].cause !== 'none');
const driverOf = () => createDirectDriver({ settings: scenarioSettings, seed: 2 });

test('exactly the codes with a cause have a scenario', () => {
  expect(Object.keys(errorScenarios).sort()).toEqual([...caused].sort());
});

describe('the declared cause leads to', () => {
  test.each(caused)('%s', async (code) => {
    const driver = driverOf();
    let controls = 0;
    const control: Driver['control'] = (one) => {
      controls += 1;
      driver.control(one);
    };
    const reply = await errorScenarios[code]?.({ ...driver, control });
    expect(reply).toMatchObject({ kind: 'refused', code, status: errorCodes[code].status });
    expect(controls > 0).toBe(errorCodes[code].cause === 'control');
    expect(driver.simulator.faults()).toEqual([]);
  });
});

describe('fail-next', () => {
  const ofExchange = codes.filter((code) => !errorCodes[code].documents.includes('wallet'));
  test.each(ofExchange)('makes only the next call fail with %s', async (code) => {
    const driver = driverOf();
    driver.control({ kind: 'fail-next', operation: 'balance', code });
    expect((await driver.call('feeInfo', { pair: 'XBTZAR' })).kind).toBe('ok');
    const { status } = errorCodes[code];
    expect(await driver.call('balance', {})).toMatchObject({ kind: 'refused', code, status });
    expect((await driver.call('balance', {})).kind).toBe('ok');
  });
  const ofWallet = codes.filter((code) => errorCodes[code].documents.includes('wallet'));
  test.each(ofWallet)('writes %s in the format of the wallet API', async (code) => {
    const driver = driverOf();
    driver.control({ kind: 'fail-next', operation: 'listWallets', code });
    const url = '/api/wallet/1/wallets';
    const signed = { method: 'GET', authentication: 'signed' } as const;
    const headers = credentialHeaders(signed, 'desk', { url }, driver.timeMs() * 1000);
    const answer = await driver.raw({ method: 'GET', url, headers });
    expect(answer.status).toBe(errorCodes[code].status);
    expect(JSON.parse(answer.body)).toEqual({
      errorCode: code,
      message: errorCodes[code].meaning,
    });
  });
  test('has no other effect, and places no order', async () => {
    const driver = driverOf();
    const order = { pair: 'XBTZAR', type: 'BID', price: '900000', volume: '0.01' } as const;
    driver.control({ kind: 'fail-next', operation: 'postorder', code: 'ErrInternal' });
    const before = driver.simulator.truth('desk');
    expect((await driver.call('postorder', order)).kind).toBe('refused');
    expect(driver.simulator.truth('desk')).toEqual(before);
  });
  test('queues up, and survives a restart', async () => {
    const driver = driverOf();
    for (const code of ['ErrInternal', 'ErrClusterUnavailable'] as const)
      driver.control({ kind: 'fail-next', operation: 'markets', code });
    const request = {
      method: 'GET',
      path: '/api/exchange/1/markets',
      pairs: [],
      credentials: undefined,
      bodyKind: 'none',
    } as const;
    const first = driver.simulator.handle(request, driver.timeMs() * 1000);
    expect(first.body).toContain('ErrInternal');
    const restored = restoreSimulator(driver.simulator.snapshot());
    expect(restored.handle(request, driver.timeMs() * 1000).body).toContain(
      'ErrClusterUnavailable',
    );
    expect(restored.handle(request, driver.timeMs() * 1000).status).toBe(200);
  });
  test('fails a public call before its parameters are read', async () => {
    const driver = driverOf();
    driver.control({ kind: 'fail-next', operation: 'ticker', code: 'ErrUpdateRequired' });
    const reply = await driver.call('ticker', { pair: 'NOPE' });
    expect(reply).toMatchObject({ code: 'ErrUpdateRequired' });
  });
});
