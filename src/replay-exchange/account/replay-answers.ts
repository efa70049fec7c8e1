/** What the replay exchange answers to requests of the port. */
import { assert } from '../../domain/errors.ts';
import { ratesAt } from '../../exchange-accounts/fee-schedule.ts';
import {
  availableOf,
  firstKeptRowOf,
  type LedgerAccount,
  rowsBetween,
} from '../../exchange-accounts/ledger.ts';
import type {
  AccountBalance,
  Answers,
  MovementView,
  OrderView,
  Page,
  TradeView,
  VenueFees,
  VenueReply,
} from '../../venue/venue-reply.ts';
import type {
  MarketsRequest,
  MovementsRequest,
  OrdersRequest,
  OwnTradesRequest,
  PlaceRequest,
  VenueRequest,
} from '../../venue/venue-request.ts';
import { pageMax } from '../replay-properties.ts';
import type { AccountMarket } from './account-market.ts';
import { movementViewOf, orderViewOf } from './account-views.ts';
import type { ReplayAccount } from './replay-account.ts';
import type { ReplayTrade } from './replay-order.ts';
import { type RefusalCode, refusalOf } from './replay-refusals.ts';

type AnyAnswer = Answers[VenueRequest['kind']];

/** Answers a request that reaches the exchange at `atMicros`, in the exchange's time. */
export function answerRequest<Request extends VenueRequest>(
  account: ReplayAccount,
  request: Request,
  atMicros: number,
): VenueReply<Request['kind']> {
  const answer = answerOf(account, request, atMicros);
  if (answer === undefined)
    return { kind: 'not-sent', why: `the replay exchange knows nothing of ${request.kind}` };
  if (typeof answer === 'string' && answer !== 'taken') return refusalOf(answer, atMicros);
  // Of the kind that was asked.
  const value = answer as Answers[Request['kind']];
  return { kind: 'ok', value, venueTimeMs: Math.floor(atMicros / 1000) };
}

/** Returns the answer, or why the request is refused; undefined if it is not answered here. */
function answerOf(
  account: ReplayAccount,
  request: VenueRequest,
  atMicros: number,
): AnyAnswer | RefusalCode | undefined {
  switch (request.kind) {
    case 'place':
      return placed(account, request, atMicros);
    case 'cancel':
      return account.cancel(request.orderId, atMicros) ? 'taken' : 'not-open';
    case 'order': {
      const order =
        request.orderId === undefined
          ? account.orderOfClientId(request.clientOrderId)
          : account.orderOf(request.orderId);
      return order === undefined ? 'not-found' : orderViewOf(order, account.marketOf(order.pair));
    }
    case 'orders':
      return ordersPage(account, request);
    case 'own-trades': {
      const accountMarket = account.markets.get(request.pair);
      return accountMarket === undefined ? 'market-unknown' : tradesPage(accountMarket, request);
    }
    case 'movements': {
      const ledger = account.accountOf(request.account);
      return ledger === undefined ? 'account-unknown' : movementsPage(ledger, request);
    }
    case 'balances':
      return [...account.accounts.values()].map(balanceOf);
    case 'markets':
      return marketsPage(account, request);
    case 'fees': {
      const accountMarket = account.markets.get(request.pair);
      return accountMarket === undefined ? 'market-unknown' : feesOf(accountMarket, atMicros);
    }
    case 'last-trade':
    case 'prices':
    case 'candles':
      return undefined;
  }
}

function placed(
  account: ReplayAccount,
  request: PlaceRequest,
  atMicros: number,
): Answers['place'] | RefusalCode {
  const placement = account.markets.get(request.pair)?.place(request, atMicros);
  if (placement === undefined) return 'market-unknown';
  return placement.kind === 'refused' ? placement.failed : { orderId: placement.order.id };
}

