/**
 * Guéant, Lehalle and Fernandez-Tapia's market maker: as Avellaneda and Stoikov's, but a position
 * may stay for ever, and the more trades there are the less its quotes follow it.
 */
import {
  indicate,
  param,
  quoteStrategy,
  realisedVolatility,
  share,
  sma,
  tradeIntensity,
} from 'millrace';
import { filter, map, withLatestFrom } from 'rxjs';
import { z } from 'zod';

const bps = 10_000;

/**
 * Returns how far the middle of the quotes is from the mid, and the quotes from that, in bps, with
 * a position of `q` orders; `sigma` in bps per root second, `k` and `gamma` per bps, `rate` in
 * trades a second of each side.
 */
export function glft(q: number, sigma: number, k: number, gamma: number, rate: number) {
  const risk = (gamma / (2 * k * rate)) * (1 + gamma / k) ** (1 + k / gamma);
  const step = sigma * Math.sqrt(risk);
  return { shift: -q * step, half: Math.log1p(gamma / k) / gamma + step / 2 };
}

export default quoteStrategy({
  name: 'glft',
  parameters: {
    gamma: param(z.number(), {
      description: 'The aversion to risk: with more of it the quotes follow the position further.',
      ...{ unit: 'per bps', from: 0.000_001, to: 1_000, default: 0.01, mayChange: true },
    }),
    window: param(z.int(), {
      description: 'How many seconds the volatility counts, and how many trades the intensity.',
      ...{ unit: 'seconds and trades', from: 2, to: 10_000, default: 200 },
    }),
    leastHalfSpread: param(share, {
      description: 'The least distance of a quote from the middle of both.',
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
      withLatestFrom(far$, market.trade$.pipe(indicate(() => tradeIntensity(window)))),
    );
  },
  quote: ({ mid, market, signal, parameters: { size, gamma, leastHalfSpread } }) => {
    const [sigma, far, rate] = signal ?? [];
    if (sigma === undefined || far === undefined || rate === undefined)
      return { why: 'too little is known yet' };
    const q = market.position.base / market.lots(size);
    const { shift, half } = glft(q, bps * sigma, 1 / far, gamma, rate / 2);
    const middle = mid * (1 + shift / bps);
    const width = mid * Math.max(half / bps, leastHalfSpread);
    market.plot('middle of the quotes', middle);
    return { bid: middle - width, ask: middle + width };
  },
});
