/**
 * The sentence for a refusal of the gate: the observed value, the limit, their unit and the
 * settings key of the limit. It is made from the stored refusal, so old decisions can be shown too.
 */
import { type DeclaredLimit, declaredLimits } from './declared-limits.ts';
import { durationText } from './unit-text.ts';

/** The stored fields of a refusal; `missing` stands for an unknown value or limit. */
type Refusal = Readonly<Record<'code' | 'observed' | 'limit' | 'unit', string>>;

/** What the settings key of a limit depends on. */
type Scope = { readonly strategyId: string; readonly pair: string };

type Sentence = (refusal: Refusal, scope: Scope) => string;

/** Returns the code and the sentence of a refusal, for people. */
export function refusalText(refusal: Refusal, scope: Scope): string {
  const sentence = sentences.get(refusal.code) ?? ofOtherCode;
  return `${refusal.code}: ${sentence(refusal, scope)}`;
}

const fixed = 'fixed';
const account = 'limits.account';

/** A value with its unit, or `not known`. */
function quantity(value: string, unit: string): string {
  return value === 'missing' ? 'not known' : withUnit(value, unit);
}

/** The second half of a sentence: the limit and its settings key. */
function butLimit(limit: string, unit: string, key: string): string {
  return limit === 'missing'
    ? `but no limit is set (${key})`
    : `but the limit is ${withUnit(limit, unit)} (${key})`;
}

function withUnit(value: string, unit: string): string {
  return unit === '' ? value : `${value} ${unit}`;
}

/** The sentence of a budget, whose key ends with the currency that the refusal has as its unit. */
function budget(subject: string): Sentence {
  return ({ observed, limit, unit }, { strategyId }) => {
    const key = `strategies.${strategyId}.budget.${unit}`;
    return `${subject} is ${quantity(observed, unit)}, ${butLimit(limit, unit, key)}`;
  };
}

/** The sentence of a limit that no setting changes. */
function fixedLimit(subject: string): Sentence {
  return ({ observed, limit, unit }) =>
    `${subject} is ${quantity(observed, unit)}, ${butLimit(limit, unit, fixed)}`;
}

/** The sentence of a limit of the settings, whose unit is shown if it is an amount or a time. */
function ofLimit({ kind, path, refusesEqual }: DeclaredLimit, subject: string): Sentence {
  return ({ observed, limit, unit: stored }, { pair }) => {
    const unit = ['amounts', 'amount', 'span'].includes(kind) ? stored : '';
    const below = kind === 'amounts' ? `.${stored}` : kind === 'identical' ? '.max' : '';
    const key = `${path.replace('<pair>', () => pair)}${below}`;
    if (kind === 'losses')
      return `${subject} ${durationText(Number.parseInt(observed, 10))} (${key})`;
    const isStop = refusesEqual === true && limit !== 'missing';
    const but = isStop
      ? `but trading stops at ${limit} ${unit} (${key})`
      : butLimit(limit, unit, key);
    return `${subject} is ${quantity(observed, unit)}, ${but}`;
  };
}

const ofOtherCode: Sentence = ({ observed, limit, unit }) =>
  `the observed value is ${quantity(observed, unit)}, but the limit is ${quantity(limit, unit)}`;

const states: Readonly<Record<string, (scope: Scope) => string>> = {
  'global state': () => 'the bot',
  'strategy state': ({ strategyId }) => `strategy ${strategyId}`,
  'pair state': ({ pair }) => `pair ${pair}`,
};

function tradingState({ observed, limit, unit }: Refusal, scope: Scope): string {
  const of = states[unit]?.(scope) ?? unit;
  return `the trading state of ${of} is ${quantity(observed, '')}, but must be ${limit}`;
}

const places: Readonly<Record<string, string>> = {
  simulator: 'the simulator',
  replay: 'the replay exchange',
  exchange: 'the exchange',
};

function placeOf(name: string): string {
  return places[name] ?? name;
}

