/**
 * Validates the intents of a plugin, which is untyped JavaScript when it runs: each member is read
 * once, checked and copied, so that the engine can rely on the types. Most quotes repeat the one
 * before, so what equals a part of the pair's last quote becomes that part, without a copy; and an
 * idle intent that equals the last one becomes that one.
 *
 * Invariants: the result shares nothing with the input, except the state of a `remember`, which is
 * copied by its own check; numbers are safe integers above zero; every text and list is bounded;
 * unknown members are refused, since the author expects them to have an effect.
 */
import type { Intent, QuotedOrder } from '../domain/intent.ts';
import { storedName } from '../domain/part-name.ts';
import {
  type IntentScope,
  isStoredAs,
  keyPattern,
  pairOf,
  partNameOf,
  reasonOf,
  storedKeyOf,
  tagOf,
} from './intents/intent-members.ts';
import {
  checkNames,
  type Draft,
  Invalid,
  type Members,
  placedTermsOf,
  quotedTermNames,
  refuse,
  termsOf,
} from './intents/validate-terms.ts';
import { describe, isPlainObject } from './json-value.ts';

export type Validation =
  | { readonly kind: 'valid'; readonly intent: Intent }
  | {
      readonly kind: 'invalid';
      readonly code: 'INVALID_INTENT' | 'QUOTE_CROSSED';
      readonly problem: string;
      /** The intent's pair, if the strategy sees it. */
      readonly pair: string | undefined;
      /** The intent's key, under its part; the key itself is empty if it is not valid. */
      readonly key: string;
    };

/** The maximum number of orders of one quote. */
const levelsMax = 50;

type QuoteIntent = Extract<Intent, { kind: 'quote' }>;

type IdleIntent = Extract<Intent, { kind: 'idle' }>;

type PlaceIntent = Extract<Intent, { kind: 'place' }>;

/** What a strategy asked for last; {@link validateIntent} updates it. */
export type LastIntents = {
  /** The last valid quote of each pair, by its name; of a part, under the part's name. */
  readonly quotes: Map<string, QuoteIntent>;
  /** The last valid idle intent of any pair. */
  idle: IdleIntent | undefined;
};

/**
 * Returns `value` as an intent within `scope`, or why it is invalid; a quote that equals the last
 * one of its pair and part, and an idle intent that equals the last one, is returned as that
 * object. Keys and levels of a part become those under which they are stored. Never throws.
 */
export function validateIntent(value: unknown, scope: IntentScope, last?: LastIntents): Validation {
  try {
    return { kind: 'valid', intent: intentOf(value, scope, last) };
  } catch (error) {
    const isInvalid = error instanceof Invalid;
    const problem = isInvalid ? error.message : `intent cannot be read: ${messageOf(error)}`;
    const code = isInvalid ? error.code : 'INVALID_INTENT';
    return { kind: 'invalid', code, problem, ...originOf(value, scope) };
  }
}

/** Returns pair and key of an invalid intent, as far as they can be read. Never throws. */
function originOf(
  value: unknown,
  scope: IntentScope,
): { readonly pair: string | undefined; readonly key: string } {
  try {
    const { pair, key, part } = isPlainObject(value) ? value : {};
    const known = typeof key === 'string' && keyPattern.test(key) ? key : '';
    return {
      pair: typeof pair === 'string' && scope.pairs.seen.includes(pair) ? pair : undefined,
      key: typeof part === 'string' && scope.parts.has(part) ? storedName(part, known) : known,
    };
  } catch {
    return { pair: undefined, key: '' };
  }
}

function intentOf(value: unknown, scope: IntentScope, last: LastIntents | undefined): Intent {
  if (!isPlainObject(value)) throw new Invalid(`intent must be an object, was ${describe(value)}`);
  const kind = value['kind'];
  if (kind === 'quote') return quoteOf(value, scope, last?.quotes);
  if (kind === 'idle') return idleOf(value, scope, last);
  return Object.freeze(otherIntentOf(value, kind, scope));
}

