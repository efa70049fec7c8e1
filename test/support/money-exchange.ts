/**
 * An exchange without participants and two users with all permissions, for tests of operations
 * other than trading.
 */
import { expect } from 'vitest';
import { createApiKey } from '../../src/venues/luno/simulator/core/api-key.ts';
import type { Restriction } from '../../src/venues/luno/simulator/core/restrictions.ts';
import type { SimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  createSimulator,
  type Recorder,
  type Simulator,
} from '../../src/venues/luno/simulator/world/simulator.ts';
import type { Control } from '../../src/venues/luno/simulator/world/world-command.ts';
import { type Body, bodyOf, Caller, quietSettings, startMicros } from './simulated-exchange.ts';

const deskKey = { id: 'sim_desk', secret: 'desk-secret' };
const friendKey = { id: 'sim_friend', secret: 'friend-secret' };
/** Every documented permission. */
const allPermissions = 262_143;

export const startMs = startMicros / 1000;
/** One of EIP-55's examples. */
export const ethereumAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const bitcoinAddress = '1LHVH4TGf7ngwRQAWVi5sJ9sSJPGkDVqaK';
export const rippleAddress = 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh';

/**
 * One user of the exchange, with short forms of the calls that tests use. `wait` advances the time.
 */
export class MoneyCaller {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the body of an answer; an error body has `error_code`. */
  call(method: string, path: string, values: Readonly<Record<string, string>> = {}): Body {
    // Half a second between calls stays within the call limit.
    this.#caller.timeMicros += 500_000;
    return bodyOf(this.#caller.send(method, path, values));
  }

  get(path: string, values: Readonly<Record<string, string>> = {}): Body {
    return this.call('GET', path, values);
  }

  post(path: string, values: Readonly<Record<string, string>> = {}): Body {
    return this.call('POST', path, values);
  }

  statusOf(method: string, path: string, values: Readonly<Record<string, string>> = {}): number {
    this.#caller.timeMicros += 500_000;
    return this.#caller.send(method, path, values).status;
  }

  wait(ms: number): void {
    this.#caller.timeMicros += ms * 1000;
  }

  get timeMicros(): number {
    return this.#caller.timeMicros;
  }

  balances(currency: string): readonly Body[] {
    return this.get('/api/1/balance', { assets: currency })['balance'] ?? [];
  }

  /** Returns the id of the oldest account of a currency. */
  account(currency: string): string {
    return String(this.balances(currency)[0]?.['account_id']);
  }

  /** Returns the balance and the reserved amount of the oldest account of a currency. */
  money(currency: string): readonly [balance: string, reserved: string] {
    const [first] = this.balances(currency);
    return [String(first?.['balance']), String(first?.['reserved'])];
  }

  open(currency: string, more: Readonly<Record<string, string>> = {}): string {
    return String(this.post('/api/1/accounts', { currency, name: currency, ...more })['id']);
  }

  rows(accountId: string): readonly Body[] {
    const path = `/api/1/accounts/${accountId}/transactions`;
    return this.get(path, { min_row: '-1000', max_row: '0' })['transactions'] ?? [];
  }
}

export type MoneyExchange = {
  readonly simulator: Simulator;
  readonly desk: MoneyCaller;
  readonly friend: MoneyCaller;
  readonly control: (control: Control) => void;
  readonly restrict: (restriction: Restriction, subject: string) => void;
};

/** Both users have 10 XBT, 10 million ZAR and 100 ETH. */
export function moneyExchange(
  record?: Recorder,
  settings: SimulatorSettings = quietSettings,
): MoneyExchange {
  const keys = [
    createApiKey(deskKey, { userId: 'desk', permissions: allPermissions }),
    createApiKey(friendKey, { userId: 'other', permissions: allPermissions }),
  ];
  const simulator = createSimulator({ settings, seed: 1, timeMicros: startMicros, keys }, record);
  const control = (one: Control): void => simulator.control(one, simulator.timeMicros);
  return {
    simulator,
    desk: new MoneyCaller(new Caller(simulator, deskKey)),
    friend: new MoneyCaller(new Caller(simulator, friendKey)),
    control,
    restrict: (restriction, subject) =>
      control({ kind: 'restrict', restriction, subject, isSet: true }),
  };
}

/** Expects that no invariant of the exchange is broken. */
export function expectInOrder({ simulator }: MoneyExchange): void {
  expect(simulator.faults()).toEqual([]);
}