function environment({ observed, limit, unit }: Refusal): string {
  if (unit === 'live flag') return 'live trading needs the option --live, which is absent';
  if (unit === 'destination') {
    const [mode, to = ''] = observed.split(' to ');
    const expected = limit.split(' to ')[1] ?? '';
    const text = `mode ${mode} would send orders to ${placeOf(to)}`;
    return `${text}, but may send them only to ${placeOf(expected)} (venue)`;
  }
  const text = `the fingerprint of the API key is ${quantity(observed, '')}`;
  return limit === 'missing'
    ? `${text}, but no fingerprint is allowed (live.keyFingerprint)`
    : `${text}, but the allowed one is ${limit} (live.keyFingerprint)`;
}

function version({ observed, limit, unit }: Refusal): string {
  const [subject, key] =
    unit === 'settings'
      ? ['the settings of strategies, limits and accounts', 'approved.settings']
      : ["the strategy's code", 'approved.strategies'];
  const hash = `the hash of ${subject} is ${quantity(observed, '')}`;
  return limit === 'missing'
    ? `${hash}, but no hash is approved (${key})`
    : `${hash}, but only ${limit} is approved (${key})`;
}

const permissionKeys: Readonly<Record<string, string>> = {
  pair: 'pairs',
  side: 'allow.sides',
  type: 'allow.types',
  timeInForce: 'allow.timeInForce',
  postOnly: 'allow.postOnly',
};

function permission({ observed, limit, unit }: Refusal, { strategyId }: Scope): string {
  if (unit === 'strategy') return `${observed} is not a strategy of this bot (strategies)`;
  const key = permissionKeys[unit];
  if (key !== undefined) {
    const text = `${unit} ${observed} is not allowed: strategies.${strategyId}.${key} is ${limit}`;
    const types = [limit, observed].filter((one) => one !== 'none').join(', ');
    return unit === 'type' ? `${text}; to allow it, set it to [${types}]` : text;
  }
  const currency = unit.replace(/ account$/u, '');
  return limit === 'missing'
    ? `the ${unit} is ${observed}, but no account is set (accounts.${currency})`
    : `the ${unit} is ${observed}, but must be ${limit} (accounts.${currency})`;
}

function form({ observed, limit, unit }: Refusal): string {
  if (unit === 'pair') return `${observed} is not a known market`;
  if (unit === 'pays') return `what the market order pays is ${observed}, but must be ${limit}`;
  if (unit === 'lots at ticks')
    return `volume and price are ${observed} (lots at ticks), but must be ${limit}`;
  return `${unit} is ${observed}, but must be ${limit.replaceAll(', ', ' or ')}`;
}

function range(subject: string): Sentence {
  return ({ observed, limit, unit }) =>
    `${subject} is ${observed} ${unit}, but the market allows ${limit} ${unit}`;
}

function stopPrice({ observed, limit, unit }: Refusal): string {
  const subject = `the stop price is ${observed} ${unit}`;
  return limit === 'missing'
    ? `${subject}, but the last trade is not known`
    : `${subject}, but must be ${limit} ${unit}`;
}

function marketPrice({ observed, limit, unit }: Refusal): string {
  const subject = `the price at which the market order counts is ${observed} ${unit}`;
  return limit.endsWith('missing')
    ? `${subject}, but the mid or the collar is not known`
    : `${subject}, but must be ${limit} ${unit}`;
}

function selfTrade({ observed, limit, unit }: Refusal): string {
  if (observed === 'any price')
    return 'a market order may trade with any order of this bot on the other side, which must end first';
  // What a market order of ours on the other side leaves: no price.
  if (limit === 'above Infinity' || /^below 0(\.0+)?$/u.test(limit))
    return `at ${observed} ${unit} the order may trade with a market order of this bot, which must end first`;
  return (
    `at ${observed} ${unit} the order would trade with an order of this bot, ` +
    `but its price must be ${limit} ${unit}`
  );
}

function unknownOrders({ observed, limit, unit }: Refusal, { pair }: Scope): string {
  const where = unit === 'orders' ? 'on all pairs' : `on ${pair}`;
  const text = `the number of orders with an unknown outcome ${where}`;
  return `${text} is ${quantity(observed, '')}, ${butLimit(limit, '', fixed)}`;
}

