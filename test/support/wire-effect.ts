/** A request of the engine as it leaves a bot: a call of one operation of the wire. */
import type { Scales } from '../../src/domain/market.ts';
import type { Effect } from '../../src/engine/event.ts';
import { wireRequestOf } from '../../src/venues/luno/adapter/codec.ts';
import type { OperationName } from '../../src/venues/luno/api/operations.ts';

export type RequestEffect = Extract<Effect, { kind: 'request' }>;

export type WireEffect = RequestEffect & {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** Returns the request with its call; its orders are of a market with `scales`. */
export function wireEffectOf(effect: RequestEffect, scales: Scales): WireEffect {
  return { ...effect, ...wireRequestOf(effect.call, () => scales) };
}
