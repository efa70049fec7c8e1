/** Plants around absence and sending again: each of several guards, with the others taken away. */
import { Executor } from '../../src/execution/orders/executor.ts';
import { ReadLag } from '../../src/execution/requests/read-lag.ts';
import { steadyStrategy } from '../support/steady-strategy.ts';
import { type Knob, knobs } from '../support/virtual-faults.ts';
import type { Tamper } from '../support/virtual-run.ts';
import { answerInstead, insteadOf } from './orders-plant-hooks.ts';
import type { OrdersPlant } from './orders-plants.ts';

const crashes: Readonly<Partial<Record<Knob, number>>> = { 'crash.any-time': 0.1 };

export const againPlants: Readonly<Record<string, OrdersPlant>> = {
  'no-fence': {
    meaning: 'an order is sent again while reads may lag (the exchange takes an id twice)',
    ...lossy({ 'lag.get': 1, 'req.delay.reset': 0.3 }),
    broken: ['uniqueness'],
    install: dropFence,
  },
  'html404-is-absence': {
    meaning: 'a 404 page counts as "no such order" (the exchange takes an id twice)',
    ...lossy({}, (request, response) =>
      request.parameters['client_order_id'] === undefined || request.operation !== 'getOrderV3'
        ? response
        : { ...response, status: 404, body: '<html>no such page</html>' },
    ),
    broken: ['uniqueness'],
    install: () =>
      answerInstead((asked, reply) =>
        asked?.kind === 'order' && reply.kind === 'no-answer' && reply.why.includes('status 404')
          ? { kind: 'refused', reason: 'not-found', code: '404 ErrOrderNotFound', text: '' }
          : reply,
      ),
  },
  'second-refusal-believed': {
    meaning: 'a refusal of the second attempt counts for the first, too (without the fence)',
    ...lossy({ 'lag.get': 1, 'req.delay.reset': 0.3, 'checks.order': 1 }),
    masks: dropFence,
    install: () =>
      insteadOf(({ order, state, proof }) =>
        state === 'unknown' && order.attempts > 1 && proof.includes('ErrInsufficientBalance')
          ? 'rejected'
          : undefined,
      ),
  },
  'no-hold-after-restart': {
    meaning: 'orders of an earlier run take no room in the limits',
    rates: crashes,
    // Many orders rest through a restart, and as many more are wanted at once after it.
    world: {
      level: 1,
      onRestart: 'adopt',
      strategy: steadyStrategy({ everyMs: 1_500, restMs: 60_000, ordersMax: 60 }),
      limits: (usual) => ({ ...usual, account: { ...usual.account, ordersOpenMax: 5 } }),
      without: knobs.filter((knob) => crashes[knob] === undefined),
    },
    install: () => {
      const resume = Executor.prototype.resume;
      Executor.prototype.resume = function (this: Executor, order): void {
        resume.call(this, order);
        this.orders.context.exposure.release(order.hold);
      };
    },
  },
};

/**
 * Orders that are wanted for long enough to be sent again, every second answer of which is lost; no
 * other faults than those of `rates` and what `tamper` does.
 */
function lossy(
  rates: Readonly<Partial<Record<Knob, number>>>,
  tamper: Tamper = (_request, response) => response,
): Pick<OrdersPlant, 'rates' | 'world'> {
  return {
    rates,
    world: {
      level: 1,
      stormSeconds: 60,
      strategy: steadyStrategy({ everyMs: 2_500, restMs: 40_000, ordersMax: 40 }),
      without: knobs.filter((knob) => rates[knob] === undefined),
      tamper: (request, response, isStorm) => {
        if (!isStorm) return response;
        const id = String(request.parameters['client_order_id']);
        const isLost =
          request.operation === 'postorder' && (id.codePointAt(id.length - 1) ?? 0) % 2;
        return isLost ? undefined : tamper(request, response, isStorm);
      },
    },
  };
}

/** Reads are believed to show at once what was accepted. */
function dropFence(): void {
  Object.defineProperty(ReadLag.prototype, 'allowanceMs', { get: () => -2_000 });
}
