/** The time from an order's attempt to its answer. */
import { expect, test } from 'vitest';
import { OrderLatency } from '../../../../src/bot/status/order-latency.ts';
import type { EngineEvent } from '../../../../src/engine/event.ts';
import type { EventSink, ExchangePort } from '../../../../src/engine/exchange-port.ts';
import type { VenueRequest } from '../../../../src/venue/venue-request.ts';

function latencyOf() {
  let micros = 0;
  let deliver: EventSink = () => {};
  const passed: string[] = [];
  const latency = new OrderLatency({ monotonicMicros: () => micros });
  const port = latency.measured({
    open: (sink) => {
      deliver = sink;
    },
    request: ({ call }) => void passed.push(call.kind),
    reconnect: () => {},
    close: async () => {},
  } as ExchangePort);
  port.open(({ kind }) => void passed.push(kind));
  const answer = (request: number): void => {
    const reply = { kind: 'not-sent', why: 'a test' } as const;
    deliver({ kind: 'reply', request, reply } satisfies EngineEvent);
  };
  return {
    ...{ latency, passed, answer },
    send: (request: number, kind: 'place' | 'cancel' = 'place') =>
      port.request({ kind: 'request', request, call: { kind } as VenueRequest, deadlineMs: 0 }),
    pass: (ms: number) => {
      micros += ms * 1000;
    },
  };
}

test('percentiles of the newest thousand orders, and of orders only', () => {
  const { latency, send, answer, pass } = latencyOf();
  expect(latency.figures).toBeNull();
  for (let order = 1; order <= 1_200; order++) {
    send(order);
    pass(order <= 200 ? 500 : (order - 200) / 10);
    answer(order);
  }
  send(5_000, 'cancel');
  pass(9_000);
  answer(5_000);
  expect(latency.figures).toEqual({ attempts: 1_200, p50Ms: 50, p95Ms: 95, p99Ms: 99 });
});

test('requests and events pass unchanged', () => {
  const { passed, send, answer } = latencyOf();
  send(1);
  send(2, 'cancel');
  answer(2);
  answer(1);
  expect(passed).toEqual(['place', 'cancel', 'reply', 'reply']);
});
