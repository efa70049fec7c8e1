/** One situation from which a bot must recover by itself, or stop and say why. */
export type RecoveryScenario = {
  readonly name: string;
  /** How many runs are made when no number of seeds is given; at least 1. */
  readonly runs: number;
  /** The faults that can be built in, each of which `play` must report as a violation. */
  readonly plants: Readonly<Record<string, string>>;
  /**
   * Plays the situation once, with a fault built in if one is named. Returns what went against the
   * promise, one line each; none is success.
   */
  readonly play: (seed: number, plant: string | undefined) => Promise<readonly string[]>;
};
