/** An account that keeps finished items for an hour: memory is bounded, and numbers continue. */
import { beforeEach, expect, test } from 'vitest';
import { InvariantError } from '../../../src/domain/errors.ts';
import type { AccountMarket } from '../../../src/replay-exchange/account/account-market.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { answerRequest } from '../../../src/replay-exchange/account/replay-answers.ts';
import type { ReadRequest } from '../../../src/venue/venue-request.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { historyOf } from '../../support/encoded-history.ts';
import { placing, replayMarket, replayRates, row } from '../../support/replay-market.ts';

const hourMs = 3_600_000;
let account: ReplayAccount;
let accountMarket: AccountMarket;
beforeEach(() => use(holderWith(hourMs)));

function use(one: ReplayAccount): void {
  account = one;
  const found = one.markets.get(replayMarket.pair);
  if (found === undefined) throw new Error(`there is no account for ${replayMarket.pair}`);
  accountMarket = found;
}

function holderWith(keptMs: number | undefined, tradesKeptMs?: number): ReplayAccount {
  return new ReplayAccount({
    profile: lunoProfile,
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '10', EUR: '100000' },
    startedMs: 0,
    keptMs,
    tradesKeptMs,
    onReport: () => {},
  });
}

function place(id: string, price: string, atMs: number): string {
  const request = placing({ price, volume: '0.0001', clientOrderId: id });
  const placed = accountMarket.place(request, atMs * 1_000);
  if (placed.kind === 'refused') throw new Error(`${id} was refused: ${placed.failed}`);
  return placed.order.id;
}

/** Once a minute, adds an ask to history and buys one lot from it. */
function trade(times: number): void {
  const history = historyOf(accountMarket);
  for (let minute = 1; minute <= times; minute++) {
    history.apply(row.create(`maker${minute}`, 'ASK', 105, 1));
    place(`taker${minute}`, '1.05', minute * 60_000);
    history.apply(row.delete(`maker${minute}`));
  }
}

function ask(request: ReadRequest) {
  return answerRequest(account, request, 0);
}

test('finished orders are kept for an hour, open orders forever', () => {
  const open = place('open', '1.00', 1_000);
  const cancelled = place('cancelled', '1.01', 1_000);
  accountMarket.cancel(cancelled, 2_000_000);
  trade(5_000);
  expect(accountMarket.orders.size).toBe(61);
  expect(accountMarket.orders.get(open)?.status).toBe('PENDING');
  expect(accountMarket.orders.get(cancelled)).toBeUndefined();
  expect(accountMarket.orders.byClientId('cancelled')).toBeUndefined();
  expect(accountMarket.orders.byClientId('taker5000')).toBeDefined();
  expect(accountMarket.orderCount).toBe(5_002);
  expect(accountMarket.trades.count).toBe(5_000);
  expect(accountMarket.trades.items.length).toBeLessThan(200);
  expect(accountMarket.trades.items.at(-1)?.sequence).toBe(5_000);
});

test('answers for the last hour equal those of an account that keeps everything', () => {
  const forgetful = account;
  trade(3_000);
  use(holderWith(undefined));
  trade(3_000);
  const kept = account;
  const { pair } = replayMarket;
  const asked: readonly ReadRequest[] = [
    { kind: 'own-trades', pair, sinceMs: 2_945 * 60_000 },
    { kind: 'own-trades', pair, sinceMs: 2_945 * 60_000, from: '2990' },
    { kind: 'movements', account: '1', fromRow: 2_950 },
    { kind: 'orders', which: 'ended', newest: 50 },
    { kind: 'order', clientOrderId: 'taker2990' },
    { kind: 'balances' },
  ];
  for (const request of asked) {
    use(kept);
    const whole = ask(request);
    use(forgetful);
    expect(ask(request), request.kind).toEqual(whole);
    expect(whole.kind).toBe('ok');
  }
});

test('a query for a dropped row is an error, not a shorter answer', () => {
  trade(3_000);
  expect(() => ask({ kind: 'movements', account: '1' })).toThrow(InvariantError);
});

test('a client order id is refused as long as its order is kept', () => {
  place('mine', '1.00', 1_000);
  const again = accountMarket.place(placing({ clientOrderId: 'mine' }), 2_000_000);
  expect(again).toEqual({ kind: 'refused', failed: 'id-used' });
});

test('trades can be kept for longer than orders and ledger rows', () => {
  use(holderWith(hourMs, 3 * hourMs));
  trade(3_000);
  expect(accountMarket.orders.size).toBe(60);
  const reply = ask({ kind: 'own-trades', pair: replayMarket.pair, sinceMs: 2_821 * 60_000 });
  expect(reply).toMatchObject({ value: { rows: { length: 180, 0: { sequence: '2821' } } } });
});