/** Returns an intent that is neither a quote nor idle. */
function otherIntentOf(value: Members, kind: unknown, scope: IntentScope): Intent {
  switch (kind) {
    case 'place': {
      checkNames(value, 'place', placeNames);
      const { terms, reduceOnly, expiresMs } = value;
      const tag = tagOf(value['tag']);
      if (reduceOnly !== undefined && typeof reduceOnly !== 'boolean')
        return refuse('reduceOnly', 'true or false', reduceOnly);
      if (!isPlainObject(terms)) return refuse('terms', 'an object', terms);
      const pair = pairOf(value['pair'], scope);
      const part = partNameOf(value['part'], scope);
      const key = storedKeyOf(part, value['key'], 'key');
      const checked = Object.freeze(placedTermsOf(terms));
      const reason = reasonOf(value['reason']);
      // Two literals instead of a spread, which V8 has no fast code for.
      const place: Draft<PlaceIntent> =
        reduceOnly === undefined
          ? { kind, pair, key, terms: checked, reason }
          : { kind, pair, key, terms: checked, reduceOnly, reason };
      if (tag !== undefined) place.tag = tag;
      if (expiresMs !== undefined) place.expiresMs = timeOf(expiresMs);
      if (part !== '') place.part = part;
      return place;
    }
    case 'cancel': {
      checkNames(value, 'cancel', ['kind', 'pair', 'part', 'key', 'reason']);
      const part = partNameOf(value['part'], scope);
      return {
        ...{ kind, pair: pairOf(value['pair'], scope), ...(part === '' ? {} : { part }) },
        ...{ key: storedKeyOf(part, value['key'], 'key'), reason: reasonOf(value['reason']) },
      };
    }
    case 'cancelAll': {
      checkNames(value, kind, idleNames);
      const part = partNameOf(value['part'], scope);
      const all = { kind, pair: pairOf(value['pair'], scope), reason: reasonOf(value['reason']) };
      return part === '' ? all : { ...all, part };
    }
    case 'done':
      checkNames(value, 'done', ['kind', 'reason']);
      return { kind, reason: reasonOf(value['reason']) };
    case 'remember': {
      checkNames(value, 'remember', ['kind', 'part', 'slot', 'state']);
      const { part, slot, state } = value;
      if (slot === undefined && part === undefined) return { kind, state };
      return { kind, slot: storedKeyOf(partNameOf(part, scope), slot, 'slot'), state };
    }
    default:
      return refuse('kind', 'quote, place, cancel, cancelAll, idle, done or remember', kind);
  }
}

/** Most idle intents repeat the one before: a strategy says so at each candle. */
function idleOf(members: Members, scope: IntentScope, last: LastIntents | undefined): IdleIntent {
  checkNames(members, 'idle', idleNames);
  const { pair, reason } = members;
  const part = partNameOf(members['part'], scope);
  const before = last?.idle;
  const isSame =
    pair === before?.pair && reason === before?.reason && part === (before?.part ?? '');
  if (before !== undefined && isSame) return before;
  const known = pairOf(pair, scope);
  const idle: Draft<IdleIntent> = { kind: 'idle', pair: known, reason: reasonOf(reason) };
  if (part !== '') idle.part = part;
  Object.freeze(idle);
  if (last !== undefined) last.idle = idle;
  return idle;
}

const idleNames = ['kind', 'pair', 'part', 'reason'];
const quoteNames = ['kind', 'pair', 'part', 'orders', 'toleranceTicks', 'onMove', 'reason'];
const placeNames = [
  ...['kind', 'pair', 'part', 'key', 'terms', 'reduceOnly', 'expiresMs', 'tag', 'reason'],
];
const quotedNames = ['level', 'tag', ...quotedTermNames];

function quoteOf(
  members: Members,
  scope: IntentScope,
  lastQuotes: Map<string, QuoteIntent> | undefined,
): QuoteIntent {
  checkNames(members, 'quote', quoteNames);
  const { pair: pairValue, orders: list, toleranceTicks: tolerance, onMove } = members;
  const part = partNameOf(members['part'], scope);
  const last =
    typeof pairValue === 'string' ? lastQuotes?.get(storedName(part, pairValue)) : undefined;
  if (!Array.isArray(list)) return refuse('orders', 'a list', list);
  const orders = quotedOrdersOf(list, part, last?.orders ?? noOrders);
  const toleranceTicks =
    tolerance === undefined ? undefined : integerOf(tolerance, 'toleranceTicks', 0);
  if (onMove !== undefined && onMove !== 'cancel')
    return refuse('onMove', 'cancel, or left out for what the settings say', onMove);
  const pair = pairOf(pairValue, scope);
  const reason = reasonOf(members['reason']);
  if (
    orders === last?.orders &&
    toleranceTicks === last.toleranceTicks &&
    onMove === last.onMove &&
    reason === last.reason
  )
    return last;
  const quote: Draft<QuoteIntent> = { kind: 'quote', pair, orders, reason };
  if (toleranceTicks !== undefined) quote.toleranceTicks = toleranceTicks;
  if (onMove !== undefined) quote.onMove = onMove;
  if (part !== '') quote.part = part;
  Object.freeze(quote);
  lastQuotes?.set(storedName(part, pair), quote);
  return quote;
}

