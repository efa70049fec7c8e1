/**
 * Measures over one recording how well the queue fill model predicts fills. Every order that came
 * to rest is a shadow order; the model is compared with three common models and a control.
 */
import type { Market } from '../../../src/domain/market.ts';
import { lotsOf, ticksOf } from '../../../src/domain/ticks-and-lots.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import type { RestingOrder } from '../../../src/recording/file/flow-item.ts';
import type { Random } from '../../../src/runtime/random.ts';
import { Scoreboard } from './fidelity-score.ts';
import type { FillPredictor, ShadowOrderTerms } from './fill-predictor.ts';
import { QueuePredictor } from './queue-predictor.ts';
import {
  createCrossedModel,
  createLevelModel,
  createShuffledModel,
  createTouchModel,
} from './rival-predictors.ts';
import { ShadowReplay } from './shadow-replay.ts';

export const modelNames = ['queue', 'touch', 'crossed', 'level', 'shuffled'] as const;
export type ModelName = (typeof modelNames)[number];

export type FidelityOptions = {
  readonly resting: readonly RestingOrder[];
  readonly batches: AsyncIterable<readonly OrderFlowRow[]>;
  readonly scales: Pick<Market, 'priceScale' | 'volumeScale'>;
  /** Random numbers for the control. */
  readonly random: Random;
  /** Replaces the queue fill model by another predictor. */
  readonly createQueuePredictor?: (market: Market, order: ShadowOrderTerms) => FillPredictor;
};

/** Returns a scoreboard with every shadow order of the recording. */
export async function measureFidelity(options: FidelityOptions): Promise<Scoreboard<ModelName>> {
  const { resting, batches, random } = options;
  const market = permissiveMarket(options.scales);
  const createQueue = options.createQueuePredictor ?? ((...given) => new QueuePredictor(...given));
  const board = new Scoreboard<ModelName>(modelNames);
  const replay = new ShadowReplay<ModelName>({
    resting,
    createModels: (order) => ({
      queue: createQueue(market, order),
      touch: createTouchModel(order),
      crossed: createCrossedModel(order),
      level: createLevelModel(order),
      shuffled: createShuffledModel(order, random),
    }),
    onJudged: (order) => board.add(order),
  });
  for await (const rows of batches) for (const row of rows) replay.apply(row);
  replay.finish();
  return board;
}

/** Returns a market without limits that could refuse an order of history. */
function permissiveMarket({ priceScale, volumeScale }: FidelityOptions['scales']): Market {
  return {
    pair: 'RECORDED',
    base: 'BASE',
    counter: 'COUNTER',
    priceScale,
    volumeScale,
    feeScale: 0,
    priceMin: ticksOf(Number.MIN_SAFE_INTEGER),
    priceMax: ticksOf(Number.MAX_SAFE_INTEGER),
    volumeMin: lotsOf(1),
    volumeMax: lotsOf(Number.MAX_SAFE_INTEGER),
    status: 'ACTIVE',
  };
}
