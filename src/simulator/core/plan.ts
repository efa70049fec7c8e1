/**
 * What a call to an operation that changes something comes to; `calls.ts` says how it is used.
 *
 * A call must be a function of the state, the parameters and the caller: no clock but
 * `exchange.timeMs`, no randomness (ids are counted, see `Exchange.nextId`). Until `change` runs
 * nothing may change.
 */
import type { ParametersOf, ResponseOf } from '../../exchange-api/operation.ts';
import type { OperationName, Operations } from '../../exchange-api/operations.ts';
import type { Exchange } from './exchange.ts';
import type { User } from './exchange-state.ts';
import type { Refusal } from './refusal.ts';

export type CallContext = { readonly exchange: Exchange; readonly user: User };

/**
 * `answer` changes nothing, e.g. a repeated idempotent request. A change may end in a refusal when
 * the exchange must remember that it refused.
 */
export type Plan<Answer> =
  | Refusal
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'change'; readonly change: () => Answer | Refusal };

export type Call<Name extends OperationName> = (
  parameters: ParametersOf<Operations[Name]>,
  context: CallContext,
) => Plan<ResponseOf<Operations[Name]>>;

export type Calls = { readonly [Name in OperationName]: Call<Name> };

/** The plan to change something. */
export function change<Answer>(deed: () => Answer | Refusal): {
  readonly kind: 'change';
  readonly change: () => Answer | Refusal;
} {
  return { kind: 'change', change: deed };
}
