/** The market's status follows history: orders are accepted and refused as by the exchange. */
import { beforeEach, expect, test } from 'vitest';
import { type RestingBlock, rowKind, statuses } from '../../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import { FlowBlockBuilder } from '../../../src/recording/file/flow-block-builder.ts';
import type { AccountMarket } from '../../../src/replay-exchange/account/account-market.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { answerRequest } from '../../../src/replay-exchange/account/replay-answers.ts';
import { replayMarket, replayRates } from '../../support/replay-market.ts';

type Status = (typeof statuses)[number];

const other = { ...replayMarket, pair: 'ABCEUR', base: 'ABC' };
let account: ReplayAccount;
let accountMarket: AccountMarket;

beforeEach(() => {
  account = new ReplayAccount({
    markets: [replayMarket, other].map((market) => ({ market, rates: replayRates })),
    balances: { XBT: '1', ABC: '1', EUR: '1000' },
    startedMs: 0,
    onReport: () => {},
  });
  accountMarket = account.markets.get(replayMarket.pair) as AccountMarket;
  accountMarket.fillModel.startFlow(bookWith('ACTIVE'));
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
  while (cursor.next()) accountMarket.fillModel.applyFlow(cursor);
}

let orders = 0;
function place(more: object = {}, pair = replayMarket.pair): string {
  const parameters = {
    ...{ pair, type: 'BID', price: '1.00', volume: '0.0010' },
    client_order_id: `order-${++orders}`,
    ...more,
  };
  const reply = answerRequest(account, { operation: 'postorder', parameters }, 2_000);
  return reply.kind === 'refused' ? `${reply.status} ${reply.code}` : reply.kind;
}

const maker = { post_only: true };
const taker = { price: '1.05', time_in_force: 'IOC' };
const postOnly = /ErrPostOnlyMode/u;
const closed = /ErrMarketUnavailable/u;
const taken = /^ok$/u;

test.each([
  ['ACTIVE', taken, taken, taken],
  ['POST_ONLY', taken, postOnly, postOnly],
  ['SUSPENDED', taken, postOnly, postOnly],
  ['DISABLED', closed, closed, closed],
  ['UNKNOWN', closed, closed, closed],
] as const)('%s: maker %s, limit %s, taker %s', (status, forMaker, forLimit, forTaker) => {
  tell(status);
  expect(place(maker)).toMatch(forMaker);
  expect(place()).toMatch(forLimit);
  expect(place(taker)).toMatch(forTaker);
  // Another market of the account has its own status.
  expect(place({}, other.pair)).toMatch(taken);
  tell('ACTIVE');
  expect(place(taker)).toMatch(taken);
});

test('in a closed market, resting orders stay and can be cancelled', () => {
  place(maker);
  const [id] = [...accountMarket.orders.keys()];
  tell('DISABLED');
  expect(accountMarket.orders.get(id ?? '')?.status).toBe('PENDING');
  const stop = { operation: 'stoporder', parameters: { order_id: id } } as const;
  expect(answerRequest(account, stop, 3_000)).toMatchObject({ body: { success: true } });
  expect(accountMarket.orders.get(id ?? '')?.status).toBe('COMPLETE');
});

test('a recording may begin in a market that is not open', () => {
  accountMarket.fillModel.startFlow(bookWith('POST_ONLY'));
  expect(place()).toMatch(postOnly);
});

test('a client_order_id can be used once across all markets', () => {
  expect(place({ client_order_id: 'mine' })).toMatch(taken);
  expect(place({ client_order_id: 'mine' }, other.pair)).toMatch(/ErrDuplicateClientOrderID/u);
});

test('the list of markets has the rules and the current status', () => {
  tell('DISABLED');
  const asked = { operation: 'markets', parameters: { pair: [replayMarket.pair] } } as const;
  expect(answerRequest(account, asked, 3_000)).toMatchObject({
    body: {
      markets: [
        {
          market_id: 'XBTEUR',
          trading_status: 'UNKNOWN',
          ...{ price_scale: 2, volume_scale: 4, fee_scale: 8 },
          ...{ min_price: '0.10', max_price: '10000.00' },
          ...{ min_volume: '0.0001', max_volume: '100.0000' },
        },
      ],
    },
  });
  const all = answerRequest(account, { operation: 'markets', parameters: {} }, 3_000);
  expect(all).toMatchObject({ body: { markets: [{}, { trading_status: 'ACTIVE' }] } });
});

test('an account with several markets lists orders and trades by pair, and all orders', () => {
  place(maker);
  place({}, other.pair);
  place(taker);
  const list = (parameters: object) =>
    answerRequest(account, { operation: 'listOrdersV2', parameters }, 3_000);
  expect(list({})).toMatchObject({ body: { orders: [{ pair: 'ABCEUR' }, { pair: 'XBTEUR' }] } });
  expect(list({ pair: 'XBTEUR' })).toMatchObject({ body: { orders: [{ pair: 'XBTEUR' }] } });
  expect(list({ closed: true })).toMatchObject({ body: { orders: [{ base: '0.0010' }] } });
  const trades = (pair: string) =>
    answerRequest(account, { operation: 'listtrades', parameters: { pair } }, 3_000);
  expect(trades('XBTEUR')).toMatchObject({ body: { trades: [{ volume: '0.0010' }] } });
  expect(trades('ABCEUR')).toMatchObject({ body: { trades: [] } });
  expect(trades('NONEUR')).toMatchObject({ code: 'ErrMarketUnavailable' });
});
