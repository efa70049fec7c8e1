/**
 * Random scripts of two users who open accounts, convert, move, send, withdraw and receive while an
 * operator interferes: no invariant breaks after any step, no answer is a failure of the exchange
 * itself, a replay of the log leads to the same state, and the size of time steps does not matter.
 *
 * `faults` is the oracle: it recomputes the sums of rows, reservations and deposits.
 */

import { deserialize } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf } from '../../../src/domain/amount.ts';
import {
  restoreSimulator,
  type Simulator,
} from '../../../src/venues/luno/simulator/world/simulator.ts';
import type { Command, Control } from '../../../src/venues/luno/simulator/world/world-command.ts';
import {
  bitcoinAddress,
  ethereumAddress,
  type MoneyCaller,
  type MoneyExchange,
  moneyExchange,
} from '../../support/money-exchange.ts';

const amount = fc.constantFrom('0', '0.00000001', '0.5', '3', '12.34', '5000', '9000000', '1e3');
const currency = fc.constantFrom('XBT', 'ETH', 'ZAR', 'ZARU', 'USDT', 'XRP', 'QQQ');
const name = fc.constantFrom('', 'a', 'b', 'c');
const pick = fc.nat(5);

const step = fc.record({
  who: fc.nat(1),
  waitMs: fc.constantFrom(0, 50, 400, 3_000, 70_000),
  action: fc.oneof(
    fc.record({ kind: fc.constant('open' as const), currency, spot: fc.boolean() }),
    fc.record({ kind: fc.constant('convert' as const), amount, from: pick, to: pick, name }),
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        amount,
        from: pick,
        to: pick,
        name,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('send' as const),
        amount,
        currency: fc.constantFrom('XBT', 'XBT', 'ETH', 'USDT', 'QQQ'),
        name,
        target: fc.constantFrom(bitcoinAddress, ethereumAddress, 'own', 'jane@example.com', 'a b'),
      }),
    },
    fc.record({ kind: fc.constant('bank' as const), branch: fc.constantFrom('', '12', '123') }),
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('withdraw' as const),
        amount,
        name,
        fast: fc.boolean(),
        pick,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(1) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('address' as const), currency }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('arrive' as const),
        amount,
        pick: fc.nat(1),
        held: fc.boolean(),
      }),
    },
    fc.record({ kind: fc.constant('drop' as const), pick }),
    fc.record({ kind: fc.constant('email' as const) }),
    fc.record({ kind: fc.constant('drain' as const), pick }),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Script {
  readonly exchange: MoneyExchange;
  readonly commands: Command[] = [];
  readonly genesis: Uint8Array;
  readonly #addresses: string[] = [];
  readonly #withdrawals: { readonly id: string; readonly caller: MoneyCaller }[] = [];

  constructor() {
    this.exchange = moneyExchange((command) => this.commands.push(command));
    for (const caller of [this.exchange.desk, this.exchange.friend])
      for (const one of ['ZAR', 'ZARU', 'USDT']) caller.open(one);
    for (const who of [0, 1]) this.run({ who, waitMs: 0, action: { kind: 'bank', branch: '' } });
    this.genesis = this.exchange.simulator.snapshot();
    this.commands.length = 0;
  }

  run({ who, waitMs, action }: Step): void {
    const { desk, friend } = this.exchange;
    const caller = who === 0 ? desk : friend;
    desk.wait(waitMs);
    friend.wait(waitMs);
    const answer = this.#do(caller, action);
    if (answer !== undefined) expect(answer['error_code']).not.toBe('ErrInternal');
  }

  #do(caller: MoneyCaller, action: Step['action']) {
    switch (action.kind) {
      case 'open':
        return caller.post('/api/1/accounts', {
          currency: action.currency,
          name: 'x',
          ...(action.spot ? { account_type: 'SPOT' } : {}),
        });
      case 'convert':
        return caller.post('/api/exchange/1/convert', {
          amount: action.amount,
          source_account_id: this.#account(caller, action.from, /^ZARU?$/u),
          target_account_id: this.#account(caller, action.to, /^ZARU?$/u),
          idempotency_key: action.name,
        });
      case 'move':
        return caller.post('/api/exchange/1/move', {
          amount: action.amount,
          debit_account_id: this.#account(caller, action.from, /^(?:ZAR|XBT)$/u),
          credit_account_id: this.#account(caller, action.to, /^(?:ZAR|XBT)$/u),
          client_move_id: action.name,
        });
      case 'send':
        return caller.post('/api/1/send', {
          amount: action.amount,
          currency: action.currency,
          external_id: action.name,
          address: action.target === 'own' ? (this.#addresses[0] ?? '') : action.target,
        });
      case 'bank':
        return caller.post('/api/1/beneficiaries', {
          bank_name: `FIRNZAJJ${action.branch}`,
          bank_account_number: '6200001',
          account_type: 'Savings',
          bank_recipient: 'Jane',
        });
      case 'withdraw': {
        const banks = caller.get('/api/1/beneficiaries')['beneficiaries'] ?? [];
        const answer = caller.post('/api/1/withdrawals', {
          type: 'ZAR_EFT',
          amount: action.amount,
          external_id: action.name,
          fast: String(action.fast),
          beneficiary_id: String(banks[action.pick % banks.length]?.['id']),
        });
        if (answer['error_code'] === undefined)
          this.#withdrawals.push({ id: String(answer['id']), caller });
        return answer;
      }
      case 'cancel': {
        const one = this.#withdrawals.at(-1 - action.pick);
        return (one?.caller ?? caller).call('DELETE', `/api/1/withdrawals/${one?.id ?? '1'}`);
      }
      case 'address': {
        const answer = caller.post('/api/1/funding_address', { asset: action.currency });
        if (answer['error_code'] === undefined) this.#addresses.push(String(answer['address']));
        return answer;
      }
      default:
        return this.#control(action);
    }
  }

  #control(action: Step['action']): undefined {
    const control = (one: Control) => this.exchange.control(one);
    const address = 'pick' in action ? this.#addresses[action.pick] : undefined;
    if (action.kind === 'email')
      control({ kind: 'set-email', userId: 'other', email: 'jane@example.com' });
    else if (action.kind === 'drain') {
      // Withdraws the available balance, so that payments in progress may find nothing.
      const accounts = this.exchange.simulator.truth('desk').accounts;
      const account = accounts[action.pick % accounts.length];
      const available = amountOf(account?.balance ?? '0') - amountOf(account?.reserved ?? '0');
      if (account !== undefined && available >= 10n ** 18n)
        control({ kind: 'deposit', accountId: account.id, amount: `-${available / 10n ** 18n}` });
    } else if (address !== undefined && action.kind === 'drop')
      control({ kind: 'drop-crypto-deposits', address });
    else if (
      address !== undefined &&
      action.kind === 'arrive' &&
      /^(?!0$)[\d.]+$/u.test(action.amount)
    )
      control({
        kind: 'crypto-deposit',
        address,
        amount: action.amount,
        isQuarantined: action.held,
      });
    return undefined;
  }

  /** Returns the id of one of the user's accounts of these currencies, without a call. */
  #account(caller: MoneyCaller, index: number, currencies: RegExp): string {
    const userId = caller === this.exchange.desk ? 'desk' : 'other';
    const accounts = this.exchange.simulator
      .truth(userId)
      .accounts.filter((one) => currencies.test(one.currency));
    return accounts[index % accounts.length]?.id ?? '1';
  }
}

