/** The three latencies: nothing arrives before its time, in either direction. */
import { expect, test } from 'vitest';
import type { OrderFlowRow } from '../../../src/market/order-flow-row.ts';
import { DelayedTape, type TapeLatencies } from '../../../src/tape/delayed-tape.ts';
import { request, row, tapeMarket, tapeRates } from '../../support/tape-market.ts';

const at = (atMicros: number, part: OrderFlowRow): OrderFlowRow => ({ ...part, atMicros });

function createDelayed(
  latencies: TapeLatencies,
  onRow: (tape: DelayedTape, row: OrderFlowRow, atMicros: number) => void = () => undefined,
) {
  const heard: string[] = [];
  const tape: DelayedTape = new DelayedTape({
    market: tapeMarket,
    rates: tapeRates,
    latencies,
    receiver: {
      receiveRow: (received, atMicros) => {
        heard.push(`${atMicros} row ${received.kind}`);
        onRow(tape, received, atMicros);
      },
      receiveEvent: (event, atMicros) => heard.push(`${atMicros} ${event.kind} ${event.atMicros}`),
    },
  });
  return { tape, heard };
}

const latencies = { feedMicros: 10, requestMicros: 100, answerMicros: 1_000 };

test('rows, requests and answers each take their own time', () => {
  const { tape, heard } = createDelayed(latencies, (exchange, received, atMicros) => {
    if (received.kind === 'create') exchange.place(request('BID', 99, 5), atMicros);
  });
  tape.offer(at(5_000, row.create('b1', 'BID', 99, 10)));
  tape.advance(Infinity);
  expect(heard).toEqual(['5010 row create', '6110 accepted 5110']);
});

test('an order joins the queue when it arrives, behind what came while it travelled', () => {
  const { tape } = createDelayed(latencies);
  tape.place(request('BID', 99, 5), 5_000);
  tape.offer(at(5_050, row.create('b1', 'BID', 99, 10)));
  tape.offer(at(5_150, row.create('b2', 'BID', 99, 10)));
  expect(tape.exchange.openOrders).toMatchObject([{ ahead: 10, createdMicros: 5_100 }]);
});

test('at the same microsecond history comes first, then we', () => {
  const { tape } = createDelayed(latencies);
  tape.place(request('BID', 99, 5), 5_000);
  tape.offer(at(5_100, row.create('b1', 'BID', 99, 10)));
  tape.offer(at(5_100, row.create('b2', 'BID', 99, 10)));
  tape.offer(at(5_101, row.create('b3', 'BID', 99, 10)));
  expect(tape.exchange.openOrders).toMatchObject([{ ahead: 20 }]);
});

test('a fill may happen before a cancel arrives, and both are heard in their order', () => {
  const { tape, heard } = createDelayed(latencies);
  tape.offer(at(1_000, row.create('b1', 'BID', 98, 10)));
  tape.place(request('BID', 99, 5), 1_000);
  tape.advance(5_000);
  tape.cancel('BXT000000000001', 5_000);
  tape.offer(at(5_050, row.trade('b1', 'BID', 98, 5)));
  tape.advance(Infinity);
  expect(heard).toEqual([
    '1010 row create',
    '2100 accepted 1100',
    '5060 row trade',
    '6050 filled 5050',
    '6050 completed 5050',
    '6100 cancel-rejected 5100',
  ]);
});

test('a latency below zero or with a fraction is refused', () => {
  for (const requestMicros of [-1, 0.5, Number.NaN])
    expect(() => createDelayed({ ...latencies, requestMicros })).toThrow(RangeError);
});
