/** Fill models with one planted error each, which the fidelity proof must find. */

import type { Market } from '../../src/domain/market.ts';
import type { Lots } from '../../src/domain/money.ts';
import type { FillPredictor, LevelEvent, ShadowOrderTerms } from './fidelity/fill-predictor.ts';
import { QueuePredictor } from './fidelity/queue-predictor.ts';

/** Each plant with the error that it causes. */
export const fidelityPlants: Readonly<Record<string, string>> = {
  'front-of-queue': 'a new order stands before all others of its price',
  'cancels-unseen': 'the place in the queue does not move when another order leaves',
  'half-volume': 'aggressors are counted with half of what they took',
  'told-late': 'everything is known a second late',
};

/** Returns the model under test, with the plant if there is one. */
export function createTestedModel(
  market: Market,
  order: ShadowOrderTerms,
  plant: string | undefined,
): FillPredictor {
  switch (plant) {
    case undefined:
      return new QueuePredictor(market, order);
    case 'front-of-queue':
      return new QueuePredictor(market, { ...order, ahead: [] });
    case 'cancels-unseen':
      return through(new QueuePredictor(market, order), (event) =>
        event.kind === 'left' ? undefined : event,
      );
    case 'half-volume':
      return through(new QueuePredictor(market, order), (event) =>
        event.kind === 'traded' ? { ...event, ...halfOf(event) } : event,
      );
    case 'told-late':
      return through(new QueuePredictor(market, order), (event) => ({
        ...event,
        atMicros: event.atMicros + 1_000_000,
      }));
    default:
      throw new RangeError(`no plant ${plant}`);
  }
}

function through(
  model: FillPredictor,
  change: (event: LevelEvent) => LevelEvent | undefined,
): FillPredictor {
  return {
    progress: model.progress,
    apply(event) {
      const changed = change(event);
      if (changed !== undefined) model.apply(changed);
    },
  };
}

function halfOf({ atPrice, through }: { readonly atPrice: Lots; readonly through: Lots }) {
  return { atPrice: (atPrice >> 1) as Lots, through: (through >> 1) as Lots };
}
