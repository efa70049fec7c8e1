/** What each check of the gate says about one order, also where the order passes. */

export type RuleVerdict = {
  readonly isPassed: boolean;
  readonly code: string;
  readonly observed: string;
  readonly limit: string;
  readonly unit: string;
};

export type CheckVerdict = {
  /** The place of the check in the gate, from 1. */
  readonly position: number;
  readonly name: string;
  /** Empty if none of its rules concerns the order, as depth for a post-only order. */
  readonly rules: readonly RuleVerdict[];
};
