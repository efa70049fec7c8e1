/** Texts for what reaches the engine and its strategies, and for what leaves them. */

import type { FeedValues } from '../../domain/feed.ts';
import type { Intent } from '../../domain/intent.ts';
import { reachText } from '../../domain/limit-order.ts';
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { isMarketTerms, type MarketTerms, stopOf, type Terms } from '../../domain/order.ts';
import type { StoreRecord } from '../../domain/records.ts';
import type { Effect, OperatorCommand } from '../../engine/event.ts';
import type { StepInput } from '../../engine/stepping/step-input.ts';
import type { EntryCause } from '../../strategy/host-options.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { VenueReport } from '../../venue/venue-report.ts';

export type MarketOf = (pair: string) => Market | undefined;

/** Returns what reached the engine as a short text. */
export function inputText(input: StepInput): string {
  switch (input.kind) {
    case 'start':
      return 'the engine starts';
    case 'feed':
      return `feed ${input.reading.name}: ${feedText(input.reading.values)}`;
    case 'feed-trouble':
      return `feed ${input.name} gives nothing: ${input.reason}`;
    case 'tick':
      return 'a timer is due';
    case 'flow':
    case 'flow-start':
      return `market message of ${input.market.market.pair}`;
    case 'market-frame':
      return `market message of ${input.pair}: ${input.message.kind}`;
    case 'market-opened':
      return `market stream of ${input.pair} is open`;
    case 'market-closed':
      return `market stream of ${input.pair} ended: ${input.reason}`;
    case 'user-opened':
      return 'user stream is open';
    case 'user-closed':
      return `user stream ended: ${input.reason}`;
    case 'user-malformed':
      return `user stream sent an unreadable message: ${input.reason}`;
    case 'report':
      return reportText(input.report);
    case 'reply':
      return `answer to request ${input.request}: ${replyText(input.reply)}`;
    case 'replies':
      return input.replies
        .map(({ request, reply }) => `answer to request ${request}: ${replyText(reply)}`)
        .join('; ');
    case 'operator':
      return `the operator: ${[input.command, ...setTexts(input)].join(' ')}, ${input.reason}`;
    case 'store-trouble':
      return `the database: ${input.text}`;
    case 'paused':
      return `the process stood still for ${input.forMs} ms`;
    case 'loop-delay':
      return `events wait ${input.delayMs} ms for the loop`;
  }
}

function setTexts({ scope, values }: OperatorCommand): readonly string[] {
  if (values === undefined) return [];
  const texts = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return [scope ?? '', ...texts];
}

function feedText(values: FeedValues): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function replyText(reply: VenueReply): string {
  switch (reply.kind) {
    case 'ok':
      return 'ok';
    case 'refused':
      return `refused, ${reply.code}: ${reply.text}`;
    case 'not-sent':
    case 'no-answer':
      return `${reply.kind}: ${reply.why}`;
  }
}

function reportText(report: VenueReport): string {
  switch (report.kind) {
    case 'accepted':
      return `report: order ${report.orderId} is known`;
    case 'filled':
      return `report: a fill of order ${report.orderId}`;
    case 'ended':
      return `report: order ${report.orderId} has ended`;
    case 'balance':
      return `report: balance of account ${report.account} after row ${report.row}`;
    case 'unknown':
      return `report: ${report.what}`;
  }
}

const ownCauses = {
  start: 'its start',
  timer: 'a timer that is due',
  parameters: 'new parameters',
} as const;

/** Returns why code of a strategy runs. */
export function causeText(cause: EntryCause, marketOf: MarketOf): string {
  if (cause.kind === 'feed')
    return `value$ of the feed ${cause.name}: ${feedText(cause.given.values)}`;
  if (cause.kind === 'feed-usable')
    return `usable$ of the feed ${cause.name}: it is ${cause.usable ? 'usable' : 'stale'}`;
  if (!('pair' in cause)) return ownCauses[cause.kind];
  const market = marketOf(cause.pair);
  const price = (ticks: Ticks | undefined): string =>
    ticks === undefined ? 'none' : priceText(ticks, market);
  const volume = (lots: Lots): string => volumeText(lots, market);
  switch (cause.kind) {
    case 'top':
    case 'topWithVolume': {
      const { bid, bidVolume, ask, askVolume } = cause.top;
      const sides = `bid ${price(bid)} (${volume(bidVolume)}), ask ${price(ask)} (${volume(askVolume)})`;
      return `${cause.kind}$ of ${cause.pair}: ${sides}`;
    }
    case 'usable':
      return `usable$ of ${cause.pair}: the book is ${cause.usable ? 'usable' : 'unusable'}`;
    case 'trade': {
      const { side, price: at, volume: lots } = cause.trade;
      const verb = side === 'BID' ? 'a buyer took' : 'a seller took';
      return `trade$ of ${cause.pair}: ${verb} ${volume(lots)} at ${price(at)}`;
    }
    case 'order': {
      const { key, terms, state, filled } = cause.order;
      const what = termsText(terms, market);
      return `order$ of ${cause.pair}: ${key} is ${state}, ${what}, ${volume(filled)} filled`;
    }
    case 'fill': {
      const { key, side, price: at, volume: lots, booked } = cause.fill;
      const how = booked ? 'booked' : 'reported, not booked yet';
      return `fill$ of ${cause.pair}: ${key} ${side} ${volume(lots)} at ${price(at)}, ${how}`;
    }
    case 'refusal': {
      const { key, codes, observed, limit } = cause.refusal;
      return `refusal$ of ${cause.pair}: ${key} ${codes.join(', ')}, ${observed} against ${limit}`;
    }
  }
}

