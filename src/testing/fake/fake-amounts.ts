/** The market of a test, and its decimal texts in ticks and lots. */
import { ConfigError } from '../../domain/errors.ts';
import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import { type MarketRules, marketOfRules } from '../../domain/market-rules.ts';
import type { Candle, Top, Trade } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { maxTicks, minTicks, noLots } from '../../domain/ticks-and-lots.ts';
import type { CandleValue, FakeMarketOptions, TopValue, TradeValue } from './fake-options.ts';

/** Returns the market of a test. Throws {@link ConfigError} for rules that do not fit. */
export function fakeMarketOf({ pair = 'XBTZAR', rules = {} }: FakeMarketOptions): Market {
  const usual: MarketRules = {
    ...{ base: pair.slice(0, 3), counter: pair.slice(3) },
    ...{ priceScale: 0, volumeScale: 6, feeScale: 8 },
    ...{ priceMin: '1', priceMax: '1000000000', volumeMin: '0.0001', volumeMax: '1000' },
  };
  const market = marketOfRules(pair, { ...usual, ...rules });
  if (market !== undefined) return market;
  throw new ConfigError(
    `fakeContext: the rules of ${pair} do not fit: ${JSON.stringify({ ...usual, ...rules })}; ` +
      'priceMin and priceMax have at most priceScale decimals, volumeMin and volumeMax volumeScale',
  );
}

/** The amounts of one pair. All functions throw {@link ConfigError}, which names the member. */
export class FakeAmounts {
  readonly market: Market;

  constructor(market: Market) {
    this.market = market;
  }

  ticks(what: string, text: string): Ticks {
    const price = typeof text === 'string' ? parseTicks(text, this.market) : undefined;
    if (price !== undefined && price > 0) return price;
    return refuse(what, text, `a price above 0 with at most ${this.market.priceScale} decimals`);
  }

  lots(what: string, text: string): Lots {
    const volume = typeof text === 'string' ? parseLots(text, this.market) : undefined;
    if (volume !== undefined) return volume;
    return refuse(what, text, `a volume with at most ${this.market.volumeScale} decimals`);
  }

  top(what: string, value: TopValue, timeMs: number): Top | undefined {
    if (value === 'unusable') return undefined;
    const { bid, ask, bidVolume = '1', askVolume = '1' } = value;
    const top = {
      bid: bid === undefined ? undefined : this.ticks(`${what}.bid`, bid),
      bidVolume: bid === undefined ? noLots : this.lots(`${what}.bidVolume`, bidVolume),
      ask: ask === undefined ? undefined : this.ticks(`${what}.ask`, ask),
      askVolume: ask === undefined ? noLots : this.lots(`${what}.askVolume`, askVolume),
      timeMs,
    };
    if (top.bid !== undefined && top.ask !== undefined && top.bid >= top.ask)
      throw new ConfigError(
        `fakeContext: ${what}: the bid of ${bid} is not below the ask of ${ask}`,
      );
    return Object.freeze(top);
  }

  trade(what: string, value: TradeValue, { sequence, timeMs }: Pick<Trade, 'sequence' | 'timeMs'>) {
    const { price, volume = '1', side = 'BID' } = value;
    return {
      ...{ side, price: this.ticks(`${what}.price`, price) },
      ...{ volume: this.lots(`${what}.volume`, volume), sequence, timeMs },
    };
  }

  candle(what: string, value: CandleValue, period: Pick<Candle, 'startMs' | 'intervalMs'>): Candle {
    const close = this.ticks(`${what}.close`, value.close);
    const priceOf = (name: 'open' | 'high' | 'low', usual: Ticks): Ticks => {
      const text = value[name];
      return text === undefined ? usual : this.ticks(`${what}.${name}`, text);
    };
    const open = priceOf('open', close);
    const high = priceOf('high', maxTicks(open, close));
    const low = priceOf('low', minTicks(open, close));
    if (high < maxTicks(open, close) || low > minTicks(open, close))
      throw new ConfigError(`fakeContext: ${what}: open and close are not between low and high`);
    const volume = this.lots(`${what}.volume`, value.volume ?? '1');
    return Object.freeze({ ...period, open, high, low, close, volume });
  }
}

function refuse(what: string, text: unknown, allowed: string): never {
  throw new ConfigError(
    `fakeContext: ${what} must be ${allowed}, as decimal text, was ${JSON.stringify(text)}`,
  );
}
