/**
 * Quotes: a rate, fixed for a limited time, at which the exchange itself trades with the caller.
 *
 * Rules of ours, where the documentation shows none: a quote is priced as if its amount were taken
 * from the book, 1 % worse for the caller; it is valid for 60 seconds; there is no other fee. While
 * a quote is active, its owner's orders in that market are refused. A reversed pair, e.g. ZARXBT,
 * uses the market XBTZAR, with an amount in that market's counter currency.
 *
 * Invariant: a quote is exercised at most once, and never after it was discarded or has expired.
 */
import {
  type Amount,
  amountOf,
  amountOfVolume,
  amountScale,
  formatWireAmount,
  powerOfTen,
} from '../../../../domain/amount.ts';
import { acceptsTakers, type Market, opposite } from '../../../../domain/market.ts';
import type { Book } from '../../../../market/book/book.ts';
import type { ParametersOf } from '../../api/operation.ts';
import type { QuoteRecord } from '../../api/operations/quote-operations.ts';
import type { Operations } from '../../api/operations.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import { houseUserId, type MarketState, type Quote, type User } from '../core/exchange-state.ts';
import type { Handlers } from '../core/handler.ts';
import type { Call, CallContext } from '../core/plan.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { accountsFor, openMarket } from './market-access.ts';
import { checkFunds } from './order-terms.ts';

const quoteValidityMs = 60_000;

type QuoteParameters = ParametersOf<Operations['createQuote']>;
type Checked<T> = ({ readonly kind: 'valid' } & T) | Refusal;

export const quoteCalls: {
  readonly createQuote: Call<'createQuote'>;
  readonly exerciseQuote: Call<'exerciseQuote'>;
  readonly discardQuote: Call<'discardQuote'>;
} = {
  createQuote: (parameters, context) => {
    const checked = checkQuote(parameters, context);
    if (checked.kind === 'refused') return checked;
    const { exchange, user } = context;
    return {
      kind: 'change',
      change: () => {
        const quote: Quote = { ...checked.quote, id: exchange.nextId(), state: 'created' };
        exchange.state.quotes.set(quote.id, quote);
        user.quoteIds.push(quote.id);
        return quoteRecordOf(quote);
      },
    };
  },

  exerciseQuote: ({ id }, { exchange, user }) => {
    const found = quoteFor(exchange, user, id);
    if (found.kind === 'refused') return found;
    const { quote } = found;
    if (quote.state === 'exercised') return { kind: 'answer', answer: quoteRecordOf(quote) };
    if (quote.state === 'discarded') return refuse('ErrInvalidParameters', 'Quote was discarded');
    if (exchange.timeMs >= quote.expiresMs)
      return refuse('ErrDeadlineExceeded', 'Quote has expired');
    const { payer, pays } = legsOf(quote, exchange);
    const short = checkFunds(payer, pays);
    if (short !== undefined) return short;
    return {
      kind: 'change',
      change: () => {
        settle(exchange, quote);
        return quoteRecordOf(quote);
      },
    };
  },

  discardQuote: ({ id }, { exchange, user }) => {
    const found = quoteFor(exchange, user, id);
    if (found.kind === 'refused') return found;
    const { quote } = found;
    if (quote.state === 'exercised') return refuse('ErrInvalidParameters', 'Quote was exercised');
    if (quote.state === 'discarded') return { kind: 'answer', answer: quoteRecordOf(quote) };
    return {
      kind: 'change',
      change: () => {
        quote.state = 'discarded';
        return quoteRecordOf(quote);
      },
    };
  },
};

export const quoteHandlers: Pick<Handlers, 'getQuote'> = {
  getQuote: ({ id }, { exchange, user }) => {
    const found = quoteFor(exchange, user(), id);
    return found.kind === 'refused' ? found : quoteRecordOf(found.quote);
  },
};

/** Returns whether the user could exercise a quote in this market now. */
export function hasActiveQuote(exchange: Exchange, user: User, market: string): boolean {
  // Quotes are in order of creation: if one has expired, so have all earlier ones.
  for (let index = user.quoteIds.length - 1; index >= 0; index--) {
    const quote = exchange.state.quotes.get(user.quoteIds[index] as string);
    if (quote === undefined || exchange.timeMs >= quote.expiresMs) return false;
    if (quote.market === market && quote.state === 'created') return true;
  }
  return false;
}

function checkQuote(
  parameters: QuoteParameters,
  context: CallContext,
): Checked<{ readonly quote: Omit<Quote, 'id' | 'state'> }> {
  const { exchange, user } = context;
  const { type, pair } = parameters;
  const state = marketFor(pair, exchange);
  if (state === undefined) return refuse('ErrInvalidMarketPair', `Invalid market pair ${pair}`);
  const opened = openMarket(state.market.pair, context);
  if (opened.kind === 'refused') return opened;
  const { market } = state;
  if (!acceptsTakers(market.status))
    return refuse('ErrPostOnlyMode', 'Market is in post-only mode');
  const amount = amountOf(parameters.base_amount);
  if (amount === 0n) return refuse('ErrInvalidAmount', 'base_amount must be above zero');
  const isReversed = market.pair !== pair;
  const currencies = isReversed ? { base: market.counter, counter: market.base } : market;
  const trade = { currencies, pair: market.pair, leverage: 0 };
  const accounts = accountsFor(parameters, trade, context);
  if (accounts.kind === 'refused') return accounts;
  const rated = rateOf({ type, amount, isReversed }, market, exchange.bookOf(market.pair).book);
  if (rated.kind === 'refused') return rated;

  const isBuy = type === 'BUY';
  const payer = isBuy ? accounts.counter : accounts.base;
  const pays = isBuy ? rated.counterAmount : amount;
  // The documented refusal is for a balance that "could never cover" the quote. So reserved funds
  // count: they may be released before the quote expires.
  if (payer.balance < pays)
    return refuse(
      'ErrInsufficientBalance',
      `Insufficient balance: ${formatWireAmount(pays)} ${payer.currency} needed`,
    );
  return {
    kind: 'valid',
    quote: {
      userId: user.id,
      type,
      pair,
      market: market.pair,
      baseAmount: amount,
      counterAmount: rated.counterAmount,
      baseAccountId: accounts.base.id,
      counterAccountId: accounts.counter.id,
      createdMs: exchange.timeMs,
      expiresMs: exchange.timeMs + quoteValidityMs,
    },
  };
}

