/**
 * Places what there is room for, and counts what the gate refuses although room was granted. Every
 * few seconds it begins again, with orders of random sides, prices and sizes.
 */
import { concat, defer, from, ignoreElements, map, merge, mergeMap, of, take, tap } from 'rxjs';
import { z } from 'zod';
import {
  defineStrategy,
  type Intent,
  lotsOf,
  type MarketContext,
  type Side,
  ticksOf,
} from '../../../../src/index.ts';

/** What `room` promises: the rules of the pair, the sizes, the position, and the money. */
const promised = new Set(['FORM', 'ORDER_VOLUME', 'ORDER_VALUE', 'POSITION', 'BUDGET', 'FUNDS']);

export default defineStrategy({
  name: 'room-taker',
  parameters: z.strictObject({ asks: z.int(), more: z.int() }),
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const counts = { asked: 0, granted: 0, refused: 0 };
    const refusals = market.refusal$.pipe(
      tap(({ codes, key }) => {
        if (!codes.some((code) => promised.has(code))) return;
        counts.refused++;
        context.log(`refused ${key} ${codes.join(' ')}`);
      }),
      ignoreElements(),
    );
    const ask = (count: number): Intent[] => {
      const { mid } = market;
      if (mid === undefined) return [];
      if (count % 7 === 6)
        return [{ kind: 'cancelAll', pair: market.pair, reason: 'begins again' }];
      const side: Side = context.random() < 0.5 ? 'BID' : 'ASK';
      const away = 0.001 + context.random() * 0.01;
      const price = ticksOf(Math.round(mid * (side === 'BID' ? 1 - away : 1 + away)));
      const size = lotsOf(Math.ceil(10 ** (3 + context.random() * 4)));
      const { volume } = market.room(side, price, size);
      counts.asked++;
      if (volume === 0) return [];
      counts.granted++;
      const terms = { side, price, volume: lotsOf(volume + context.parameters.more) };
      return [{ kind: 'place', pair: market.pair, key: `o${count}`, terms, reason: 'has room' }];
    };
    const asks = context.every(250).pipe(
      take(context.parameters.asks),
      mergeMap((count) => from(ask(count))),
    );
    const done = defer(() => {
      context.log(`room ${JSON.stringify(counts)}`);
      return of<Intent>({ kind: 'done', reason: 'asked often enough' });
    });
    return merge(refusals, concat(asks, done).pipe(map((intent): Intent => intent)));
  },
});
