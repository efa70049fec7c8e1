/**
 * A strategy that uses every member of the contract, and asks for an intent of each kind. What it
 * has used is in its log when it is done.
 */
import {
  concat,
  defer,
  EMPTY,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  take,
  tap,
} from 'rxjs';
import { z } from 'zod';
import {
  amount,
  bollinger,
  cancel,
  defineStrategy,
  type Intent,
  lotsOf,
  type MarketContext,
  macd,
  param,
  place,
  type QuotedOrder,
  quote,
  sma,
  ticksOf,
} from '../../../../src/index.ts';
import { MemberUses } from './member-uses.ts';

const parameters = z.strictObject({
  size: param(amount, {
    ...{ description: 'The volume of each order.', default: '0.001' },
    ...{ from: '0.001', to: '0.01', mayChange: true },
  }),
  fast: param(z.int(), { description: 'Candles.', default: 2, from: 1, to: 10 }),
  /** How many seconds it runs. */
  seconds: z.int(),
});

const state = z.object({ bought: z.number() });

/** What it asks for in each second. */
function intentsAt(
  second: number,
  nowMs: number,
  market: MarketContext,
  size: string,
): readonly Intent[] {
  const { pair, top } = market;
  const expiresMs = nowMs + 60_000;
  if (top?.bid === undefined || top.ask === undefined) return [];
  const volume = market.lots(size);
  const bid = ticksOf(top.bid);
  const ask = ticksOf(top.ask);
  const level = (name: string, side: 'BID' | 'ASK'): QuotedOrder => ({
    ...{ level: name, side, price: side === 'BID' ? bid : ask, volume, tag: 'touch' },
    ...{ timeInForce: 'GTC', postOnly: true },
  });
  const bidOf = (key: string, price: number, more: object): Intent => {
    const terms = { side: 'BID', price: ticksOf(price), volume, ...more } as const;
    return place(market, key, terms, 'uses the contract', { tag: 'entry', expiresMs });
  };
  switch (second % 10) {
    case 1:
      return [bidOf(`taker-${second}`, Math.ceil(ask * 1.002), { timeInForce: 'IOC' })];
    case 2: {
      const spend = market.valueOf(ask, volume);
      const terms = { type: 'market', side: 'BID', spend } as const;
      return [place(market, `buys-${second}`, terms, 'buys at market')];
    }
    case 3:
      return [bidOf(`rests-${second}`, Math.floor(bid * 0.99), { timeInForce: 'GTC' })];
    case 4:
      return [
        bidOf(`stop-${second}`, Math.ceil(ask * 1.01), { stop: { price: Math.ceil(ask * 1.005) } }),
      ];
    case 5:
      return [cancel(market, `rests-${second - 2}`, 'it has rested')];
    case 6:
      return [bidOf(`large-${second}`, bid, { volume: market.rules.volumeMax, postOnly: true })];
    case 7: {
      const terms = { type: 'market', side: 'ASK', volume } as const;
      return [place(market, `sells-${second}`, terms, 'sells at market')];
    }
    case 8:
      return [
        { kind: 'cancelAll', pair, reason: 'begins again' },
        { kind: 'idle', pair, reason: 'begins again' },
        { kind: 'remember', state: { bought: second } },
      ];
    default: {
      const orders = [
        level('bid', 'BID'),
        ...(market.position.base > volume ? [level('ask', 'ASK')] : []),
      ];
      return [quote(market, orders, 'at the best prices')];
    }
  }
}

export default defineStrategy({
  name: 'every-member',
  parameters,
  pairs: 1,
  watches: 'any',
  state: { schema: state, initial: { bought: 0 } },
  warmUp: ({ fast }) => ({ intervalMs: 60_000, candles: fast }),
  quoting: () => ({ halfSpread: 0.002, refreshMs: 1_000, tolerance: 0.0001 }),
  needs: ({ size }) => ({
    ...{ sides: ['BID', 'ASK'], timeInForce: ['GTC', 'IOC'], postOnly: false },
    ...{ types: ['limit', 'stop-limit', 'market'], size, ordersAtOnce: 3 },
  }),
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const feed = context.feed('reference');
    const slot = context.slot('bought', z.number(), 0);
    const [average, bands, averages] = [sma(3), bollinger(3, 2), macd(2, 3, 2)];
    const uses = new MemberUses();
    const look = (): void => {
      uses.use('Context', context, market);
      uses.use('MarketContext', market, market);
      uses.use('MarketBook', market.book, market);
      uses.use('Position', market.position, market);
      uses.use('PairRules', market.rules, market);
      uses.use('Slot', slot, market);
      uses.use('Totals', market.totals, market);
      uses.use('Traded', market.totals.bought, market);
      uses.use('Fees', market.totals.fees, market);
      uses.use('Profit', market.profit, market);
      const balance = context.balance(market.base);
      if (balance !== undefined) uses.use('AccountBalance', balance, market);
      uses.use('Feed', feed, market);
      uses.use('CallsLeft', context.callsLeft(), market);
      for (const order of market.orders) uses.use('OwnOrder', order, market);
      for (const order of market.orders) uses.use('Terms', order.terms, market);
      for (const level of market.book.levels('BID', 3)) uses.use('BookLevel', level, market);
      for (const candle of market.history) uses.use('Candle', candle, market);
      uses.use('Indicator', average, market);
      if (market.mid !== undefined) {
        average.add(market.mid);
        const [around, apart] = [bands.add(market.mid), averages.add(market.mid)];
        if (around !== undefined) uses.use('Bands', around, market);
        if (apart !== undefined) uses.use('Macd', apart, market);
      }
      const { bid } = market.top ?? {};
      if (bid === undefined) return;
      uses.use('Room', market.room('BID', bid, market.rules.volumeMin), market);
      uses.use('Room', market.room('BID', bid, lotsOf(10 ** 12)), market);
    };
    const watched = merge(
      market.top$.pipe(tap((top) => uses.use('Top', top, market))),
      market.trade$.pipe(tap((trade) => uses.use('Trade', trade, market))),
      market.order$.pipe(
        tap((order) => uses.use('OwnOrder', order, market)),
        tap(({ terms }) => uses.use('OwnTerms', terms, market)),
      ),
      market.fill$.pipe(tap((fill) => uses.use('Fill', fill, market))),
      market.refusal$.pipe(tap((refusal) => uses.use('Refusal', refusal, market))),
      feed.value$.pipe(tap((given) => uses.use('FeedValue', given, market))),
      market.candle$(1_000).pipe(tap((candle) => uses.use('Candle', candle, market))),
    ).pipe(ignoreElements());
    const followed = [
      ...uses.follow('Context', context, market),
      ...uses.follow('MarketContext', market, market),
      ...uses.follow('Feed', feed, market),
    ];
    const acts = context.every(1_000).pipe(
      take(context.parameters.seconds),
      tap(look),
      mergeMap((second) =>
        concat(
          from(intentsAt(second, context.nowMs(), market, context.parameters.size)),
          // What was asked for is among the orders at once, also if the gate refuses it.
          defer(() => {
            for (const order of market.orders) uses.use('OwnTerms', order.terms, market);
            return EMPTY;
          }),
        ),
      ),
    );
    const done = defer(() => {
      for (const line of uses.lines()) context.log(line);
      return of<Intent>({ kind: 'done', reason: 'every member was used' });
    });
    return merge(watched, ...followed, concat(acts, done).pipe(map((intent): Intent => intent)));
  },
});
