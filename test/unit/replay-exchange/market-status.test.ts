/** The market's status follows history: orders are accepted and refused as by the exchange. */

import { beforeEach, expect, test } from 'vitest';
import { amountOf } from '../../../src/domain/amount.ts';
import { type RestingBlock, rowKind, statuses } from '../../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import { FlowBlockBuilder } from '../../../src/recording/file/flow-block-builder.ts';
import type { AccountMarket } from '../../../src/replay-exchange/account/account-market.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { answerRequest } from '../../../src/replay-exchange/account/replay-answers.ts';
import type { VenueRequest } from '../../../src/venue/venue-request.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { orderHistoryOf } from '../../support/encoded-history.ts';
import { type PlacePart, placing, replayMarket, replayRates } from '../../support/replay-market.ts';

type Status = (typeof statuses)[number];

const other = { ...replayMarket, pair: 'ABCEUR', base: 'ABC' };
let account: ReplayAccount;
let accountMarket: AccountMarket;

beforeEach(() => {
  account = new ReplayAccount({
    profile: lunoProfile,
    markets: [replayMarket, other].map((market) => ({ market, rates: replayRates })),
    balances: { XBT: '1', ABC: '1', EUR: '1000' },
    startedMs: 0,
    onReport: () => {},
  });
  accountMarket = account.markets.get(replayMarket.pair) as AccountMarket;
  orderHistoryOf(accountMarket.replay).start(bookWith('ACTIVE'));
});

/** One ask of 100 lots at 105. */
function bookWith(status: Status): RestingBlock {
  return {
    bids: 0,
    status: statuses.indexOf(status),
    slots: Uint32Array.of(1),
    prices: Float64Array.of(105),
    volumes: Float64Array.of(100),
  };
}

function tell(status: Status): void {
  const builder = new FlowBlockBuilder(0, 1_000);
  const slot = statuses.indexOf(status);
  builder.add({ kind: rowKind.status, atMicros: 1_000, slot, isAsk: false, endsMessage: true });
  const cursor = new FlowCursor();
  cursor.load(builder.take().block);
  while (cursor.next()) accountMarket.replay.apply(cursor);
}

let orders = 0;
function place(more: PlacePart = {}, market = replayMarket): string {
  const terms = {
    volume: '0.0010',
    clientOrderId: `order-${++orders}`,
    baseAccountId: account.accounts.get(market.base)?.id ?? '',
    counterAccountId: account.accounts.get(market.counter)?.id ?? '',
    ...more,
  };
  const reply = ask(placing(terms, market));
  return reply.kind === 'refused' ? reply.code : reply.kind;
}

function ask(request: VenueRequest) {
  return answerRequest(account, request, 3_000);
}

const maker = { postOnly: true };
const taker = { price: '1.05', timeInForce: 'IOC' } as const;
const postOnly = 'market-post-only';
const closed = 'market-closed';
const taken = 'ok';

test.each([
  ['ACTIVE', taken, taken, taken],
  ['POST_ONLY', taken, postOnly, postOnly],
  ['SUSPENDED', taken, postOnly, postOnly],
  ['DISABLED', closed, closed, closed],
  ['UNKNOWN', closed, closed, closed],
] as const)('%s: maker %s, limit %s, taker %s', (status, forMaker, forLimit, forTaker) => {
  tell(status);
  expect(place(maker)).toBe(forMaker);
  expect(place()).toBe(forLimit);
  expect(place(taker)).toBe(forTaker);
  // Another market of the account has its own status.
  expect(place({}, other)).toBe(taken);
  tell('ACTIVE');
  expect(place(taker)).toBe(taken);
});

test('in a closed market, resting orders stay and can be cancelled', () => {
  place(maker);
  const [id] = [...accountMarket.orders.keys()];
  tell('DISABLED');
  expect(accountMarket.orders.get(id ?? '')?.status).toBe('PENDING');
  expect(ask({ kind: 'cancel', orderId: id ?? '' })).toMatchObject({ value: 'taken' });
  expect(accountMarket.orders.get(id ?? '')?.status).toBe('COMPLETE');
});

test('a recording may begin in a market that is not open', () => {
  orderHistoryOf(accountMarket.replay).start(bookWith('POST_ONLY'));
  expect(place()).toBe(postOnly);
});

test('a client order id can be used once across all markets', () => {
  expect(place({ clientOrderId: 'mine' })).toBe(taken);
  expect(place({ clientOrderId: 'mine' }, other)).toBe('id-used');
});

test('the list of markets has the rules and the current status', () => {
  tell('DISABLED');
  const disabled = { ...replayMarket, status: 'DISABLED' };
  expect(ask({ kind: 'markets', pairs: [replayMarket.pair] })).toMatchObject({
    value: { rows: [disabled], end: 'complete' },
  });
  expect(ask({ kind: 'markets' })).toMatchObject({ value: { rows: [disabled, other] } });
});

test('an account with several markets lists orders and trades by pair, and all orders', () => {
  place(maker);
  place({}, other);
  place(taker);
  const open = { kind: 'orders', which: 'open' } as const;
  expect(ask(open)).toMatchObject({ value: { rows: [{ pair: 'ABCEUR' }, { pair: 'XBTEUR' }] } });
  expect(ask({ ...open, pair: 'XBTEUR' })).toMatchObject({ value: { rows: [{ pair: 'XBTEUR' }] } });
  const volume = amountOf('0.001');
  expect(ask({ kind: 'orders', which: 'ended' })).toMatchObject({
    value: { rows: [{ sums: { base: volume } }] },
  });
  const trades = (pair: string) => ask({ kind: 'own-trades', pair });
  expect(trades('XBTEUR')).toMatchObject({ value: { rows: [{ volume }] } });
  expect(trades('ABCEUR')).toMatchObject({ value: { rows: [] } });
  expect(trades('NONEUR')).toMatchObject({ kind: 'refused', code: 'market-unknown' });
});
