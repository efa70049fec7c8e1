/** The commands of the control interface, and the clock that some of them move. */
import { expect, expectTypeOf, test } from 'vitest';
import { defaultSimulatorSettings } from '../../../src/simulator/core/simulator-settings.ts';
import {
  type ControlCommand,
  controlKinds,
  parseControl,
} from '../../../src/simulator/server/control-command.ts';
import { MarketClock } from '../../../src/simulator/server/market-clock.ts';
import type { Control } from '../../../src/simulator/world/world-command.ts';
import { simulatorFor, startMicros } from '../../support/simulated-exchange.ts';

test('every operator command has a kind in the control interface', () => {
  expectTypeOf<Exclude<Control['kind'], ControlCommand['kind']>>().toEqualTypeOf<never>();
  expect(new Set(controlKinds).size).toBe(controlKinds.length);
});

const simulator = simulatorFor(defaultSimulatorSettings);
const zar = '8535691064011841924';

test.each([
  { kind: 'set-status', pair: 'XBTZAR', status: 'DISABLED', isUnderMaintenance: true },
  { kind: 'set-trading-state', isOn: true, state: 'spot-margin', userId: 'desk' },
  {
    kind: 'set-trading-state',
    isOn: false,
    state: 'market-not-allowed',
    userId: 'desk',
    pair: 'ETHXBT',
  },
  { kind: 'deposit', accountId: zar, amount: '-999999.5' },
  { kind: 'restrict', restriction: 'travel-rule', subject: 'desk', isSet: true },
  { kind: 'open-account', userId: 'desk', currency: 'XBT', type: 'SPOT_MARGIN' },
  { kind: 'fiat-deposit', accountId: zar, amount: '100', fee: '1' },
  { kind: 'set-email', userId: 'desk', email: 'desk@example.com' },
  { kind: 'delegate', keyId: 'sim_bot', ownerUserId: 'desk', permissions: 3 },
  { kind: 'fail-next', operation: 'balance', code: 'ErrInternal' },
  { kind: 'advance-time', ms: 3_600_000 },
  { kind: 'stop-time' },
])('$kind is parsed, and its trial changes nothing', (command) => {
  const before = simulator.truth('desk');
  expect(parseControl(JSON.stringify(command), simulator)).toEqual({ command });
  expect(simulator.truth('desk')).toEqual(before);
});

test.each([
  ['{', /must be JSON/u],
  ['[]', /kind must be one of set-status|kind must be one of/u],
  ['{"kind":"horizon"}', /kind must be one of/u],
  ['{"kind":"stop-time","more":1}', /more/u],
  ['{"kind":"advance-time","ms":3600001}', /ms/u],
  [`{"kind":"deposit","accountId":"${zar}","amount":"0x1"}`, /plain decimal/u],
  [
    `{"kind":"deposit","accountId":"${zar}","amount":"-1000000.01"}`,
    /available balance is below zero/u,
  ],
  ['{"kind":"deposit","accountId":"7","amount":"1"}', /7/u],
  ['{"kind":"set-trading-state","isOn":true,"state":"spot-margin","userId":"x"}', /no user x/u],
  [`{"kind":"fiat-deposit","accountId":"${zar}","amount":"1","fee":"2"}`, /more than its fee/u],
  ['{"kind":"revoke-key","keyId":"x"}', /key x must exist/u],
  ['{"kind":"fail-next","operation":"fly","code":"ErrInternal"}', /operation/u],
])('%s is refused, and the answer says why', (text, reason) => {
  const parsed = parseControl(text, simulator);
  expect('problem' in parsed ? parsed.problem : parsed).toMatch(reason);
});

test('the clock stops, resumes from there, moves forward, and never goes back', () => {
  let nowMicros = startMicros;
  const clock = new MarketClock({ nowMicros: () => nowMicros }, startMicros + 500);
  expect(clock.nowMicros()).toBe(startMicros + 500);
  clock.stop();
  nowMicros += 1_000;
  expect([clock.isStopped, clock.nowMicros()]).toEqual([true, startMicros + 500]);
  clock.moveForward(200);
  clock.stop();
  expect(clock.nowMicros()).toBe(startMicros + 700);
  clock.resume();
  nowMicros += 10;
  expect([clock.isStopped, clock.nowMicros()]).toEqual([false, startMicros + 710]);
  clock.moveForward(90);
  clock.resume();
  expect(clock.nowMicros()).toBe(startMicros + 800);
});

test('after a crash that left it ahead of the machine the clock waits, however often that happens', () => {
  let machineMicros = startMicros;
  let storedMicros = startMicros;
  for (let crash = 0; crash < 10; crash++) {
    // The stored time is up to a second ahead; the restart comes after 200 ms.
    storedMicros += 1_000_000;
    machineMicros += 200_000;
    const clock = new MarketClock({ nowMicros: () => machineMicros }, storedMicros);
    expect(clock.nowMicros()).toBe(storedMicros);
    clock.moveForward(5);
    expect(clock.nowMicros()).toBe(storedMicros + 5);
    machineMicros = storedMicros + 700_000;
    expect(clock.nowMicros()).toBe(machineMicros + 5);
    storedMicros = clock.nowMicros();
  }
});

test('a lead of hours, which an operator set, is kept', () => {
  const hourMicros = 3_600_000_000;
  const clock = new MarketClock({ nowMicros: () => startMicros + 7 }, startMicros + hourMicros);
  expect(clock.nowMicros()).toBe(startMicros + hourMicros);
});
