/**
 * One step of the schema: what turns a database of the version before into one of `version`.
 *
 * Invariant: a step that has been released never changes, since databases exist that it made. It
 * uses nothing of ours that may change, such as a list of states.
 */
export type Migration = {
  readonly version: number;
  /** What it is for, in a few words. */
  readonly adds: string;
  /**
   * SQL, run within the transaction of the whole upgrade. Foreign keys are not enforced meanwhile
   * and are checked at its end, so a table may be built anew. `decimal_sum` is there.
   */
  readonly statements: string;
};
