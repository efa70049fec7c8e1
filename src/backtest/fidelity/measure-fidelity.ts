/**
 * Measures how well the tape exchange foretells fills, over one recording: every order that came to
 * rest in it is a ghost, and the tape's own model is held against three common ones and a control.
 */
import type { Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { FlowSnapshot } from '../../recording/import/order-flow-reader.ts';
import type { Random } from '../../runtime/random.ts';
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
  readonly snapshot: FlowSnapshot;
  readonly batches: AsyncIterable<readonly OrderFlowRow[]>;
  readonly scales: Pick<Market, 'priceScale' | 'volumeScale'>;
  /** Of the control. */
  readonly random: Random;
  /** Another model in the place of the tape exchange's. */
  readonly createQueuePredictor?: (market: Market, order: ShadowOrderTerms) => FillPredictor;
};

/** Returns the verdicts on every ghost of the recording. */
export async function measureFidelity(options: FidelityOptions): Promise<Scoreboard<ModelName>> {
  const { snapshot, batches, random } = options;
  const market = permissiveMarket(options.scales);
  const createQueue = options.createQueuePredictor ?? ((...given) => new QueuePredictor(...given));
  const board = new Scoreboard<ModelName>(modelNames);
  const haunt = new ShadowReplay<ModelName>({
    snapshot,
    createModels: (order) => ({
      queue: createQueue(market, order),
      touch: createTouchModel(order),
      crossed: createCrossedModel(order),
      level: createLevelModel(order),
      shuffled: createShuffledModel(order, random),
    }),
    onJudged: (ghost) => board.add(ghost),
  });
  for await (const rows of batches) for (const row of rows) haunt.apply(row);
  haunt.finish();
  return board;
}

/** Whatever was placed in history could be placed in it. */
function permissiveMarket({ priceScale, volumeScale }: FidelityOptions['scales']): Market {
  return {
    pair: 'RECORDED',
    base: 'BASE',
    counter: 'COUNTER',
    priceScale,
    volumeScale,
    feeScale: 0,
    priceMin: Number.MIN_SAFE_INTEGER as Ticks,
    priceMax: Number.MAX_SAFE_INTEGER as Ticks,
    volumeMin: 1 as Lots,
    volumeMax: Number.MAX_SAFE_INTEGER as Lots,
    status: 'ACTIVE',
  };
}
