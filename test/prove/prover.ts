/** What a prover is: a promise of Millrace, checked by a program that can fail. */

export type ProverOptions = {
  /** How many seeds to try, for provers that are seeded. */
  readonly seeds: number | undefined;
  /** Virtual days, for a prover of a long run. */
  readonly days?: number | undefined;
  /** How many messages or events to play, for a prover of speed or memory. */
  readonly messages?: number | undefined;
  /** A fault to build in, which the prover must find. */
  readonly plant: string | undefined;
  /** How many turns each program takes, for a prover that compares programs. */
  readonly rounds?: number | undefined;
  /** Whether few data are enough, for a first look. */
  readonly isSmall?: boolean;
  /** Protections outside Millrace that are taken away. */
  readonly breaks?: readonly string[];
};

export type ProverResult = {
  readonly figures: Readonly<Record<string, unknown>>;
  /** How often the promise was broken; 0 is success. */
  readonly violations: number;
  readonly notes: readonly string[];
  /**
   * What the proof needs and did not find, and how to get it. Nothing is wrong then, but a proof
   * that compared less than it should does not pass.
   */
  readonly missing?: readonly string[];
  /** What a person reads in the place of the figures. */
  readonly table?: readonly string[];
};

export type Prover = {
  readonly name: string;
  /** The promise in one line. */
  readonly title: string;
  /** Figures that count what was compared: a proof in which one of them is 0 has shown nothing. */
  readonly compared: readonly string[];
  /** Each plant with what it breaks. */
  readonly plants: Readonly<Record<string, string>>;
  /** What can be taken away, of `breaks`. */
  readonly breakable?: readonly string[];
  readonly run: (options: ProverOptions) => Promise<ProverResult>;
};
