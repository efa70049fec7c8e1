/**
 * What a user can see of the accounts, added up again: rows are dense from 1, running balances are
 * sums, the last row is the balance, and what is reserved is neither below zero nor above it.
 */
import { Decimal } from '../../src/domain/money.ts';
import type { Driver } from './interface-driver.ts';
import { done } from './scenario-steps.ts';

const rowsPerCall = 1000;

/** Returns what is wrong with the user's ledgers, in sentences. */
export async function ledgerFaults(
  driver: Driver,
  key: 'desk' | 'other',
): Promise<readonly string[]> {
  // The calls before may have used up the minute.
  driver.wait(61_000);
  const faults: string[] = [];
  const { balance: accounts } = await done(driver, 'balance', {}, { key });
  for (const { account_id: id, balance, reserved } of accounts) {
    const say = (text: string) => faults.push(`account ${id}: ${text}`);
    let sum = new Decimal(0);
    let free = new Decimal(0);
    let number = 0;
    for (;;) {
      driver.wait(250);
      const range = { id, min_row: String(number + 1), max_row: String(number + 1 + rowsPerCall) };
      const { transactions: rows } = await done(driver, 'transactions', range, { key });
      for (const row of rows) {
        sum = sum.plus(row.balance_delta);
        free = free.plus(row.available_delta);
        if (row.row_index !== ++number) say(`row ${number} is numbered ${row.row_index}`);
        if (!sum.equals(row.balance)) say(`row ${number} has the wrong balance`);
        if (!free.equals(row.available)) say(`row ${number} has the wrong available balance`);
      }
      if (rows.length < rowsPerCall) break;
    }
    if (!sum.equals(balance)) say('the balance is not the sum of its rows');
    if (!sum.minus(free).equals(reserved)) say('what is reserved is not what is unavailable');
    if (free.isNegative() || new Decimal(reserved).isNegative()) say('something is below zero');
  }
  return faults;
}