function marketFor(pair: string, exchange: Exchange): MarketState | undefined {
  const { markets } = exchange.state;
  const isReverse = ({ market }: MarketState) => `${market.counter}${market.base}` === pair;
  return markets.get(pair) ?? [...markets.values()].find(isReverse);
}

/**
 * Returns the counter amount of a quote: the value of its amount in the book, 1 % worse for the
 * caller.
 */
function rateOf(
  wanted: {
    readonly type: 'BUY' | 'SELL';
    readonly amount: Amount;
    readonly isReversed: boolean;
  },
  market: Market,
  book: Book,
): Checked<{ readonly counterAmount: Amount }> {
  const isBuy = wanted.type === 'BUY';
  const sweep = sweepAmounts({ ...wanted, isBuy }, market, book);
  if (sweep === undefined)
    return refuse('ErrNotEnoughLiquidity', 'Not enough liquidity for a quote');
  const { inBase, other } = sweep;
  if (inBase < amountOfVolume(market.volumeMin, market))
    return refuse('ErrAmountTooSmall', 'base_amount is below the minimum');
  if (inBase > amountOfVolume(market.volumeMax, market))
    return refuse('ErrAmountTooBig', 'base_amount is above the maximum');
  // Rounded in favour of the exchange, to the decimals of the market's fees.
  const step = powerOfTen(amountScale - market.feeScale);
  const counterAmount = isBuy
    ? ceilingOf(other * 101n, 100n * step) * step
    : ((other * 99n) / (100n * step)) * step;
  return { kind: 'valid', counterAmount };
}

/**
 * Returns the cost or proceeds of taking `amount` from the book, and the amount in the market's
 * base currency; undefined if the book has too little volume. For a reversed pair, `amount` is in
 * the market's counter currency, and buying counter currency means selling base currency.
 */
function sweepAmounts(
  wanted: { readonly amount: Amount; readonly isBuy: boolean; readonly isReversed: boolean },
  market: Market,
  book: Book,
): { readonly inBase: Amount; readonly other: Amount } | undefined {
  const { amount, isBuy, isReversed } = wanted;
  const side = opposite(isBuy === isReversed ? 'ASK' : 'BID');
  const scale = powerOfTen(market.priceScale);
  let [left, other] = [amount, 0n];
  for (
    let price = book.bestPrice(side);
    price !== undefined;
    price = book.priceAfter(side, price)
  ) {
    const base = amountOfVolume(book.volumeAt(side, price), market);
    const value = (base * BigInt(price)) / scale;
    const [offered, gives] = isReversed ? [value, base] : [base, value];
    if (left <= offered) {
      const part = left * gives;
      other += isBuy ? ceilingOf(part, offered) : part / offered;
      return { inBase: isReversed ? other : amount, other };
    }
    left -= offered;
    other += gives;
  }
  return undefined;
}

function quoteFor(exchange: Exchange, user: User, id: string): Checked<{ readonly quote: Quote }> {
  const quote = exchange.state.quotes.get(id);
  if (quote === undefined || quote.userId !== user.id)
    return refuse('ErrNotFound', 'Quote not found');
  return { kind: 'valid', quote };
}

/** Returns the two legs of a quote: who pays how much, and who receives how much. */
function legsOf(quote: Quote, exchange: Exchange) {
  const base = exchange.accountOf(quote.baseAccountId);
  const counter = exchange.accountOf(quote.counterAccountId);
  const { baseAmount, counterAmount } = quote;
  return quote.type === 'BUY'
    ? { payer: counter, pays: counterAmount, receiver: base, receives: baseAmount }
    : { payer: base, pays: baseAmount, receiver: counter, receives: counterAmount };
}

function settle(exchange: Exchange, quote: Quote): void {
  const { payer, pays, receiver, receives } = legsOf(quote, exchange);
  const move = (account: Account, balanceDelta: Amount): void =>
    exchange.record(account, {
      balanceDelta,
      kind: 'EXCHANGE',
      description: `Quote ${quote.id}: ${quote.type} ${formatWireAmount(quote.baseAmount)} ${quote.pair}`,
      reference: quote.id,
    });
  const house = (currency: string) => exchange.ownAccountOf(houseUserId, currency);
  move(payer, -pays);
  move(house(payer.currency), pays);
  move(house(receiver.currency), -receives);
  move(receiver, receives);
  quote.state = 'exercised';
}

function quoteRecordOf(quote: Quote): QuoteRecord {
  return {
    id: quote.id,
    type: quote.type,
    pair: quote.pair,
    base_amount: formatWireAmount(quote.baseAmount),
    counter_amount: formatWireAmount(quote.counterAmount),
    created_at: quote.createdMs,
    expires_at: quote.expiresMs,
    discarded: quote.state === 'discarded',
    exercised: quote.state === 'exercised',
  };
}

function ceilingOf(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
