/** Cancelling all orders at a minimal fake exchange, in virtual time. */
import { describe, expect, test } from 'vitest';
import { runCancelAll } from '../../../src/bot/panic/cancel-all-run.ts';
import {
  venueReplyOf,
  type WireRequest,
  wireRequestOf,
} from '../../../src/venues/luno/adapter/codec.ts';
import { lunoProperties } from '../../../src/venues/luno/adapter/properties.ts';
import { noScales } from '../../../src/venues/luno/adapter/reader.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
import { processTime, VirtualTime } from '../../support/virtual-time.ts';
import { wireOrder } from '../../support/wire-reader.ts';

type Asked = Pick<WireRequest, 'operation'> & {
  readonly parameters: Readonly<Record<string, unknown>>;
};
type Answerer = (request: Asked, seconds: number) => Reply;

const ok = (body: unknown): Reply => ({ kind: 'ok', status: 200, body });
const listed = (...ids: number[]): Reply =>
  ok({
    orders: ids.map((id) =>
      wireOrder({ order_id: `BX${id}`, client_order_id: `ours-${id}`, creation_timestamp: id }),
    ),
  });

/** Runs one for at most ten minutes; returns each call with the second in which it left. */
async function clear(answer: Answerer, mayGoOn: (seconds: number) => boolean = () => true) {
  const time = new VirtualTime(0);
  const { clock, timers } = processTime({
    time,
    skewMicros: 0,
    steppedMicros: () => 0,
    stillUntilMicros: () => 0,
    isAlive: () => true,
    soonMicros: () => 0,
  });
  const seconds = (): number => time.nowMicros / 1e6;
  const calls: string[] = [];
  let cleared: { readonly isClean: boolean } | undefined;
  void runCancelAll(
    {
      clock,
      timers,
      properties: lunoProperties,
      send: (call, _, give) => {
        const request: Asked = wireRequestOf(call, noScales);
        const { order_id: id = '' } = request.parameters;
        calls.push(`${Math.floor(seconds())} ${request.operation} ${String(id)}`.trimEnd());
        time.after(10, () => give(venueReplyOf(call, answer(request, seconds()))));
      },
    },
    {
      prefix: 'ours',
      mayGoOn: () => mayGoOn(seconds()),
      tell: () => {},
    },
  ).then((value) => {
    cleared = value;
  });
  while (cleared === undefined && seconds() < 600) {
    time.runUntil(time.nowMicros + 1_000_000);
    await Promise.resolve();
  }
  return { calls, cleared, seconds: seconds() };
}

describe('cancelling all orders', () => {
  test('ends without orders after two empty lists more than 7 s apart, and lists in between', async () => {
    const { calls, cleared, seconds } = await clear(() => listed());
    expect(cleared?.isClean).toBe(true);
    expect(calls.every((call) => call.endsWith('listOrdersV2'))).toBe(true);
    expect(seconds).toBeGreaterThan(7);
    expect(seconds).toBeLessThan(10);
  });

  test('C7: stops the newest order first, and each order once while a list may lag', async () => {
    const { calls } = await clear((request, seconds) => {
      if (request.operation === 'stoporder') return ok({ success: true });
      return seconds < 4 ? listed(2, 3, 1) : listed();
    });
    const stops = calls.filter((call) => call.includes('stoporder'));
    expect(stops).toEqual(['0 stoporder BX3', '0 stoporder BX2', '0 stoporder BX1']);
  });

  test('C7: stops the orders of a list whose pages repeat, which is no proof that none is open', async () => {
    const page = listed(...Array.from({ length: 1_000 }, (_, index) => 1_000 - index));
    const { calls, cleared } = await clear(
      ({ operation }) => (operation === 'stoporder' ? ok({ success: true }) : page),
      (seconds) => seconds < 20,
    );
    const stops = calls.filter((call) => call.includes('stoporder'));
    expect(stops.slice(0, 2)).toEqual(['0 stoporder BX1000', '0 stoporder BX999']);
    expect(cleared?.isClean).toBe(false);
  });

  test('C7: stops orders listed after a full page of one millisecond, which proves nothing', async () => {
    const others = Array.from({ length: 1_000 }, (_, index) =>
      wireOrder({
        order_id: `BXF${index}`,
        client_order_id: `by-hand-${index}`,
        creation_timestamp: 9_000,
      }),
    );
    const mine = wireOrder({ order_id: 'BX1', client_order_id: 'ours-1', creation_timestamp: 1 });
    let isOpen = true;
    const { calls, cleared, seconds } = await clear(({ operation, parameters }, at) => {
      if (operation === 'stoporder') isOpen = false;
      if (operation === 'stoporder') return ok({ success: true });
      const before = (parameters['created_before'] as number | undefined) ?? Infinity;
      const open = [...(at < 30 ? others : []), ...(isOpen ? [mine] : [])];
      const orders = open.filter((order) => order.creation_timestamp < before).slice(0, 1_000);
      return ok({ orders });
    });
    expect(calls.filter((call) => call.includes('stoporder'))).toEqual(['0 stoporder BX1']);
    expect(cleared?.isClean).toBe(true);
    // While the millisecond may hide an order, no list proves that there is none.
    expect(seconds).toBeGreaterThan(37);
  });

  test('counts the clean lists again when an order appears between two of them', async () => {
    const { calls, seconds } = await clear((request, at) => {
      if (request.operation === 'stoporder') return ok({ success: true });
      return at > 5 && at < 6.5 ? listed(9) : listed();
    });
    expect(calls).toContain('5 stoporder BX9');
    expect(seconds).toBeGreaterThan(13);
  });

  test('C3: repeats a stop that failed or was answered without success', async () => {
    const answers: Reply[] = [
      { kind: 'no-answer', reason: 'reset' },
      ok({ success: false }),
      { kind: 'refused', status: 503, code: 'ErrInternal', message: '' },
      ok({ success: true }),
    ];
    let isOpen = true;
    const { calls, cleared } = await clear((request) => {
      if (request.operation === 'listOrdersV2') return isOpen ? listed(1) : listed();
      const answer = answers.shift() as Reply;
      if (answers.length === 0) isOpen = false;
      return answer;
    });
    expect(calls.filter((call) => call.includes('stoporder'))).toHaveLength(4);
    expect(cleared?.isClean).toBe(true);
  });

  test('unreadable lists prove nothing, however many there are', async () => {
    const { cleared, seconds } = await clear((_, at) =>
      at > 1 && at < 300 ? { kind: 'no-answer', reason: 'timeout' } : listed(),
    );
    expect(cleared?.isClean).toBe(true);
    expect(seconds).toBeGreaterThan(300);
  });

  test('S1: no further call is sent once it may not go on', async () => {
    const { calls, cleared } = await clear(
      () => listed(1),
      (seconds) => seconds < 3,
    );
    expect(cleared?.isClean).toBe(false);
    expect(calls.every((call) => Number.parseInt(call, 10) < 3)).toBe(true);
  });
});
