/**
 * A strategy that asks for nonsense now and then, and one day fails on a fill: the nonsense is
 * refused and the strategy goes on; what it wanted to remember is kept, and the fill comes again
 * after the restart. One that keeps asking for nonsense is stopped.
 */
import { concat, concatMap, filter, map, merge, mergeMap, NEVER, of, take } from 'rxjs';
import { z } from 'zod';
import { MissedFills } from '../../../src/engine/missed-fills.ts';
import { defineStrategy, type Intent, type MarketContext } from '../../../src/index.ts';
import type { AnyStrategy } from '../../../src/strategy/contract.ts';
import { IntentQueue } from '../../../src/strategy/intent-queue.ts';
import { InvalidIntents } from '../../../src/strategy/invalid-intents.ts';
import { begin, incidents, once, placeAt, posts } from '../../support/scripted-world.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';
import { withPlant } from './plant.ts';
import type { RecoveryScenario } from './scenario.ts';

type Seen = { readonly fills: string[]; readonly refusals: string[]; remembered: number };

/** The same crossed quote counts once, so `moved` makes it another one. */
function crossed(pair: string, moved = 0): Intent {
  const order = { price: 1_000_000 + moved, volume: 1_000 };
  const orders = [
    { ...order, level: 'bid', side: 'BID' },
    { ...order, level: 'ask', side: 'ASK' },
  ];
  return { kind: 'quote', pair, orders, reason: 'rounded the wrong way' } as unknown as Intent;
}

/** Buys once, remembers it, and fails on the fill in its first life. */
function clumsy(seen: Seen): AnyStrategy {
  let lives = 0;
  return defineStrategy<object, { bought: number }>({
    name: 'own',
    parameters: z.strictObject({}),
    pairs: 1,
    state: { schema: z.strictObject({ bought: z.number() }), initial: { bought: 0 } },
    run(context) {
      const market = context.pairs[0] as MarketContext;
      const { pair } = market;
      const isFirst = lives++ === 0;
      seen.remembered = context.state().bought;
      const buy = placeAt(market, 1.01, { key: 'buy', volume: 1_000 });
      const taker = { ...buy, terms: { ...(buy as { terms: object }).terms } } as Intent;
      Object.assign((taker as unknown as { terms: object }).terms, {
        postOnly: false,
        timeInForce: 'IOC',
      });
      const nonsense = [crossed(pair), { ...taker, terms: {} } as Intent, undefined as never];
      const begin$ = isFirst
        ? concat(context.every(1_000).pipe(take(1)), NEVER).pipe(
            concatMap(() => of(...nonsense, taker)),
          )
        : NEVER;
      const fill$ = market.fill$.pipe(
        filter(({ booked }) => booked),
        mergeMap(({ key, volume }) => {
          seen.fills.push(`${key} ${volume}`);
          return concat(
            of<Intent>({ kind: 'remember', state: { bought: volume } }),
            isFirst ? of(1).pipe(map((): Intent => bang())) : NEVER,
          );
        }),
      );
      const refusal$ = market.refusal$.pipe(
        map(({ codes }): Intent => {
          seen.refusals.push(codes.join());
          return { kind: 'idle', pair, reason: 'refused' };
        }),
      );
      return merge(refusal$, fill$, begin$);
    },
  }) as unknown as AnyStrategy;
}

function bang(): never {
  throw new Error('a mistake on the fill');
}

function playOnce(seed: number): readonly string[] {
  const violations: string[] = [];
  const seen: Seen = { fills: [], refusals: [], remembered: 0 };
  const world = new VirtualWorld({ seed, level: 0, strategy: clumsy(seen), onRestart: 'adopt' });
  world.begin();
  world.pass(12);
  if (posts(world) !== 1) violations.push(`${posts(world)} orders left behind the nonsense, not 1`);
  const refused = ['QUOTE_CROSSED', 'INVALID_INTENT', 'INVALID_INTENT'].join();
  if (seen.refusals.join() !== refused) violations.push(`refusal$ told ${seen.refusals.join()}`);
  if (!incidents(world).includes('STRATEGY_STOPPED')) violations.push('it did not fail');
  const failedOn = seen.fills.join();
  world.kill();
  world.pass(45);
  if (seen.remembered === 0) violations.push('what it wanted to remember before it failed is lost');
  if (seen.fills.length < 2 || seen.fills[1] !== failedOn)
    violations.push(`the fill on which it failed was not reported again: ${seen.fills.join('; ')}`);
  world.kill();
  world.pass(45);
  if (seen.fills.length > 2) violations.push(`a fill that was handled came again: ${seen.fills}`);
  return violations;
}

/** It asks for another crossed quote each second. */
function playFlood(seed: number): readonly string[] {
  const world = begin(
    (context, market) =>
      merge(
        context.every(1_000).pipe(map((count) => crossed(market.pair, count))),
        once(context, 500).pipe(map(() => placeAt(market, 0.97))),
      ),
    { seed },
    40,
  );
  const violations: string[] = [];
  if (!incidents(world).includes('STRATEGY_STOPPED'))
    violations.push('a strategy that asks for nothing but nonsense is never stopped');
  const open = world.reports.openOrders().length;
  if (open > 0) violations.push(`${open} orders of a stopped strategy are open`);
  return violations;
}

export const badIntent: RecoveryScenario = {
  name: 'bad-intent',
  runs: 4,
  plants: {
    'bad-intent-stops': 'an intent that is none ends its strategy',
    'bad-intents-for-ever': 'a strategy may ask for nonsense as often as it likes',
    'state-lost': 'what a strategy wanted to remember before it failed is dropped',
    'fill-lost': 'a fill on which a strategy failed is not reported again',
  },
  play: (seed, plant) => {
    const playAll = () => [...playOnce(seed), ...playFlood(seed)];
    switch (plant) {
      case 'bad-intent-stops':
        return withPlant(true, InvalidIntents.prototype, { add: () => false }, playAll);
      case 'bad-intents-for-ever':
        return withPlant(true, InvalidIntents.prototype, { add: () => true }, playAll);
      case 'state-lost': {
        const keepState = function (this: IntentQueue): void {
          this.take();
        };
        return withPlant(true, IntentQueue.prototype, { keepState }, playAll);
      }
      default:
        return withPlant(plant === 'fill-lost', MissedFills.prototype, { add: () => {} }, playAll);
    }
  },
};
