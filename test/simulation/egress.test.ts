/**
 * The egress guard in the whole bot: something between the commit and the wire changes an order,
 * and neither it nor any other order leaves after it.
 */
import { describe, expect, test } from 'vitest';
import { VirtualWorld } from '../support/virtual-world.ts';
import type { WireEffect as Request } from '../support/wire-effect.ts';

/** What a fault in the transport could do to the n-th order. */
const faults: readonly (readonly [what: string, change: (request: Request) => Request])[] = [
  ['another price', (one) => withParameter(one, 'price', '999')],
  ['ten times the volume', (one) => withParameter(one, 'volume', '0.04')],
  ['the other side', (one) => withParameter(one, 'type', isBid(one) ? 'ASK' : 'BID')],
  ['no post_only', (one) => withParameter(one, 'post_only', undefined)],
  ['another id', (one) => withParameter(one, 'client_order_id', 'b1-virtua22-zz')],
  [
    'a market order',
    (one) => ({
      ...one,
      operation: 'marketorder',
      parameters: { pair: 'XBTZAR', type: 'SELL', base_volume: '0.01' },
    }),
  ],
  ['a send', (one) => ({ ...one, operation: 'send', parameters: sendParameters })],
];

const sendParameters = { amount: '0.01', currency: 'XBT', address: 'nobody' };

function withParameter(request: Request, name: string, value: unknown): Request {
  return { ...request, parameters: { ...request.parameters, [name]: value } };
}

function isBid({ parameters }: Request): boolean {
  return parameters['type'] === 'BID';
}

describe('an order that is changed after its commit', () => {
  test.each(faults)(
    'to %s does not leave, nor any after it, and the bot is halted',
    (_, change) => {
      let orders = 0;
      const after: string[] = [];
      const world = new VirtualWorld({
        seed: 11,
        level: 0,
        withChaos: false,
        refresh: '1s',
        keepJournals: true,
        changeRequest: (request) => {
          if (request.operation !== 'postorder') return request;
          orders++;
          if (orders < 5) return request;
          after.push(String(request.parameters['client_order_id']));
          return orders === 5 ? change(request) : request;
        },
      });
      world.begin();
      world.pass(60);
      const truth = world.simulator.truth('desk');
      const arrived = truth.orders.map((order) => order.client_order_id);
      expect(arrived).toHaveLength(4);
      expect(after.length).toBeGreaterThan(0);
      for (const id of after) expect(arrived).not.toContain(id);

      const incidents = world.reports.incidents(10).map(({ code }) => code);
      expect(incidents).toContain('EGRESS_BLOCKED');
      expect(world.reports.tradingStates()).toMatchObject([{ scope: 'bot', state: 'HALTED' }]);
      // Halted, it takes back what stands; cancels are not held up.
      expect(world.reports.openOrders()).toEqual([]);
      expect(truth.orders.every((order) => order.status !== 'PENDING')).toBe(true);
    },
  );
});
