/**
 * Calls: the operations that change something. A call checks its parameters and returns a plan;
 * `calls.ts` shows how the plan is used.
 *
 * A call depends only on the state, the parameters and the caller. Its only clock is
 * `exchange.timeMs`, and it uses no randomness (ids are counted, see `Exchange.nextId`). Nothing
 * changes until the `change` of its plan runs.
 */
import type { ParametersOf, ResponseOf } from '../../api/operation.ts';
import type { OperationName, Operations } from '../../api/operations.ts';
import type { Exchange } from './exchange.ts';
import type { User } from './exchange-state.ts';
import type { Refusal } from './refusal.ts';

export type CallContext = { readonly exchange: Exchange; readonly user: User };

/**
 * `answer` changes nothing, e.g. for a repeated idempotent request. `change` may return a refusal,
 * if the exchange must remember that it refused.
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

/** Returns a plan whose change is `apply`. */
export function change<Answer>(apply: () => Answer | Refusal): {
  readonly kind: 'change';
  readonly change: () => Answer | Refusal;
} {
  return { kind: 'change', change: apply };
}
