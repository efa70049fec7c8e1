/**
 * Avellaneda and Stoikov's market maker: quotes around a price that moves away from its position,
 * and further apart the more the market moves and the further from the mid trades are.
 */
import { indicate, param, quoteStrategy, realisedVolatility, share, sma, span } from 'millrace';
import { filter, map, withLatestFrom } from 'rxjs';
import { z } from 'zod';

const bps = 10_000;

/**
 * Returns how far the reservation price is from the mid, and the quotes from that, in bps, with a
 * position of `q` orders; `sigma` in bps per root second, `k` and `gamma` per bps.
 */
export function avellaneda(q: number, sigma: number, k: number, gamma: number, seconds: number) {
  const risk = gamma * sigma ** 2 * seconds;
  return { shift: -q * risk, half: risk / 2 + Math.log1p(gamma / k) / gamma };
}

export default quoteStrategy({
  name: 'avellaneda',
  parameters: {
    gamma: param(z.number(), {
      description: 'The aversion to risk: with more of it the quotes follow the position further.',
      ...{ unit: 'per bps', from: 0.000_001, to: 1_000, default: 0.01, mayChange: true },
    }),
    horizon: param(span, {
      description: 'How long a position is expected to stay.',
      ...{ from: '1s', to: '24h', default: '60s', mayChange: true },
    }),
    window: param(z.int(), {
      description: 'How many seconds the volatility counts, and how many trades their distance.',
      ...{ unit: 'seconds and trades', from: 2, to: 10_000, default: 200 },
    }),
    leastHalfSpread: param(share, {
      description: 'The least distance of a quote from the reservation price.',
      ...{ from: '0.1bps', to: '50%', default: '10bps', mayChange: true },
    }),
  },
  halfSpread: ({ leastHalfSpread }) => leastHalfSpread,
  requote: (market, { every, parameters: { window } }) => {
    const mid$ = every(1_000).pipe(
      map(() => market.mid),
      filter((mid) => mid !== undefined),
    );
    const far$ = market.trade$.pipe(
      withLatestFrom(mid$),
      map(([{ price }, mid]) => bps * Math.abs(price / mid - 1)),
      indicate(() => sma(window)),
    );
    return mid$.pipe(
      indicate(() => realisedVolatility(window)),
      withLatestFrom(far$),
    );
  },
  quote: ({ mid, market, signal, parameters }) => {
    const { size, gamma, horizon, leastHalfSpread } = parameters;
    const [sigma, far] = signal ?? [];
    if (sigma === undefined || far === undefined) return { why: 'too little is known yet' };
    const q = market.position.base / market.lots(size);
    const { shift, half } = avellaneda(q, bps * sigma, 1 / far, gamma, horizon / 1_000);
    const price = mid * (1 + shift / bps);
    const width = mid * Math.max(half / bps, leastHalfSpread);
    market.plot('reservation price', price);
    return { bid: price - width, ask: price + width };
  },
});
