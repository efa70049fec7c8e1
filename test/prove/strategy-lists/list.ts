/** One list of the proof of strategies, in a file of its own. */

export type StrategyListOptions = {
  /** How many runs or cases are wanted; as many as are usual unless given. */
  readonly seeds: number | undefined;
  /** One of its plants, which it must find. */
  readonly plant: string | undefined;
  /** Whether few are enough, for a first look. */
  readonly isSmall: boolean;
};

export type StrategyListResult = {
  /** One for each member, as `--json` prints them. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** How often the promise was broken. */
  readonly violations: number;
  readonly notes: readonly string[];
};

export type StrategyList = {
  /** Its name in the figures. */
  readonly name: string;
  /** Each plant with what it breaks; no two lists have one of the same name. */
  readonly plants: Readonly<Record<string, string>>;
  readonly run: (options: StrategyListOptions) => Promise<StrategyListResult>;
};
