/**
 * The wallet API answers every request with a documented answer, and no invariant of the money
 * breaks.
 *
 * Method: signed requests to every wallet operation with valid, nearly valid and invalid members;
 * time advances between them. After each: no status of 500 or more, and either an error record with
 * a documented code or a body that the operation declares. At the end of each run: no broken
 * invariant, and a replay of the log leads to the same exchange.
 */
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/venues/luno/api/operation.ts';
import { walletErrorCodes } from '../../../src/venues/luno/api/wallet/error-names.ts';
import { walletOperations } from '../../../src/venues/luno/api/wallet/wallet-operations.ts';
import { parseWireJson } from '../../../src/venues/luno/api/wire-json.ts';
import { restoreSimulator } from '../../../src/venues/luno/simulator/world/simulator.ts';
import type { Command } from '../../../src/venues/luno/simulator/world/world-command.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { quietSettings, second } from '../../support/simulated-exchange.ts';
import {
  deskWallets,
  friendKey,
  friendWallets,
  WalletCaller,
  walletKey,
  walletSettings,
  walletSimulator,
} from '../../support/wallet-caller.ts';

const runCount = 20;
const callsPerRun = 300;
const seed = 20_261_120;

const settings = { ...walletSettings, markets: quietSettings.markets };
const operations: readonly Operation[] = Object.values(walletOperations) as readonly Operation[];

const odd: readonly unknown[] = [
  ...['', ' ', '0', '-0', '-1', '1e3', '0x1', '.5', '1.', 'null', '__proto__', '../x', '\u0000'],
  ...['\ud800', '١', '9'.repeat(40), `0.${'0'.repeat(18)}1`, 'a'.repeat(5000), '🚀'],
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, [], {}, [[]], ['1'], { amount: '1' }],
];

/** Values that may be valid, by name of the parameter. */
const fitting: Readonly<Record<string, readonly unknown[]>> = {
  amount: ['0', '0.5', '1', '3.25', '20', '100', '999999999999.999999999999999999'],
  currency: ['XBT', 'ETH', 'XRP', 'USDC', 'LTC', 'ZAR', 'EUR'],
  name: ['Savings', 'ü', 'a'.repeat(100)],
  address: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    'jane@example.com',
  ],
  networkId: ['0', '1', '3', '99'],
  destinationTag: ['0', '7', '4294967296'],
  type: ['ZAR_EFT', 'NAD_EFT', 'GBP'],
  accountNumber: ['62000000001'],
  accountType: ['CURRENT/CHEQUE', 'SAVINGS', 'MOBILE_MONEY'],
  accountHolder: ['A Person'],
  swiftCode: ['FIRNZAJJ', 'NOPE'],
  branchCode: ['250655'],
  country: ['ZA', 'NA'],
  marketId: ['XBTZAR', 'NOPE'],
  duration: ['1m', '24h', '7d', '2h'],
  from: ['1795176000000', '1356998400000', '0'],
  to: ['1795176010000', '4102444800000', '0'],
  pageIndex: ['0', '1', '100'],
  pageSize: ['1', '7', '1000'],
};

class Story {
  readonly #random: SeededRandom;
  /** Ids of earlier answers, so that later requests find something. */
  readonly #ids: string[] = [...Object.values(deskWallets), ...Object.values(friendWallets)];
  /** Wallets of one currency, so that money can be moved between them. */
  readonly #wallets: string[] = [deskWallets.XBT];

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  next(): { operation: Operation; target: string; body: string; isForm: boolean } {
    const random = this.#random;
    const operation = random.pick(operations);
    const values: Record<string, unknown> = {};
    for (const [name, parameter] of Object.entries(operation.parameters))
      if (random.fraction() < (parameter.required ? 0.97 : 0.4)) values[name] = this.#value(name);
    let path = operation.path;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
      if (operation.parameters[name]?.in === 'path') {
        const text = String(value).toWellFormed();
        path = path.replace(`:${name}`, encodeURIComponent(text) || '%20');
      } else if (operation.method === 'GET') query.append(name, String(value));
    }
    const isWrite = operation.method !== 'GET';
    const body = isWrite ? this.#bodyOf(values) : '';
    const target = query.size === 0 ? path : `${path}?${query}`;
    return { operation, target, body, isForm: isWrite && random.fraction() < 0.02 };
  }

  learn(answer: unknown): void {
    if (Array.isArray(answer)) for (const one of answer.slice(0, 3)) this.learn(one);
    else if (typeof answer === 'object' && answer !== null)
      for (const [name, value] of Object.entries(answer)) {
        if (typeof value === 'object') this.learn(value);
        else if (name === 'isDefault') this.#learnWallet({ ...answer });
        else if (/^id$|Id$/u.test(name))
          this.#ids[this.#random.integer(0, this.#ids.length)] = String(value);
      }
  }

  #learnWallet(wallet: object & { id?: unknown; currency?: unknown }): void {
    if (wallet.currency === 'XBT') this.#wallets.push(String(wallet.id));
  }

  #value(name: string): unknown {
    const random = this.#random;
    if (random.fraction() < 0.05) return random.pick(odd);
    const known = fitting[name];
    if (known !== undefined) return random.pick(known);
    if (/alletId$/u.test(name) && random.fraction() < 0.7) return random.pick(this.#wallets);
    if (/Id$/u.test(name) && random.fraction() < 0.8) return random.pick(this.#ids);
    if (/^fast$|^isForex$|Declaration$/u.test(name)) return random.fraction() < 0.5;
    return `free-${random.integer(0, 9)}`;
  }

  #bodyOf(values: Readonly<Record<string, unknown>>): string {
    if (this.#random.fraction() < 0.03)
      return this.#random.pick(['', '{', '[]', 'null', '1', '"a"', '{"amount":1e999}', '[{}]']);
    return JSON.stringify(values);
  }
}

