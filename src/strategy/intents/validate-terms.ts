/**
 * Validates the terms of an order in an intent, and has what every check of an intent uses.
 */
import { parseAmount } from '../../domain/amount.ts';
import { Decimal } from '../../domain/money.ts';
import type { MarketTerms, Stop, Terms } from '../../domain/order.ts';
import { describe, isPlainObject } from '../json-value.ts';

/** Thrown by the checks of an intent; caught where an intent is validated. */
export class Invalid extends Error {
  readonly code: 'INVALID_INTENT' | 'QUOTE_CROSSED';

  constructor(problem: string, code: Invalid['code'] = 'INVALID_INTENT') {
    super(problem);
    this.code = code;
  }
}

export type Members = Readonly<Record<string, unknown>>;

/** An object under construction. */
export type Draft<Made> = { -readonly [Name in keyof Made]: Made[Name] };

/** The members of the terms of an order of a quote, and of any order. */
export const quotedTermNames = ['side', 'price', 'volume', 'timeInForce', 'postOnly'];
// An order of its own that a strategy copies has `pays`, without a value.
const termNames = [...quotedTermNames, 'stop', 'pays'];
const stopNames = ['price', 'direction'];
const sellNames = ['type', 'side', 'volume'];
const buyNames = ['type', 'side', 'spend'];

const wholeTicks = 'a whole number of ticks from 1, as ticks() and round() return';
const wholeLots = 'a whole number of lots from 1, as lots() and lotsFor() return';

/** Where the terms are: in a `place` intent, or at an index in the orders of a quote. */
type Where = 'terms' | number;

/** Called only for a refusal, since building a text for each valid intent would cost time. */
function memberText(where: Where, name: string): string {
  return `${where === 'terms' ? where : `orders[${where}]`}.${name}`;
}

/** Returns the terms of a placed order: of a market order if they have a type. */
export function placedTermsOf(members: Members): Terms | MarketTerms {
  if (Object.hasOwn(members, 'type')) return marketTermsOf(members);
  checkNames(members, 'terms', termNames);
  const { pays } = members;
  if (pays !== undefined)
    return refuse('terms.pays', "left out: a market order is { type: 'market', … }", pays);
  return termsOf(members, 'terms');
}

function marketTermsOf(members: Members): MarketTerms {
  const { type, side } = members;
  if (type !== 'market') return refuse('terms.type', 'market, or left out for another order', type);
  if (side === 'ASK') {
    checkNames(members, 'terms of a market sale', sellNames);
    const { volume } = members;
    if (!isSteps(volume)) return refuse('terms.volume', wholeLots, volume);
    return { type, side, volume: volume as Terms['volume'] };
  }
  if (side !== 'BID') return refuse('terms.side', 'BID or ASK', side);
  checkNames(members, 'terms of a market buy', buyNames);
  const { spend } = members;
  const text = spend instanceof Decimal ? spend.toFixed() : spend;
  const amount = typeof text === 'string' ? parseAmount(text) : undefined;
  if (typeof text !== 'string' || amount === undefined || amount <= 0n)
    return refuse('terms.spend', 'an amount above 0, as text or as valueOf() returns it', spend);
  return { type, side, spend: text };
}

export function termsOf(members: Members, where: Where): Terms {
  const { side, timeInForce, postOnly } = members;
  if (side !== 'BID' && side !== 'ASK') {
    return refuse(memberText(where, 'side'), 'BID or ASK', side);
  }
  const given =
    timeInForce === undefined ||
    timeInForce === 'GTC' ||
    timeInForce === 'IOC' ||
    timeInForce === 'FOK';
  if (!given) return refuse(memberText(where, 'timeInForce'), 'GTC, IOC or FOK', timeInForce);
  if (postOnly !== undefined && typeof postOnly !== 'boolean') {
    return refuse(memberText(where, 'postOnly'), 'true or false', postOnly);
  }
  const { price, volume } = members;
  if (!isSteps(price)) return refuse(memberText(where, 'price'), wholeTicks, price);
  if (!isSteps(volume)) {
    return refuse(memberText(where, 'volume'), wholeLots, volume);
  }
  const terms: Draft<Terms> = {
    side,
    price: price as Terms['price'],
    volume: volume as Terms['volume'],
  };
  if (timeInForce !== undefined) terms.timeInForce = timeInForce;
  if (postOnly !== undefined) terms.postOnly = postOnly;
  const { stop } = members;
  if (stop !== undefined) terms.stop = stopIn(stop, where);
  return terms;
}

function stopIn(value: unknown, where: Where): Stop {
  const name = memberText(where, 'stop');
  if (!isPlainObject(value)) return refuse(name, 'an object with a price', value);
  checkNames(value, name, stopNames);
  const { price, direction } = value;
  if (direction !== undefined && direction !== 'ABOVE' && direction !== 'BELOW')
    return refuse(`${name}.direction`, 'ABOVE or BELOW', direction);
  if (!isSteps(price)) return refuse(`${name}.price`, wholeTicks, price);
  const stop: Draft<Stop> = { price: price as Stop['price'] };
  if (direction !== undefined) stop.direction = direction;
  return Object.freeze(stop);
}

/**
 * Refuses unknown members; each known one is then read once, where it is checked. Symbols are not
 * looked for: nobody expects them to have an effect.
 */
export function checkNames(value: Members, where: string, names: readonly string[]): void {
  // Without a list of the names; inherited ones do not count.
  for (const name in value)
    if (!isAmong(names, name) && Object.hasOwn(value, name))
      throw new Invalid(`${where} has no member ${name.slice(0, 80)}; it has ${names.join(', ')}`);
}

/** As `includes`, which takes twice as long for a short list of texts. */
function isAmong(names: readonly string[], name: string): boolean {
  for (let at = 0; at < names.length; at++) if (names[at] === name) return true;
  return false;
}

function isSteps(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

export function refuse(name: string, allowed: string, value: unknown): never {
  throw new Invalid(`${name} must be ${allowed}, was ${describe(value)}`);
}
