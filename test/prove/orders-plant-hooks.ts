/** Where plants take hold of the bot: changes of state, answers, and the engine that runs now. */

import type { OrderState } from '../../src/domain/order.ts';
import { Engine } from '../../src/engine/engine.ts';
import { OrderStates } from '../../src/execution/orders/order-states.ts';
import type { Proof } from '../../src/execution/orders/proof.ts';
import type { TrackedOrder } from '../../src/execution/orders/tracked-order.ts';
import { CallBudget } from '../../src/execution/requests/call-budget.ts';
import type { VenueReply } from '../../src/venue/venue-reply.ts';
import type { VenueRequest } from '../../src/venue/venue-request.ts';

export type Change = {
  readonly orders: OrderStates;
  readonly order: TrackedOrder;
  readonly state: OrderState;
  readonly proof: string;
};

/** Changes what becomes of orders: `judge` names another state, or none for the real one. */
export function insteadOf(judge: (change: Change) => OrderState | undefined): void {
  const real = OrderStates.prototype.setState;
  OrderStates.prototype.setState = function (this: OrderStates, order, state, proof): void {
    real.call(
      this,
      order,
      judge({ orders: this, order, state, proof: wordsOf(proof, order) }) ?? state,
      proof,
    );
  };
}

/** Calls `hear` after each change of state; `before` is the state before it. */
export function afterChange(hear: (change: Change, before: OrderState) => void): void {
  const real = OrderStates.prototype.setState;
  OrderStates.prototype.setState = function (this: OrderStates, order, state, proof): void {
    const before = order.state;
    const words = wordsOf(proof, order);
    real.call(this, order, state, proof);
    hear({ orders: this, order, state, proof: words }, before);
  };
}

/** Whether an attempt's answer proved nothing. */
export function isOutcomeUnknown({ order, state }: Change): boolean {
  return state === 'unknown' && order.state === 'sending';
}

/** Changes answers before those who wait for them see them. */
export function answerInstead(
  change: (asked: VenueRequest | undefined, reply: VenueReply) => VenueReply,
): void {
  const real = CallBudget.prototype.enqueue;
  CallBudget.prototype.enqueue = function (this: CallBudget, queued): void {
    // The same object is queued for later calls, too, so each answer removes the change.
    const { resume, request } = queued;
    let asked: VenueRequest | undefined;
    queued.request = () => {
      asked = request.call(queued);
      return asked;
    };
    queued.resume = (reply) => {
      Object.assign(queued, { resume, request });
      resume.call(queued, change(asked, reply));
    };
    real.call(this, queued);
  };
}

let running: Engine | undefined;

/** Remembers which engine runs; ask for it with {@link runningEngine}. */
export function watchEngine(): void {
  const real = Engine.prototype.step;
  Engine.prototype.step = function (this: Engine, atMicros, event) {
    running = this;
    return real.call(this, atMicros, event);
  };
}

/** The engine that made the last step. */
export function runningEngine(): Engine {
  if (running === undefined) throw new Error('no engine has made a step');
  return running;
}

function wordsOf(proof: Proof, order: TrackedOrder): string {
  return typeof proof === 'string' ? proof : proof(order);
}