function moneyOf(simulator: Simulator): unknown {
  return ['desk', 'other'].map((userId) => simulator.truth(userId).accounts);
}

const seed = { seed: 20_261_120 };

test('no invariant breaks after any step, and in the end nothing is in progress', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const script = new Script();
      const { simulator, desk } = script.exchange;
      for (const one of steps) {
        script.run(one);
        expect(simulator.faults()).toEqual([]);
      }
      simulator.advance(desk.timeMicros + 600_000_000);
      expect(simulator.faults()).toEqual([]);
    }),
    { ...seed, numRuns: 150 },
  );
});

test('a replay of the log leads to the same exchange', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const script = new Script();
      for (const one of steps) script.run(one);
      const { simulator } = script.exchange;
      const again = restoreSimulator(script.genesis);
      for (const command of script.commands)
        again.replay(JSON.parse(JSON.stringify(command)) as Command);
      again.finishReplay();
      simulator.advance(again.timeMicros);
      expect(moneyOf(again)).toEqual(moneyOf(simulator));
      expect(deserialize(again.snapshot())).toEqual(deserialize(simulator.snapshot()));
    }),
    { ...seed, numRuns: 60 },
  );
});

test('scheduled actions are the same whether time advances in one step or in many', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 20 }),
      fc.array(fc.nat(200_000_000), { maxLength: 20 }),
      (steps, cuts) => {
        const [once, often] = [new Script(), new Script()];
        for (const one of steps) {
          once.run(one);
          often.run(one);
        }
        const start = once.exchange.simulator.timeMicros;
        for (const cut of [...cuts].sort((a, b) => a - b))
          often.exchange.simulator.advance(start + cut);
        for (const { exchange } of [once, often]) exchange.simulator.advance(start + 300_000_000);
        expect(moneyOf(often.exchange.simulator)).toEqual(moneyOf(once.exchange.simulator));
      },
    ),
    { ...seed, numRuns: 60 },
  );
});

test('the scripts reach every kind of action, so that the properties above are tested', () => {
  const reached = new Map<string, number>();
  for (const steps of fc.sample(fc.array(step, { minLength: 30, maxLength: 40 }), {
    ...seed,
    numRuns: 100,
  })) {
    const script = new Script();
    for (const one of steps) script.run(one);
    for (const command of script.commands) {
      const what = command.kind === 'call' ? command.operation : command.kind;
      reached.set(what, (reached.get(what) ?? 0) + 1);
    }
  }
  for (const what of [
    ...['createAccount', 'convert', 'createMove', 'send', 'createBeneficiary'],
    ...['createWithdrawal', 'cancelWithdrawal', 'createReceiveAddress', 'crypto-deposit'],
    ...['drop-crypto-deposits', 'set-email', 'deposit'],
  ])
    expect(reached.get(what) ?? 0, what).toBeGreaterThan(10);
});