test(`${runCount * callsPerRun} random requests, seed ${seed}`, () => {
  const seen = new Set<string>();
  for (let run = 0; run < runCount; run++) {
    const random = new SeededRandom(seed + run);
    const story = new Story(random);
    const commands: Command[] = [];
    const simulator = walletSimulator(settings, (command) => {
      commands.push(structuredClone(command));
    });
    const desk = new WalletCaller(simulator);
    const friend = new WalletCaller(simulator, friendKey);
    simulator.control(
      { kind: 'delegate', keyId: walletKey.id, ownerUserId: 'friend', permissions: 2 ** 17 - 1 },
      desk.timeMicros,
    );
    const deposit = { kind: 'fiat-deposit', accountId: deskWallets.ZAR, amount: '99.5' } as const;
    simulator.control({ ...deposit, status: run % 2 === 0 ? 'SETTLED' : 'FAILED' }, 0);
    for (let call = 0; call < callsPerRun; call++) {
      desk.timeMicros += random.integer(0, 3) * second;
      friend.timeMicros = desk.timeMicros;
      const { operation, target, body, isForm } = story.next();
      const caller = random.fraction() < 0.8 ? desk : friend;
      const isDelegated = caller === desk && random.fraction() < 0.1;
      const response = caller.send({
        method: operation.method,
        target,
        body,
        ...(isForm ? { bodyKind: 'form' as const } : {}),
        ...(isDelegated ? { accountId: friendWallets.XBT } : {}),
      });
      const told = `run ${run}, call ${call}: ${operation.method} ${target} ${body}`;
      expect(response.status, told).toBeLessThan(500);
      if (response.body === undefined) {
        // A path parameter that changes the path.
        expect(response.status, told).toBe(404);
        continue;
      }
      const answer = parseWireJson(response.body);
      if (response.status === 200) {
        seen.add(operation.name);
        expect(operation.response.safeParse(answer).success, told).toBe(true);
        story.learn(answer);
      } else {
        const { errorCode, ...rest } = answer as { errorCode: string };
        seen.add(errorCode);
        expect(walletErrorCodes, told).toContain(errorCode);
        expect(Object.keys(rest), told).toEqual(['message']);
      }
    }
    expect(simulator.faults(), `run ${run}`).toEqual([]);
    const replayed = walletSimulator(settings);
    for (const command of commands) replayed.replay(command);
    replayed.advance(simulator.timeMicros);
    const restored = restoreSimulator(simulator.snapshot());
    for (const user of ['desk', 'friend'])
      for (const copy of [replayed, restored])
        expect(copy.truth(user), `run ${run}`).toEqual(simulator.truth(user));
    const deposits = [simulator, replayed, restored].map((one) =>
      new WalletCaller(one, walletKey, desk.timeMicros + 60 * second).get('/fiat_deposits'),
    );
    expect(deposits[0]?.['deposits'], `run ${run}`).toHaveLength(1);
    expect(deposits, `run ${run}`).toEqual([deposits[0], deposits[0], deposits[0]]);
  }
  // The runs must reach enough operations to prove anything.
  for (const { name } of operations) expect(seen).toContain(name);
  for (const code of ['ErrInsufficientBalance', 'ErrNotFound', 'ErrInvalidArguments'])
    expect(seen).toContain(code);
});
