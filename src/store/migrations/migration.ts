/**
 * One step of the schema: it upgrades a database of the previous version to `version`.
 *
 * Invariant: a released step never changes, since databases made by it exist. It therefore uses no
 * code that may change, such as a list of states.
 */
export type Migration = {
  readonly version: number;
  /** What the step adds, in a few words. */
  readonly adds: string;
  /**
   * SQL, run within the transaction of the whole upgrade. Foreign keys are checked only at its end,
   * so a step may rebuild a table. `decimal_sum` is available.
   */
  readonly statements: string;
};
