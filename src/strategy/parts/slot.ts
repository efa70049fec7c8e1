/** Named state of a strategy or of one of its parts. */
import type { Intent } from '../../domain/intent.ts';

/** A named value that survives restarts. */
export interface Slot<T> {
  /** What was remembered last, in this or an earlier run, or the initial value; frozen. */
  readonly value: T;
  /**
   * Returns the intent that stores `value`, with the event's other intents. A value that is not
   * JSON or does not fit the schema stops the strategy.
   */
  remember(value: T): Intent;
}