const noOrders: readonly QuotedOrder[] = Object.freeze([]);

/** Returns the orders of a quote; `last` itself if they are equal to those of the last quote. */
function quotedOrdersOf(
  list: readonly unknown[],
  part: string,
  last: readonly QuotedOrder[],
): readonly QuotedOrder[] {
  const { length } = list;
  if (length > levelsMax) {
    throw new Invalid(`a quote must have at most ${levelsMax} orders, had ${length}`);
  }
  let orders: QuotedOrder[] | undefined = length === last.length ? undefined : [];
  // By index, each read once: the list's own iterator or length cannot be trusted.
  for (let at = 0; at < length; at++) {
    const before = last[at];
    const order = quotedOrderOf(list[at], at, part, before);
    if (orders === undefined && order !== before) {
      orders = [];
      // Not by spreading, which is slow for a frozen list.
      for (let equal = 0; equal < at; equal++) orders.push(last[equal] as QuotedOrder);
    }
    orders?.push(order);
  }
  if (orders === undefined) return last;
  checkLevels(orders);
  checkUncrossed(orders);
  return Object.freeze(orders);
}

/** Returns one order of a quote; `before` itself if it is equal. */
function quotedOrderOf(
  value: unknown,
  at: number,
  part: string,
  before: QuotedOrder | undefined,
): QuotedOrder {
  if (!isPlainObject(value)) return refuse(`orders[${at}]`, 'an object', value);
  checkNames(value, 'orders[]', quotedNames);
  const { level, side, price, volume, timeInForce, postOnly, tag } = value;
  if (
    before !== undefined &&
    isStoredAs(before.level, part, level) &&
    price === before.price &&
    volume === before.volume &&
    side === before.side &&
    timeInForce === before.timeInForce &&
    postOnly === before.postOnly &&
    tag === before.tag
  )
    return before;
  const terms = termsOf({ side, price, volume, timeInForce, postOnly }, at);
  if (terms.timeInForce !== undefined && terms.timeInForce !== 'GTC') {
    return refuse('timeInForce of a quote', 'GTC, since a quote rests', terms.timeInForce);
  }
  const order: Draft<QuotedOrder> = {
    level: storedKeyOf(part, level, 'level', before?.level),
    side: terms.side,
    price: terms.price,
    volume: terms.volume,
  };
  if (terms.timeInForce !== undefined) order.timeInForce = terms.timeInForce;
  if (terms.postOnly !== undefined) order.postOnly = terms.postOnly;
  const checked = tagOf(tag);
  if (checked !== undefined) order.tag = checked;
  return Object.freeze(order);
}

function checkLevels(orders: readonly QuotedOrder[]): void {
  for (let at = 1; at < orders.length; at++)
    for (let before = 0; before < at; before++)
      if (orders[at]?.level === orders[before]?.level)
        throw new Invalid('each order of a quote must have its own level');
}

function checkUncrossed(orders: readonly QuotedOrder[]): void {
  let bid: QuotedOrder | undefined;
  let ask: QuotedOrder | undefined;
  for (const order of orders)
    if (order.side === 'BID') bid = bid !== undefined && bid.price >= order.price ? bid : order;
    else ask = ask !== undefined && ask.price <= order.price ? ask : order;
  if (bid === undefined || ask === undefined || bid.price < ask.price) return;
  throw new Invalid(
    `quote crosses itself: the bid of level ${bid.level} at ${bid.price} ticks is not below ` +
      `the ask of level ${ask.level} at ${ask.price} ticks`,
    'QUOTE_CROSSED',
  );
}

function timeOf(value: unknown): number {
  const isTime =
    Number.isSafeInteger(value) && Number.isFinite(new Date(value as number).getTime());
  if (isTime && (value as number) > 0) return value as number;
  return refuse('expiresMs', 'a time in whole milliseconds, as context.nowMs() + 60_000', value);
}

function integerOf(value: unknown, name: string, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  return refuse(name, `a whole number from ${least}`, value);
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? error.message.slice(0, 200)
    : 'a value that is not an error was thrown';
}