/** A list goes on after the last order of the page before, which is its cursor. */
function ordersPage(account: ReplayAccount, request: OrdersRequest): Page<OrderView> {
  const { which, pair, sinceMs = Number.NEGATIVE_INFINITY, newest, cursor } = request;
  const rowsMax = Math.min(newest ?? pageMax, pageMax);
  const isEnded = which === 'ended';
  const ids = account.orderIdsOf(pair, !isEnded);
  const rows: OrderView[] = [];
  let index = cursor === undefined ? ids.length : ids.findLastIndex((id) => id < cursor) + 1;
  while (index > 0 && rows.length < rowsMax) {
    const order = account.orderOf(ids[--index] as string);
    if (order === undefined || (order.status === 'COMPLETE') !== isEnded) continue;
    rows.push(orderViewOf(order, account.marketOf(order.pair)));
  }
  const last = rows.at(-1);
  const goesOn = rows.length === pageMax && newest === undefined;
  return goesOn && last !== undefined && last.createdMs >= sinceMs
    ? { rows, wrong: [], next: last.orderId }
    : { rows, wrong: [], end: 'complete' };
}

/**
 * A list goes on at the sequence of its last row, which is its cursor. So does a short page: venues
 * may cut pages short, and a bot that knows of further trades reads on, also in a backtest.
 */
function tradesPage(accountMarket: AccountMarket, request: OwnTradesRequest): Page<TradeView> {
  const { items } = accountMarket.trades;
  const rows: TradeView[] = [];
  for (
    let index = firstTrade(items, request);
    index < items.length && rows.length < pageMax;
    index++
  )
    rows.push(accountMarket.viewOf(items[index] as ReplayTrade));
  const last = rows.at(-1)?.sequence;
  const next = last === (request.cursor ?? request.from) ? undefined : last;
  return rows.length === pageMax && next !== undefined
    ? { rows, wrong: [], next }
    : { rows, wrong: [], end: 'complete', next };
}

/** Returns the index of the oldest trade within the request's bounds. */
function firstTrade(
  trades: readonly ReplayTrade[],
  { sinceMs = Number.NEGATIVE_INFINITY, from, cursor = from }: OwnTradesRequest,
): number {
  const sequenceMin = cursor === undefined ? 0 : Number.parseInt(cursor, 10);
  // Usually a few of the newest trades are requested, so the search starts at that end.
  let index = trades.length;
  for (; index > 0; index--) {
    const trade = trades[index - 1] as ReplayTrade;
    if (trade.timeMs < sinceMs || trade.sequence < sequenceMin) break;
  }
  return index;
}

/** A list goes on at a row, whose number is its cursor. */
function movementsPage(account: LedgerAccount, request: MovementsRequest): Page<MovementView> {
  const { fromRow = 1, cursor } = request;
  const first = cursor === undefined ? fromRow : Number.parseInt(cursor, 10);
  const firstKept = firstKeptRowOf(account);
  if (first < firstKept)
    assert(false, `row ${first} was requested, but the oldest that is kept is ${firstKept}`);
  const end = first + pageMax;
  const rows = rowsBetween(account, first, end).map((row) => movementViewOf(row, account.currency));
  return rows.length < pageMax
    ? { rows, wrong: [], end: 'complete' }
    : { rows, wrong: [], next: String(end) };
}

function balanceOf(account: LedgerAccount): AccountBalance {
  const { id, currency, balance } = account;
  return { account: id, currency, balance, available: availableOf(account) };
}

function marketsPage({ markets }: ReplayAccount, { pairs }: MarketsRequest): Answers['markets'] {
  const rows = [...markets.values()]
    .filter(({ market }) => pairs === undefined || pairs.includes(market.pair))
    .map(({ market, replay }) => ({ ...market, status: replay.history.status }));
  return { rows, wrong: [], end: 'complete' };
}

function feesOf({ rates }: AccountMarket, atMicros: number): VenueFees {
  const { maker, taker } = 'maker' in rates ? rates : ratesAt(rates, Math.floor(atMicros / 1000));
  return { maker, taker };
}
