/**
 * Random calls of declared operations: parameters that fit, ids that earlier answers gave, values
 * that no operation should take, missing and unknown parameters, wrong bodies, keys of all kinds.
 */
import type { AnyParameter, Operation } from '../../src/venues/luno/api/operation.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import type { KeyName, RawRequest } from './interface-driver.ts';
import { credentialHeaders } from './raw-request.ts';
import type { SeededRandom } from './seeded-random.ts';
import { SeenIds } from './seen-ids.ts';

export type RandomCall = {
  readonly operation: Operation;
  /** Undefined: no credentials at all. */
  readonly key: KeyName | undefined;
  readonly request: RawRequest;
  /** The texts of the parameters as they were meant to be sent, the first of each name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Whether the body is one that the operation can read. */
  readonly isReadable: boolean;
};

const allNames = Object.keys(operations) as OperationName[];
const addresses = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  'jane@example.com',
];
/** Texts that no operation has a good use for. */
const hostile = [
  ...['', ' ', '0', '00', '-0', '-1', '+1', '1e-8', '1E400', '0x10', '1_000', '.5', '1.', 'NaN'],
  ...['Infinity', 'null', 'undefined', 'true', '[object Object]', '١٢', '１２', '1,5', 'a b', 'é'],
  ...['🚀', '\u0000', '\ud800', '../../etc', '%2e%2e', "' OR 1=1", '__proto__', 'constructor'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '9'.repeat(40)],
  ...[`0.${'1'.repeat(19)}`, 'x'.repeat(256), 'x'.repeat(5000), '999999999999.999999999999999999'],
];
const amounts = [
  ...['0.0005', '0.001', '0.01', '0.1', '1', '2.5', '100', '1000', '5000', '999000', '1000000'],
  ...['1001000', '0', '0.00', '0.000000000000000001', '100000000', '0.123456', '0.1234567'],
];
const textsByName: Readonly<Record<string, readonly string[]>> = {
  pair: ['XBTZAR', 'XBTZAR', 'ETHXBT', 'ZARXBT', 'XBTEUR', 'NOPE'],
  marketId: ['XBTZAR', 'ETHXBT', 'NOPE'],
  currency: ['XBT', 'ZAR', 'ETH', 'XRP', 'USDC', 'ZARU', 'EUR', 'ABC'],
  asset: ['XBT', 'ETH', 'XRP', 'USDC', 'ZAR'],
  assets: ['XBT', 'ZAR', 'XBT,ETH'],
  account_type: ['TRANSACTIONAL', 'SPOT', 'Savings', 'STAKING', 'Current/Cheque'],
  type: ['ZAR_EFT', 'NGN_EFT', 'BID', 'SELL', 'send'],
  address: addresses,
  bank_name: ['FIRNZAJJ', 'SBZAZAJJ', 'bank'],
  bank_recipient: ['Jane Doe', 'Jane*', '*Doe', '*'],
  bank_account_number: ['62000000001', '123', '000000'],
  accountNumber: ['62000000001', '123'],
  swiftCode: ['FIRNZAJJ', 'NOPE'],
  branchCode: ['250655', '1'],
  country: ['ZA', 'NG', 'XX'],
  nationality: ['ZA', 'GB'],
  network: ['0', '1', '5'],
  networkId: ['0', '1', '5'],
  date_of_birth: ['1980-02-29', '1981-02-29'],
  min_row: ['1', '-10', '-100'],
  max_row: ['0', '50', '1001', '1002'],
  code: ['c', 'granted'],
};
/** What a caller who knows the exchange sends. */
const goodTexts: Readonly<Record<string, readonly string[]>> = {
  pair: ['XBTZAR', 'XBTZAR', 'XBTZAR', 'ETHXBT'],
  price: ['999000', '1000000', '1001000'],
  volume: ['0.001', '0.01', '0.1'],
  base_volume: ['0.001', '0.01'],
  counter_volume: ['1000', '5000'],
  base_amount: ['0.001', '0.01'],
  amount: ['0.001', '0.01', '1', '100', '500'],
  currency: ['XBT', 'ETH', 'ZAR'],
  asset: ['XBT', 'ETH', 'XRP', 'USDC'],
  bank_name: ['FIRNZAJJ'],
  bank_account_number: ['62000000001', '62000000002'],
  accountNumber: ['62000000003'],
  swiftCode: ['FIRNZAJJ'],
  network: ['0', '1'],
  time_in_force: ['GTC', 'IOC'],
};
const freeTexts = ['a', 'rent', 'one-1', 'two_2', 'x;y,z.', 'Jane', 'memo'];

type Wanted = {
  readonly operation: Operation;
  readonly name: string;
  readonly parameter: AnyParameter;
  readonly isWellMeant: boolean;
  readonly nowMicros: number;
};

export class RandomCalls {
  readonly #random: SeededRandom;
  readonly #names: readonly OperationName[];
  readonly #changing: readonly OperationName[];
  readonly #ids: SeenIds;

  constructor(random: SeededRandom, names: readonly OperationName[] = allNames) {
    this.#random = random;
    this.#names = names;
    this.#changing = names.filter((name) => operations[name].method !== 'GET');
    this.#ids = new SeenIds(random);
  }

