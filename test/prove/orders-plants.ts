/**
 * Bugs of a bot that has one defence less, which the proof of orders must find.
 *
 * Each is built in a thread of its own, on the prototypes of the real code there. Where another
 * defence would hide it, that one is taken away too; the thread that has only that much less is the
 * control, and must not fail in the seed that finds the plant.
 */
import type { Knob } from '../support/virtual-faults.ts';
import type { WorldOptions } from '../support/virtual-run.ts';
import { againPlants } from './orders-plants-again.ts';
import { fillPlants } from './orders-plants-fills.ts';
import { outcomePlants } from './orders-plants-outcomes.ts';
import { storePlants } from './orders-plants-store.ts';

export type OrdersPlant = {
  readonly meaning: string;
  /** What the world must be like for the bug to matter. */
  readonly rates?: Readonly<Partial<Record<Knob, number>>>;
  readonly broken?: WorldOptions['broken'];
  /** What else the bot is given, for example quotes that stay long enough. */
  readonly world?: Omit<WorldOptions, 'seed' | 'rates' | 'broken'>;
  /** Takes away other defences. */
  readonly masks?: () => void;
  readonly install: () => void;
  /** Forgets what an earlier run left. */
  readonly begin?: () => void;
};

const plants: Readonly<Record<string, OrdersPlant>> = {
  ...outcomePlants,
  ...againPlants,
  ...storePlants,
  ...fillPlants,
};

/** Each plant with what it breaks. */
export const orderPlants: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(plants).map(([name, { meaning }]) => [name, meaning]),
);

/** Breaks the code of this thread; returns what its runs need. */
export function installPlant(
  name: string,
  isControl: boolean,
): {
  readonly world: Omit<WorldOptions, 'seed'>;
  readonly begin: () => void;
} {
  const plant = Object.hasOwn(plants, name) ? plants[name] : undefined;
  if (plant === undefined) throw new RangeError(`no plant ${name}`);
  plant.masks?.();
  if (!isControl) plant.install();
  const { rates, broken, begin, world } = plant;
  return {
    world: {
      ...world,
      ...(rates === undefined ? {} : { rates }),
      ...(broken === undefined ? {} : { broken }),
    },
    begin: () => begin?.(),
  };
}
