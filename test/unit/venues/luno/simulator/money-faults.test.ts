/**
 * Faults in moves, sends, withdrawals and addresses are detected. Each is planted in the snapshot
 * of a consistent exchange.
 */
import { deserialize, serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { ExchangeState } from '../../../../../src/venues/luno/simulator/core/exchange-state.ts';
import { restoreSimulator } from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import { bitcoinAddress, moneyExchange } from '../../../../support/money-exchange.ts';

/** An exchange with a move, a send, a withdrawal and a deposit in progress. */
function snapshot(): Uint8Array {
  const { desk, control, simulator } = moneyExchange();
  const zar = desk.account('ZAR');
  const second = desk.open('ZAR');
  desk.post('/api/1/beneficiaries', {
    bank_name: 'FIRNZAJJ',
    bank_account_number: '62000000001',
    account_type: 'Savings',
    bank_recipient: 'Jane',
  });
  const { address } = desk.post('/api/1/funding_address', { asset: 'XBT' });
  control({ kind: 'crypto-deposit', address: String(address), amount: '1' });
  desk.post('/api/1/withdrawals', { type: 'ZAR_EFT', amount: '100' });
  desk.post('/api/1/send', { amount: '1', currency: 'XBT', address: bitcoinAddress });
  desk.post('/api/exchange/1/move', {
    amount: '5',
    debit_account_id: zar,
    credit_account_id: second,
  });
  simulator.advance(desk.timeMicros + 200_000);
  return simulator.snapshot();
}

function faultsWith(plant: (state: ExchangeState) => void): readonly string[] {
  const stored = deserialize(snapshot()) as { readonly state: ExchangeState };
  plant(stored.state);
  return restoreSimulator(serialize(stored)).faults();
}

const first = <V>(values: ReadonlyMap<string, V>): V => [...values.values()][0] as V;

test('without a planted fault none is reported', () => {
  expect(faultsWith(() => {})).toEqual([]);
});

describe('is reported as a fault:', () => {
  test.each<[string, RegExp, (state: ExchangeState) => void]>([
    [
      'a failed move whose reservation remains',
      /but the account reserves/u,
      ({ money }) => {
        first(money.moves).status = 'FAILED';
      },
    ],
    [
      'a completed send whose reservation remains',
      /but the account reserves/u,
      ({ money }) => {
        first(money.sends).status = 'COMPLETED';
      },
    ],
    [
      'a cancelled withdrawal whose reservation remains',
      /but the account reserves/u,
      ({ money }) => {
        first(money.withdrawals).status = 'CANCELLED';
      },
    ],
    [
      'a move that is not on the agenda',
      /move \d+ is MOVING/u,
      ({ agenda }) => {
        agenda.splice(
          agenda.findIndex(({ kind }) => kind === 'move'),
          1,
        );
      },
    ],
    [
      'a send that is not on the agenda',
      /send \d+ is PENDING/u,
      ({ agenda }) => {
        agenda.splice(
          agenda.findIndex(({ kind }) => kind === 'send'),
          1,
        );
      },
    ],
    [
      'a withdrawal that is not on the agenda',
      /withdrawal \d+ is PENDING/u,
      ({ agenda }) => {
        agenda.splice(
          agenda.findIndex(({ kind }) => kind === 'withdrawal'),
          1,
        );
      },
    ],
    [
      'an agenda out of order',
      /out of order on the agenda/u,
      ({ agenda }) => {
        agenda.reverse();
      },
    ],
    [
      'an overdue agenda',
      /overdue/u,
      ({ agenda }) => {
        for (const entry of agenda) entry.micros = 0;
      },
    ],
    [
      'an address with more money than was transferred',
      /more than its inbound transfers/u,
      ({ money }) => {
        first(money.addresses).totalReceived = 1n;
      },
    ],
    [
      'balances without deposits',
      /but net deposits are/u,
      ({ deposited }) => {
        deposited.set('XBT', 0n);
      },
    ],
  ])('%s', (_, fault, plant) => {
    expect(faultsWith(plant).join('\n')).toMatch(fault);
  });
});
