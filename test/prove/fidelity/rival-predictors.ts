/**
 * Three fill models in common use, for comparison, and a control without a queue.
 *
 *     touch     the first trade at the price fills the whole order
 *     crossed   only a trade beyond the price fills the order
 *     level     the level's volume at the order's arrival is ahead of it; trades reduce that
 *               first, and cancels reduce it by their share of the level
 *     shuffled  the exact orders of the level, filled in random order
 */
import type { Lots } from '../../../src/domain/money.ts';
import {
  addLots,
  lotsOf,
  minLots,
  noLots,
  subtractLots,
} from '../../../src/domain/ticks-and-lots.ts';
import type { Random } from '../../../src/runtime/random.ts';
import {
  type FillPredictor,
  FillProgress,
  type LevelEvent,
  type ShadowOrderTerms,
} from './fill-predictor.ts';

/** Returns the model that fills at the first trade at the price. */
export function createTouchModel(order: ShadowOrderTerms): FillPredictor {
  return createWholeModel(order, () => true);
}

/** Returns the model that fills only when something trades beyond the price. */
export function createCrossedModel(order: ShadowOrderTerms): FillPredictor {
  return createWholeModel(order, ({ through }) => through > 0);
}

/** Returns a model that fills the whole order at the first trade for which `isEnough` is true. */
function createWholeModel(
  { volume }: ShadowOrderTerms,
  isEnough: (trade: Extract<LevelEvent, { kind: 'traded' }>) => boolean,
): FillPredictor {
  const progress = new FillProgress(volume);
  return {
    progress,
    apply(event) {
      if (event.kind === 'met' || (event.kind === 'traded' && isEnough(event)))
        progress.fill(volume, event.atMicros);
    },
  };
}

/** Returns the model that knows the volume of levels, but not their orders. */
export function createLevelModel({ volume, ahead: queue }: ShadowOrderTerms): FillPredictor {
  const progress = new FillProgress(volume);
  let level = queue.reduce((sum, order) => sum + order.volume, 0);
  let ahead = level;
  // A feed of levels shows a reduction without a trade, but not which order it was.
  const shrink = (less: number): void => {
    if (level > 0) ahead -= (ahead * Math.min(less, level)) / level;
    level = Math.max(0, level - less);
  };
  const apply = (event: LevelEvent): void => {
    switch (event.kind) {
      case 'joined':
        level += event.volume;
        return;
      case 'left':
        shrink(event.volume);
        return;
      case 'shrunk':
        shrink(event.less);
        return;
      case 'traded': {
        const taken = event.atPrice + event.through;
        // Cancels can leave a fraction of a lot ahead.
        progress.fill(lotsOf(Math.floor(Math.max(0, taken - ahead))), event.atMicros);
        ahead = Math.max(0, ahead - taken);
        level = Math.max(ahead, level - taken);
        return;
      }
      case 'met':
        progress.fill(event.volume, event.atMicros);
        return;
    }
  };
  return { progress, apply };
}

/** Returns the control: the next order to fill is drawn at random, the shadow order included. */
export function createShuffledModel(shadow: ShadowOrderTerms, random: Random): FillPredictor {
  const { volume, ahead } = shadow;
  const progress = new FillProgress(volume);
  const others = new Map(ahead.map((order) => [order.id, order.volume]));
  const serve = (taken: Lots, atMicros: number): void => {
    let left = taken;
    while (left > 0) {
      const ids = [...others.keys()];
      const last = progress.isFull ? ids.length - 1 : ids.length;
      if (last < 0) return;
      const id = ids[random.integer(0, last)];
      if (id === undefined) {
        const before = progress.filled;
        progress.fill(left, atMicros);
        left = subtractLots(left, subtractLots(progress.filled, before));
        continue;
      }
      const resting = others.get(id) ?? noLots;
      const share = minLots(left, resting);
      left = subtractLots(left, share);
      if (share === resting) others.delete(id);
      else others.set(id, subtractLots(resting, share));
    }
  };
  return {
    progress,
    apply(event) {
      if (event.kind === 'joined') others.set(event.id, event.volume);
      else if (event.kind === 'left') others.delete(event.id);
      else if (event.kind === 'shrunk') others.set(event.id, event.volume);
      else if (event.kind === 'met') progress.fill(event.volume, event.atMicros);
      else serve(addLots(event.atPrice, event.through), event.atMicros);
    },
  };
}