function funds({ observed, limit, unit }: Refusal, { pair }: Scope): string {
  // A bid pays with the counter currency, the second half of the pair's name.
  const fee = pair.endsWith(unit) ? ` with a possible fee (${account}.feeBuffer)` : '';
  const needed = `the order needs ${observed} ${unit}${fee}`;
  if (observed === 'missing') return `what the order needs in ${unit} is not known`;
  return limit === 'missing'
    ? `${needed}, but the available balance is not known`
    : `${needed}, but the available balance is ${limit} ${unit}`;
}

function reduceOnly({ observed, unit }: Refusal): string {
  const subject = 'the worst-case position with this order';
  return `${subject} is ${quantity(observed, unit)}, but a reducing order must not pass 0`;
}

function approval({ observed, limit, unit }: Refusal): string {
  const [currency = unit, token] = unit.split(' without approval ');
  const text = `the order's value is ${quantity(observed, currency)}`;
  const key = `${account}.approveAbove.${currency}`;
  if (token === undefined) return `${text}, ${butLimit(limit, currency, key)}`;
  const most = `${limit} ${currency} (${key})`;
  return `${text}, but an order above ${most} is not placed without approval ${token}`;
}

const sentences: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ...Object.values(declaredLimits)
    .flat()
    .flatMap((limit) =>
      Object.entries(limit.refusals ?? {}).map(
        ([code, subject]) => [code, ofLimit(limit, subject)] as const,
      ),
    ),
  ['TRADING_STATE', tradingState],
  ['ENVIRONMENT', environment],
  ['VERSION', version],
  ['NOT_RECONCILED', () => 'orders, fills and balances are not reconciled with the exchange yet'],
  ['STORE_NOT_DURABLE', () => 'the database is not set to survive a power cut'],
  ['LOCK_NOT_HELD', () => 'this process does not hold the lock on the database'],
  ['CLOCK_SKEW', fixedLimit("the difference between our clock and the exchange's")],
  ['LOOP_DELAY', fixedLimit('the delay of the event loop')],
  ['UNKNOWN_ORDERS', unknownOrders],
  ['NOT_PERMITTED', permission],
  ['FORM', form],
  ['PRICE_RANGE', range('the price')],
  ['VOLUME_RANGE', range('the volume')],
  ['STOP_PRICE', stopPrice],
  ['MARKET_PRICE', marketPrice],
  [
    'MARKET_STATUS',
    ({ observed, limit }) =>
      `the market's status is ${quantity(observed, '')}, but must be ${limit}`,
  ],
  ['ORDER_VALUE', budget("the order's value")],
  ['BOOK_UNUSABLE', (_refusal, { pair }) => `the order book of ${pair} is not usable`],
  ['TRADES_STALE', fixedLimit('the age of the newest trade')],
  ['SELF_TRADE', selfTrade],
  ['REDUCE_ONLY', reduceOnly],
  ['BUDGET', budget('the budget in use with this order')],
  ['FUNDS', funds],
  // Has the token to approve the order by.
  ['APPROVAL', approval],
  ['KEY_USED', ({ observed }) => `the key ${observed} was used before; an order needs a new key`],
  [
    'EXPIRED',
    ({ observed, limit }) => `the order expires at ${observed}, but it is ${limit} already`,
  ],
  ['INVALID_INTENT', ({ observed }) => `the intent is invalid: ${observed}`],
  [
    'QUOTE_CROSSED',
    ({ observed, limit, unit }) =>
      unit === 'part'
        ? `${observed} would trade with ${limit}, which another part quotes`
        : `the quote is invalid: ${observed}`,
  ],
]);

/** Returns the refusal of an order that has expired when it is asked for. */
export function expiredRefusal(expiresMs: number, nowMs: number): Refusal {
  const [observed, limit] = [expiresMs, nowMs].map((ms) => new Date(ms).toISOString());
  return { code: 'EXPIRED', observed: observed ?? '', limit: limit ?? '', unit: 'time' };
}