export function intentText(intent: Intent, marketOf: MarketOf): string {
  switch (intent.kind) {
    case 'quote': {
      const market = marketOf(intent.pair);
      const orders = intent.orders.map((one) => `${one.level} ${termsText(one, market)}`);
      return `quote${ofPart(intent)} on ${intent.pair}: ${orders.join('; ') || 'no orders'}: ${intent.reason}`;
    }
    case 'place': {
      const what = termsText(intent.terms, marketOf(intent.pair));
      return `place ${intent.key} on ${intent.pair}: ${what}: ${intent.reason}`;
    }
    case 'cancel':
      return `cancel ${intent.key} on ${intent.pair}: ${intent.reason}`;
    case 'cancelAll':
      return `cancel all${ofPart(intent)} on ${intent.pair}: ${intent.reason}`;
    case 'idle':
      return `idle${ofPart(intent)} on ${intent.pair}: ${intent.reason}`;
    case 'done':
      return `done: ${intent.reason}`;
    case 'remember':
      return `remember ${JSON.stringify(intent.state)}`;
  }
}

function ofPart({ part }: { readonly part?: string }): string {
  return part === undefined ? '' : ` of ${part}`;
}

function termsText(terms: Terms | MarketTerms, market: Market | undefined): string {
  if (isMarketTerms(terms))
    return terms.side === 'BID'
      ? `BID for ${terms.spend} at market`
      : `ASK ${volumeText(terms.volume, market)} at market`;
  const { side, price, volume, postOnly } = terms;
  const only = postOnly === true ? ', post-only' : '';
  const stop = stopOf(terms);
  const waits =
    stop === undefined
      ? ''
      : `, waits for the last trade ${reachText(stop.direction)} ${priceText(stop.price, market)}`;
  return `${side} ${volumeText(volume, market)} at ${priceText(price, market)}${only}${waits}`;
}

/** Returns a price as decimal text; in ticks, if they fit no market. */
export function priceText(price: Ticks, market: Market | undefined): string {
  return market === undefined ? `${price} ticks` : formatTicks(price, market);
}

/** Returns a volume as decimal text; in lots, if they fit no market. */
export function volumeText(volume: Lots, market: Market | undefined): string {
  return market === undefined ? `${volume} lots` : formatLots(volume, market);
}

export function recordText(record: StoreRecord): string {
  switch (record.kind) {
    case 'order': {
      const { intentId, side, volume, pair, price, state, clientOrderId } = record.row;
      return `intent ${intentId} is ${state}: ${side} ${volume} ${pair} at ${price}, ${clientOrderId}`;
    }
    case 'evidence':
      return `intent ${record.intentId} is ${record.state}: ${record.proof}`;
    case 'decision':
      return `${record.strategyId} ${record.pair} ${record.key}: ${record.verdict}`;
    case 'attempt':
      return `attempt ${record.number} of intent ${record.intentId} is sent`;
    case 'outcome':
      return `attempt ${record.number} of intent ${record.intentId}: ${record.outcome} ${record.detail}`.trim();
    case 'fill': {
      const { side, volume, pair, price, intentId, sequence } = record.row;
      return `${side} ${volume} ${pair} at ${price}, intent ${intentId}, trade ${sequence}`;
    }
    case 'witness':
      return `trade ${record.sequence} of ${record.pair} by ${record.witness}`;
    case 'ledger-row':
      return `${record.row.currency} ${record.row.balanceDelta}, balance ${record.row.balance}`;
    case 'incident':
      return `${record.incident.code}: ${record.incident.text}`;
    case 'idle':
      return `${record.strategyId} ${record.pair} is idle: ${record.reason}`;
    case 'strategy-state':
      return `${record.strategyId}: ${record.state}`;
    case 'risk-state':
      return `${record.name}: ${record.state}`;
    case 'trading-state':
      return `${record.scope} is ${record.state}: ${record.reason}`;
    case 'limits':
      return `version ${record.hash}`;
    case 'market-sample':
      return `${record.pair}: bid ${record.bid}, ask ${record.ask}`;
    case 'fill-mids':
      return JSON.stringify(record.row);
    case 'operator-command':
      return `${record.askedBy} ${record.command}: ${record.outcome}, ${record.text}`.trim();
    case 'approval':
      return `${record.token} ${record.event}: ${record.reason}`;
  }
}

export function requestText({ request, call }: Request): string {
  const { kind, ...details } = call;
  const values = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return `request ${request}: ${kind} ${values.join(' ')}`.trim();
}

type Request = Extract<Effect, { kind: 'request' }>;
