/** The stored inputs of a decision, see `src/risk/inputs.ts`, as lines for people, with units. */
import { Decimal, formatDecimal } from '../domain/money.ts';
import { durationText } from '../domain/unit-text.ts';

/** The order that was judged, and what its amounts are counted in. */
export type JudgedOrder = {
  readonly side: 'BID' | 'ASK';
  readonly pair: string;
  /** Has all decimals of a price of the market. */
  readonly price: string;
  readonly base: string;
  readonly counter: string;
};

/** Decisions of older versions may lack some. JSON has null where a value was not known. */
type Stored = Partial<{
  readonly states: readonly (string | null)[];
  readonly reconciled: boolean;
  readonly skewMs: number;
  readonly loopDelayMs: number;
  readonly unknown: readonly (number | null)[];
  readonly ageMs: number;
  readonly status: string;
  readonly book: number | 'unusable';
  readonly mid2: number;
  readonly median: number;
  readonly medianAgeMs: number;
  readonly strayed: string;
  readonly strayedWithinMs: number;
  readonly facing: number;
  readonly position: Worst;
  readonly pairPosition: Worst;
  readonly flowBase: Worst;
  readonly flowCounter: Worst;
  readonly free: string;
  readonly open: readonly string[];
  readonly turnoverDay: string;
  readonly orders: number;
  readonly rate: readonly number[];
  readonly lossDay: string;
  readonly drawdown: string;
  readonly losses: number;
}>;

/** The lowest, the present and the highest amount; the others if all open orders of a side fill. */
type Worst = readonly [lowest: string, held: string, highest: string];

/** Returns a line for each group of values that the gate judged by; none for `{}`. */
export function inputLines(inputs: string, order: JudgedOrder): readonly string[] {
  const stored = JSON.parse(inputs) as Stored;
  const { base, counter } = order;
  return [
    ['states', statesText(stored, order)],
    ['market', marketText(stored, order)],
    ['exchange', exchangeText(stored, order)],
    ['position', worstText(stored.position, base)],
    ['of all', worstText(stored.pairPosition, base)],
    ['gained', joined([worstText(stored.flowBase, base), worstText(stored.flowCounter, counter)])],
    ['available', quantity(stored.free, order.side === 'BID' ? counter : base)],
    ['open orders', openText(stored, counter)],
    ['new orders', rateText(stored.rate)],
    ['today', todayText(stored, counter)],
  ].flatMap(([name = '', text]) => (text === undefined ? [] : [`${name.padEnd(11)} ${text}`]));
}

function statesText({ states }: Stored, { pair }: JudgedOrder): string | undefined {
  if (states === undefined) return undefined;
  const names = ['bot', 'strategy', pair];
  return names.map((name, i) => `${name} ${states[i] ?? 'not known'}`).join(', ');
}

function marketText(stored: Stored, order: JudgedOrder): string | undefined {
  const { status, book, mid2, median, medianAgeMs, facing } = stored;
  const price = (ticks: number | undefined): string | undefined =>
    ticks === undefined ? undefined : `${priceOf(ticks, order)} ${order.counter}`;
  const trades = price(median);
  const age = medianAgeMs === undefined ? '' : ` (the newest ${durationText(medianAgeMs)} ago)`;
  const own = price(facing);
  return joined([
    status,
    book === 'unusable' ? 'the book is unusable' : ageOf('the book is', book, 'old'),
    mid2 === undefined ? undefined : `mid ${price(mid2 / 2)}`,
    trades === undefined ? undefined : `median of trades ${trades}${age}`,
    own === undefined ? undefined : `own best ${order.side === 'BID' ? 'ASK' : 'BID'} ${own}`,
  ]);
}

function exchangeText(stored: Stored, { pair }: JudgedOrder): string | undefined {
  const { reconciled, skewMs, loopDelayMs, unknown, ageMs } = stored;
  const [ofPair, ofAll] = unknown ?? [];
  return joined([
    reconciled === undefined ? undefined : reconciled ? 'reconciled' : 'not reconciled',
    skewText(skewMs),
    ageOf('events waited', loopDelayMs),
    ageOf('the order waited', ageMs),
    unknown === undefined
      ? undefined
      : `orders with an unknown outcome: ${ofPair ?? '?'} on ${pair}, ${ofAll ?? '?'} in all`,
  ]);
}

function skewText(skewMs: number | undefined): string | undefined {
  if (skewMs === undefined) return undefined;
  const than = skewMs < 0 ? 'behind' : 'ahead';
  return `our clock is ${durationText(Math.abs(skewMs))} ${than}`;
}

function openText(stored: Stored, counter: string): string | undefined {
  const { orders, open, strayed, strayedWithinMs } = stored;
  const [own, all] = open ?? [];
  const within = strayedWithinMs === undefined ? '' : ` within ${durationText(strayedWithinMs)}`;
  return joined([
    orders === undefined ? undefined : `${orders} in all`,
    open === undefined
      ? undefined
      : `worth ${quantity(own, counter)} of the strategy, ${quantity(all, counter)} in all`,
    strayed === undefined
      ? undefined
      : `approved${within} away from the mid by ${quantity(strayed, counter)}`,
  ]);
}

function rateText(rate: readonly number[] | undefined): string | undefined {
  if (rate === undefined) return undefined;
  const [second, minute, ownSecond, ownMinute] = rate;
  return `in a second ${second} (of the strategy ${ownSecond}), in a minute ${minute} (${ownMinute})`;
}

function todayText(stored: Stored, counter: string): string | undefined {
  const { turnoverDay, lossDay, drawdown, losses } = stored;
  const named = (name: string, amount: string | undefined): string | undefined =>
    amount === undefined ? undefined : `${name} ${quantity(amount, counter)}`;
  return joined([
    named('turnover', turnoverDay),
    lossDay?.startsWith('-') ? named('gain', lossDay.slice(1)) : named('loss', lossDay),
    named('drawdown since the highest profit', drawdown),
    losses === undefined ? undefined : `losing trades in a row: ${losses}`,
  ]);
}

function worstText(worst: Worst | undefined, currency: string): string | undefined {
  if (worst === undefined) return undefined;
  const [lowest, held, highest] = worst;
  const isCertain = lowest === held && held === highest;
  const range = isCertain ? '' : ` (${lowest} to ${highest} with the open orders)`;
  return `${held} ${currency}${range}`;
}

function quantity(amount: string | undefined, currency: string): string | undefined {
  return amount === undefined ? undefined : `${amount} ${currency}`;
}

/** Returns a price of `ticks`, which may be half ones. */
function priceOf(ticks: number, { price }: JudgedOrder): string {
  const decimals = price.split('.')[1]?.length ?? 0;
  return formatDecimal(new Decimal(ticks).div(new Decimal(10).pow(decimals)));
}

function ageOf(before: string, ms: number | undefined, after = ''): string | undefined {
  return ms === undefined ? undefined : `${before} ${durationText(ms)} ${after}`.trimEnd();
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}
