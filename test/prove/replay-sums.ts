/** What replays of journals add up to. */

export type ReplaySums = {
  /** Lives of the bot; each has a journal. */
  readonly lives: number;
  readonly batches: number;
  readonly events: number;
  readonly effects: number;
  /** Batches that are not the same again. */
  readonly different: number;
};

export const nothingReplayed: ReplaySums = {
  lives: 0,
  batches: 0,
  events: 0,
  effects: 0,
  different: 0,
};

/** Returns the sums of both. */
export function addSums(a: ReplaySums, b: ReplaySums): ReplaySums {
  return {
    lives: a.lives + b.lives,
    batches: a.batches + b.batches,
    events: a.events + b.events,
    effects: a.effects + b.effects,
    different: a.different + b.different,
  };
}
