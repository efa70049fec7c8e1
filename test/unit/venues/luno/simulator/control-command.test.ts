/** The commands of the control interface, and the clock that some of them move. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import { defaultSimulatorSettings } from '../../../../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  type ControlCommand,
  controlKinds,
  parseControl,
} from '../../../../../src/venues/luno/simulator/server/control-command.ts';
import { MarketClock } from '../../../../../src/venues/luno/simulator/server/market-clock.ts';
import type { Control } from '../../../../../src/venues/luno/simulator/world/world-command.ts';
import { simulatorFor, startMicros } from '../../../../support/simulated-exchange.ts';

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
  ['{"kind":"deposit","accountId":"7","amount":"1"}', /no account "7"; there are .*853/u],
  [
    '{"kind":"set-trading-state","isOn":true,"state":"spot-margin","userId":"x"}',
    /no user "x"; there are desk/u,
  ],
  [`{"kind":"fiat-deposit","accountId":"${zar}","amount":"1","fee":"2"}`, /more than its fee/u],
  ['{"kind":"revoke-key","keyId":"x"}', /no key "x"; there are sim_bot/u],
  ['{"kind":"fail-next","operation":"fly","code":"ErrInternal"}', /operation/u],
])('%s is refused, and the answer says why', (text, reason) => {
  const parsed = parseControl(text, simulator);
  expect('problem' in parsed ? parsed.problem : parsed).toMatch(reason);
});

const xbt = '8203463422864003664';
const digest = 'ab'.repeat(32);
const newKey = {
  kind: 'add-key',
  keyId: 'k',
  secretDigest: digest,
  userId: 'desk',
  permissions: 1,
};
const grant = { kind: 'offer-grant', clientUserId: 'desk', code: 'c', keyId: 'k', userId: 'desk' };
const offer = { ...grant, secret: 's', permissions: 1 };
const link = { kind: 'link-user', userId: 'desk', linkedUserId: '7', label: 'l', permissions: [] };
const restrict = { kind: 'restrict', isSet: true };
const state = { kind: 'set-trading-state', isOn: true };

type Named = { readonly kind: string; readonly [member: string]: unknown };

/** For each command that names something: the name that does not exist, or exists already. */
const badReferences: readonly (readonly [command: Named, reason: RegExp])[] = [
  [{ kind: 'set-status', pair: 'NOPE', status: 'ACTIVE' }, /no market "NOPE"; .*XBTZAR/u],
  [{ ...state, state: 'spot-margin', userId: 'no' }, /no user "no"; there are desk/u],
  [{ ...state, state: 'spot-margin-market', pair: 'NOPE' }, /no market "NOPE"/u],
  [{ ...state, state: 'only-spot-wallets', pair: 'NOPE' }, /no market "NOPE"/u],
  [{ ...state, state: 'market-not-allowed', userId: 'no', pair: 'XBTZAR' }, /no user "no"/u],
  [{ kind: 'revoke-key', keyId: 'no' }, /no key "no"; there are sim_bot/u],
  [{ ...newKey, userId: 'no' }, /no user "no"/u],
  [{ ...newKey, userId: 'house' }, /no user "house"/u],
  [{ ...newKey, keyId: 'sim_bot' }, /key sim_bot exists already/u],
  [{ ...newKey, keyId: 'offered' }, /key offered is offered by a grant already/u],
  [{ kind: 'deposit', accountId: '7', amount: '1' }, /no account "7"/u],
  [{ kind: 'open-account', userId: 'no', currency: 'XBT', type: 'SPOT' }, /no user "no"/u],
  [
    { kind: 'open-account', userId: 'desk', currency: 'NOPE', type: 'SPOT' },
    /no currency "NOPE"; there are XBT, ZAR/u,
  ],
  [{ ...restrict, restriction: 'travel-rule', subject: 'no' }, /no user "no"/u],
  [
    { ...restrict, restriction: 'unverified-currency', subject: 'desk' },
    /a user and a currency, such as "desk\/ZAR", not "desk"/u,
  ],
  [
    { ...restrict, restriction: 'unverified-currency', subject: 'desk/NOPE' },
    /no currency "NOPE"/u,
  ],
  [{ ...restrict, restriction: 'blocked-currency', subject: 'NOPE' }, /no currency "NOPE"/u],
  [
    { ...restrict, restriction: 'rejected-beneficiary', subject: '7' },
    /no beneficiary "7"; there are none/u,
  ],
  [{ ...restrict, restriction: 'wallet-interface-maintenance', subject: 'desk' }, /is "all"/u],
  [{ kind: 'crypto-deposit', address: 'no', amount: '1' }, /no receive address "no"/u],
  [{ kind: 'drop-crypto-deposits', address: 'no' }, /no receive address "no"/u],
  [{ kind: 'set-email', userId: 'no', email: 'a@b.c' }, /no user "no"/u],
  [{ ...link, userId: 'no' }, /no user "no"/u],
  [{ ...link, linkedUserId: '9223372036854775808' }, /must be below 2\^63/u],
  [{ ...offer, clientUserId: 'no' }, /no user "no"/u],
  [{ ...offer, userId: 'no' }, /no user "no"/u],
  [{ ...offer, keyId: 'sim_bot' }, /key sim_bot exists already/u],
  [{ ...offer, code: 'taken' }, /code taken is offered already/u],
  [{ kind: 'delegate', keyId: 'no', ownerUserId: 'desk', permissions: 1 }, /no key "no"/u],
  [{ kind: 'delegate', keyId: 'sim_bot', ownerUserId: 'no', permissions: 1 }, /no user "no"/u],
  [{ kind: 'fiat-deposit', accountId: '7', amount: '1' }, /no account "7"/u],
  [{ kind: 'fiat-deposit', accountId: xbt, amount: '1' }, /is in XBT, which no bank/u],
  [
    { kind: 'set-fiat-deposit-status', depositId: '7', status: 'COMPLETED' },
    /no fiat deposit "7"; there are none/u,
  ],
  [{ kind: 'fail-next', operation: 'fly', code: 'ErrInternal' }, /operation/u],
  [{ kind: 'fail-next', operation: 'balance', code: 'ErrFly' }, /code/u],
];

describe('a bad reference', () => {
  const exchange = simulatorFor(defaultSimulatorSettings);
  const offered = { ...offer, keyId: 'offered', code: 'taken' } as Control;
  exchange.control(offered, startMicros);

  test.each(badReferences)('in %j is refused, and nothing changes', (command, reason) => {
    const before = exchange.snapshot();
    const parsed = parseControl(JSON.stringify(command), exchange);
    expect('problem' in parsed ? parsed.problem : parsed).toMatch(reason);
    expect(Buffer.from(exchange.snapshot()).equals(before)).toBe(true);
  });

  test('is among these for each command of the log', () => {
    const kinds = new Set(badReferences.map(([{ kind }]) => kind));
    const ofProcess = ['stop-time', 'resume-time', 'advance-time', 'set-stream-signal'];
    expect(controlKinds.filter((kind) => !kinds.has(kind))).toEqual(ofProcess);
  });
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
