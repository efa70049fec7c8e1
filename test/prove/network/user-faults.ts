/** What a user stream can say wrongly of our orders, fills and balances. */
import { parseWireJson, stringifyWireJson } from '../../../src/venues/luno/api/wire-json.ts';
import { answerOf, to } from './deeds.ts';
import type { Fault, FaultHooks } from './fault.ts';
import { toFrames } from './stream-faults.ts';
import type { StreamLine } from './stream-line.ts';

type Status = { readonly order_id: string; readonly status: string };
type Fill = { readonly order_id: string; readonly base_fill: string; readonly base_delta: string };
type Balance = { readonly row_index: number; readonly balance: string };
type Frame = {
  readonly type: string;
  readonly timestamp: number;
  readonly order_status_update?: Status | null;
  readonly order_fill_update?: Fill | null;
  readonly balance_update?: Balance | null;
};

/** Says something else in the place of a frame, or beside it. */
function saying(change: (frame: Frame) => readonly object[] | undefined): FaultHooks {
  return toFrames('user', (line, text) => {
    if (text.length < 8) return false;
    const frames = change(parseWireJson(text) as Frame);
    for (const frame of frames ?? []) line.deliver(stringifyWireJson(frame));
    return frames !== undefined;
  });
}

/** A fill of an order that has just been taken, and has not traded. */
function inventFill(frame: Frame, orderId: string): object {
  return {
    type: 'order_fill',
    timestamp: frame.timestamp,
    order_status_update: null,
    order_fill_update: {
      order_id: orderId,
      client_order_id: '',
      market_id: 'XBTZAR',
      base_fill: '0.001',
      counter_fill: '1000',
      base_delta: '0.001',
      counter_delta: '1000',
      base_fee: '0',
      counter_fee: '0',
      base_fee_delta: '0',
      counter_fee_delta: '0',
    },
    balance_update: null,
  };
}

/**
 * Both sources of an order's end say that a cancel was carried out, and it was not: the answer to
 * the stop, and the user stream.
 */
function claimCancels(): FaultHooks {
  const taken = new Map<string, { readonly line: StreamLine; readonly frame: Frame }>();
  return {
    frame: (line, text) => {
      if (line.name !== 'user' || text.length < 8) return false;
      const frame = parseWireJson(text) as Frame;
      const update = frame.order_status_update;
      if (update?.status === 'PENDING') taken.set(update.order_id, { line, frame });
      return false;
    },
    ...to(['stoporder'], (exchange) => {
      const { line, frame } = taken.get(exchange.parameter('order_id') ?? '') ?? {};
      const update = frame?.order_status_update;
      if (update)
        line?.deliver(
          stringifyWireJson({ ...frame, order_status_update: { ...update, status: 'COMPLETE' } }),
        );
      exchange.reply(answerOf(200, '{"success":true}'));
    }),
  };
}

const user = (name: string, hooks: () => FaultHooks, more: Partial<Fault> = {}): Fault => ({
  name: `user stream ${name}`,
  hooks,
  ...more,
});

export const userFaults: readonly Fault[] = [
  user('reports a fill that never happened', () =>
    saying((frame) => {
      const taken = frame.order_status_update;
      if (taken?.status !== 'PENDING') return undefined;
      return [frame, inventFill(frame, taken.order_id)];
    }),
  ),
  user('reports a cancel that never happened', () =>
    saying((frame) => {
      const taken = frame.order_status_update;
      if (taken?.status !== 'PENDING') return undefined;
      return [frame, { ...frame, order_status_update: { ...taken, status: 'COMPLETE' } }];
    }),
  ),
  user('and the answer to the stop claim cancels that never happened', claimCancels),
  user('reports an end as a beginning', () =>
    saying((frame) => {
      const ended = frame.order_status_update;
      if (ended?.status !== 'COMPLETE') return undefined;
      return [{ ...frame, order_status_update: { ...ended, status: 'PENDING' } }];
    }),
  ),
  user('reports a fill of ten times as much', () =>
    saying((frame) => {
      const fill = frame.order_fill_update ?? undefined;
      return fill && [{ ...frame, order_fill_update: { ...fill, base_fill: '0.02' } }];
    }),
  ),
  user('reports no fill', () => saying((frame) => (frame.order_fill_update ? [] : undefined))),
  user('reports each fill three times', () =>
    saying((frame) => (frame.order_fill_update ? [frame, frame, frame] : undefined)),
  ),
  user(
    'reports our orders by ids that are not theirs',
    () =>
      saying((frame) => {
        const reported = frame.order_status_update;
        if (!reported) return undefined;
        return [
          frame,
          { ...frame, order_status_update: { ...reported, order_id: 'BXNOTOURS000000' } },
        ];
      }),
    { halts: /the stream reports the id/u },
  ),
  user('reports wrong balances', () =>
    saying((frame) => {
      const update = frame.balance_update ?? undefined;
      return update && [{ ...frame, balance_update: { ...update, balance: '7' } }];
    }),
  ),
  user('reports balances of rows to come', () =>
    saying((frame) => {
      const update = frame.balance_update ?? undefined;
      return (
        update && [{ ...frame, balance_update: { ...update, row_index: update.row_index + 1_000 } }]
      );
    }),
  ),
  user('reports something unknown', () =>
    saying((frame) => [frame, { ...frame, type: 'novelty' }]),
  ),
  user('floods', () => saying((frame) => Array.from({ length: 2_000 }, () => frame))),
];
