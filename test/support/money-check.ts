/**
 * Whether money came or went other than by what the users can see as transfers: the balances of
 * everybody, summed up by currency, before and after.
 */
import { Decimal } from '../../src/domain/money.ts';
import type { Driver } from './interface-driver.ts';
import { done } from './scenario-steps.ts';

const everybody = ['desk', 'other', 'house', 'fees'] as const;
const listMax = 1000;
const hourMs = 3_600_000;

export type MoneyByCurrency = ReadonlyMap<string, Decimal>;

/** Returns what all users have together. */
export function moneyOf(driver: Driver): MoneyByCurrency {
  const sums = new Map<string, Decimal>();
  for (const user of everybody)
    for (const { currency, balance } of driver.simulator.truth(user).accounts)
      sums.set(currency, (sums.get(currency) ?? new Decimal(0)).plus(balance));
  return sums;
}

/** Returns the currencies of which there is more or less than transfers explain, in sentences. */
export async function moneyFaults(
  driver: Driver,
  atStart: MoneyByCurrency,
): Promise<readonly string[]> {
  // Whatever is on its way arrives, and the minute of calls is free again.
  driver.wait(hourMs);
  const atEnd = moneyOf(driver);
  const transferred = new Map<string, Decimal>();
  for (const key of ['desk', 'other'] as const) {
    const { balance: accounts } = await done(driver, 'balance', {}, { key });
    for (const { account_id: id, asset } of accounts) {
      const list = { account_id: id, limit: listMax };
      driver.wait(250);
      const { transfers } = await done(driver, 'listTransfers', list, { key });
      for (const { amount, inbound } of transfers) {
        const sum = transferred.get(asset) ?? new Decimal(0);
        transferred.set(asset, inbound ? sum.plus(amount) : sum.minus(amount));
      }
    }
  }
  return [...atEnd].flatMap(([currency, sum]) => {
    const zero = new Decimal(0);
    const expected = (atStart.get(currency) ?? zero).plus(transferred.get(currency) ?? zero);
    if (expected.equals(sum)) return [];
    return [`there are ${sum.toFixed()} ${currency}, transfers explain ${expected.toFixed()}`];
  });
}
