/** Steps that scenarios of operations are made of; each throws if the exchange refuses. */
import type { ParametersOf, ResponseOf } from '../../src/venues/luno/api/operation.ts';
import type { OperationName, Operations } from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import type { Restriction } from '../../src/venues/luno/simulator/core/restrictions.ts';
import type { SimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import type { CallOptions, Driver } from './interface-driver.ts';
import { quietSettings } from './simulated-exchange.ts';

/** Calls and returns the decoded answer; throws for any other reply. */
export async function done<Name extends OperationName>(
  driver: Driver,
  name: Name,
  parameters: ParametersOf<Operations[Name]>,
  options?: CallOptions,
): Promise<ResponseOf<Operations[Name]>> {
  const reply = await driver.call(name, parameters, options);
  if (reply.kind === 'ok') return reply.body as ResponseOf<Operations[Name]>;
  throw new Error(`${name} ${JSON.stringify(parameters)} gave ${textOf(reply)}`);
}

/** A reply in few words. */
export function textOf(reply: Reply): string {
  if (reply.kind === 'ok') return 'ok';
  return reply.kind === 'refused' ? `${reply.code} (${reply.message})` : reply.reason;
}

const deposits = { XBT: '10', ZAR: '10000000', ETH: '100', ZARU: '5000', XRP: '1000', USDC: '500' };

/** Two users with money in six currencies, and markets where nobody else trades. */
export const scenarioSettings: SimulatorSettings = {
  ...quietSettings,
  users: quietSettings.users.map((user) => ({ ...user, deposits })),
};

/** Returns the id of the user's first account of the currency. */
export async function accountOf(
  driver: Driver,
  currency: string,
  options?: CallOptions,
): Promise<string> {
  const { balance } = await done(driver, 'balance', { assets: [currency] }, options);
  const id = balance[0]?.account_id;
  if (id === undefined) throw new Error(`there is no account of ${currency}`);
  return id;
}

export async function openAccount(
  driver: Driver,
  currency: 'ZAR' | 'XBT' | 'ETH',
  type: 'TRANSACTIONAL' | 'SPOT' = 'TRANSACTIONAL',
): Promise<string> {
  const parameters = { currency, name: `second ${currency}`, account_type: type };
  return (await done(driver, 'createAccount', parameters)).id;
}

/** Places a limit order of `desk` in XBTZAR that rests, and returns its id. */
export async function rest(driver: Driver, more: Readonly<Record<string, string>> = {}) {
  const order = { pair: 'XBTZAR', type: 'BID', price: '900000', volume: '0.01' } as const;
  return (await done(driver, 'postorder', { ...order, ...more })).order_id;
}

/** Lets `other` offer and `desk` take `volume` XBT at a million, and returns desk's order. */
export async function trade(driver: Driver, volume = '0.01'): Promise<string> {
  const order = { pair: 'XBTZAR', price: '1000000', volume };
  await done(driver, 'postorder', { ...order, type: 'ASK' }, { key: 'other' });
  return (await done(driver, 'postorder', { ...order, type: 'BID' })).order_id;
}

/** Lets `other` offer and ask for XBT around a million, so that there is a market. */
export async function quoteMarket(driver: Driver): Promise<void> {
  const order = { pair: 'XBTZAR', volume: '1' };
  await done(driver, 'postorder', { ...order, type: 'BID', price: '999000' }, { key: 'other' });
  await done(driver, 'postorder', { ...order, type: 'ASK', price: '1001000' }, { key: 'other' });
}

/** Adds a South African bank account of `desk` and returns its id. */
export async function addBeneficiary(driver: Driver, number = '62000000001'): Promise<string> {
  const parameters = {
    bank_name: 'FIRNZAJJ',
    bank_account_number: number,
    account_type: 'Savings',
    bank_recipient: 'Jane Doe',
  } as const;
  return (await done(driver, 'createBeneficiary', parameters)).id;
}

/** Sets a state of the world. */
export function restrict(restriction: Restriction, subject: string) {
  return { kind: 'restrict', restriction, subject, isSet: true } as const;
}