  next(nowMicros: number): RandomCall {
    const random = this.#random;
    const names = random.fraction() < 0.3 ? this.#changing : this.#names;
    const operation: Operation = operations[random.pick(names)];
    const pairs: [string, string][] = [];
    const texts: Record<string, string> = {};
    let path = random.fraction() < 0.1 ? random.pick(pathsOf(operation)) : operation.path;
    // Most calls mean well, or few would get past the first check.
    const isWellMeant = random.fraction() < 0.6;
    for (const [name, parameter] of Object.entries(operation.parameters)) {
      if (this.#isLeftOut(parameter, isWellMeant)) continue;
      const wanted = { operation, name, parameter, isWellMeant, nowMicros };
      const text = this.#textFor(wanted);
      texts[name] = text;
      if (parameter.in === 'path') path = path.replace(`:${name}`, encode(text));
      else pairs.push([random.fraction() < 0.05 ? `${name}[0]` : name, text]);
      if (parameter.repeated && random.fraction() < 0.3) pairs.push([name, this.#textFor(wanted)]);
    }
    if (random.fraction() < 0.03) pairs.push(['unknown', random.pick(hostile)]);
    const key = this.#key();
    const placed = this.#place(operation, path, pairs);
    const headers = { ...placed.headers, ...credentialHeaders(operation, key, placed, nowMicros) };
    const { isReadable, ...rest } = placed;
    return { operation, key, request: { ...rest, headers }, texts, isReadable };
  }

  /** Remembers the ids of an answer. */
  learn(operation: Operation, value: unknown): void {
    this.#ids.learn(operation, value);
  }

  #isLeftOut(parameter: AnyParameter, isWellMeant: boolean): boolean {
    if (parameter.in === 'path') return false;
    if (parameter.required) return !isWellMeant && this.#random.fraction() < 0.05;
    return this.#random.fraction() < (isWellMeant ? 0.8 : 0.5);
  }

  #textFor({ operation, name, parameter, isWellMeant, nowMicros }: Wanted): string {
    const random = this.#random;
    const { schema } = parameter;
    if (!isWellMeant && random.fraction() < 0.15) return random.pick(hostile);
    if (name === 'type' && operation.name === 'createWithdrawal' && isWellMeant) return 'ZAR_EFT';
    if (Array.isArray(schema['enum']) && !(isWellMeant && name in goodTexts))
      return String(random.pick(schema['enum']));
    const known = (isWellMeant ? goodTexts[name] : undefined) ?? textsByName[name];
    const id = /(?:^|_)id$|Id$/u.test(name)
      ? this.#ids.pick(operation, name, isWellMeant)
      : undefined;
    if (id !== undefined && random.fraction() < 0.9) return id;
    if (known !== undefined) return random.pick(known);
    if (schema['format'] === 'amount' || name === 'amount') return random.pick(amounts);
    if (schema['type'] === 'boolean') return random.pick(['true', 'false', 'True', '1', '0']);
    if (/since|before|timestamp|from|to$/u.test(name) && random.fraction() < 0.8)
      return String(Math.floor(nowMicros / 1000) + random.integer(-100_000, 1000));
    if (schema['type'] === 'integer') return String(this.#integer(schema));
    if (schema['format'] === 'int64') return String(random.integer(0, 9));
    return random.pick(freeTexts);
  }

  #integer(schema: AnyParameter['schema']): number {
    const least = schema['minimum'] as number;
    const most = schema['maximum'] as number;
    const random = this.#random;
    return random.pick([least, most, least - 1, most + 1, random.integer(least, least + 20)]);
  }

  #key(): KeyName | undefined {
    const share = this.#random.fraction();
    if (share < 0.75) return 'desk';
    if (share < 0.95) return 'other';
    if (share < 0.98) return 'nothing';
    if (share < 0.985) return undefined;
    return this.#random.pick(['stranger', 'wrong-secret'] as const);
  }

  #place(operation: Operation, path: string, pairs: readonly [string, string][]) {
    const { method } = operation;
    const random = this.#random;
    const form = new URLSearchParams(pairs as [string, string][]).toString();
    if (method === 'GET')
      return { method, url: form === '' ? path : `${path}?${form}`, headers: {}, isReadable: true };
    if (operation.encoding === 'json') {
      const isBroken = random.fraction() < 0.03;
      const body = isBroken ? random.pick(brokenJson) : this.#jsonOf(operation, pairs);
      const headers = { 'content-type': 'application/json' };
      return { method, url: path, headers, body, isReadable: !isBroken };
    }
    // Real clients use the query of a POST too.
    if (random.fraction() < 0.1)
      return { method, url: `${path}?${form}`, headers: {}, isReadable: true };
    const isForm = random.fraction() > 0.02;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const isReadable = isForm || form === '';
    return { method, url: path, headers: { 'content-type': type }, body: form, isReadable };
  }

  #jsonOf(operation: Operation, pairs: readonly (readonly [string, string])[]): string {
    const members = pairs.map(([name, text]) => {
      const isFlag = operation.parameters[name]?.schema['type'] === 'boolean';
      if (isFlag && this.#random.fraction() < 0.9) return [name, text.toLowerCase() === 'true'];
      if (this.#random.fraction() < 0.02) return [name, this.#random.pick(oddMembers)];
      return [name, text];
    });
    return JSON.stringify(Object.fromEntries(members));
  }
}

const brokenJson = ['', '{', '[]', 'null', '"text"', '{"a":1}{', '{"amount":NaN}', '1'];
const oddMembers = [null, 0, -1, 1.5, [], {}, ['x'], { a: 1 }, true];

function pathsOf(operation: Operation): readonly string[] {
  return [operation.path, ...operation.aliases];
}

/** encodeURIComponent refuses half of a surrogate pair; an empty part would be another path. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || '%20';
}
