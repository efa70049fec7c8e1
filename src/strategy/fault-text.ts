/** Why a strategy was stopped, and the text about it for the end of a run. */

export type FaultKind =
  | 'threw' // Its code threw, or its stream ended in an error.
  | 'completed' // Its stream ended.
  | 'flooded' // More intents than the limits allow.
  | 'invalid-intent' // Too many invalid intents in a minute.
  | 'outside-event' // An intent from a promise or a real timer, which a replay cannot repeat.
  | 'state'; // The stored state, or the one to store, does not fit the schema.

/** Why a strategy was stopped. */
export type HostFault = {
  readonly strategyId: string;
  readonly kind: FaultKind;
  /** At most 2 000 characters. */
  readonly message: string;
  readonly timeMs: number;
};

/** Why a stream that waits for a promise stops its strategy. */
export const promiseText =
  'a stream waits for a promise (an async function or generator), whose value comes outside of ' +
  'the events that a replay repeats; return a value or a stream instead';

/** Returns which strategy stopped, when (UTC) and why. */
export function faultText({ strategyId, kind, message, timeMs }: HostFault): string {
  const time = new Date(timeMs).toISOString();
  return `strategy ${strategyId} stopped at ${time}: ${kind}: ${message}`;
}
