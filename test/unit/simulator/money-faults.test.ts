/**
 * The faults of moves, sends, withdrawals and addresses are found: each is planted in the snapshot
 * of an exchange that is in order.
 */
import { deserialize, serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { ExchangeState } from '../../../src/simulator/core/exchange-state.ts';
import { restoreSimulator } from '../../../src/simulator/world/simulator.ts';
import { bitcoinAddress, moneyExchange } from '../../support/money-exchange.ts';

/** An exchange with a move, a send, a withdrawal and a deposit on their way. */
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

test('without a plant there is no fault', () => {
  expect(faultsWith(() => {})).toEqual([]);
});

describe('is a fault', () => {
  test.each<[string, RegExp, (state: ExchangeState) => void]>([
    [
      'a move that forgot its reservation',
      /not what is reserved/u,
      ({ money }) => {
        first(money.moves).status = 'FAILED';
      },
    ],
    [
      'a send that forgot its reservation',
      /not what is reserved/u,
      ({ money }) => {
        first(money.sends).status = 'COMPLETED';
      },
    ],
    [
      'a withdrawal that forgot its reservation',
      /not what is reserved/u,
      ({ money }) => {
        first(money.withdrawals).status = 'CANCELLED';
      },
    ],
    [
      'a move that nobody goes on with',
      /move \d+ is MOVING/u,
      ({ agenda }) => {
        agenda.splice(
          agenda.findIndex(({ kind }) => kind === 'move'),
          1,
        );
      },
    ],
    [
      'a send that nobody goes on with',
      /send \d+ is PENDING/u,
      ({ agenda }) => {
        agenda.splice(
          agenda.findIndex(({ kind }) => kind === 'send'),
          1,
        );
      },
    ],
    [
      'a withdrawal that nobody goes on with',
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
      /too late on the agenda/u,
      ({ agenda }) => {
        agenda.reverse();
      },
    ],
    [
      'an agenda that is overdue',
      /overdue/u,
      ({ agenda }) => {
        for (const entry of agenda) entry.micros = 0;
      },
    ],
    [
      'money received that never arrived',
      /more than arrived/u,
      ({ money }) => {
        first(money.addresses).totalReceived = 1n;
      },
    ],
    [
      'money out of nowhere',
      /deposited were/u,
      ({ deposited }) => {
        deposited.set('XBT', 0n);
      },
    ],
  ])('%s', (_, fault, plant) => {
    expect(faultsWith(plant).join('\n')).toMatch(fault);
  });
});
