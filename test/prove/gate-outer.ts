/**
 * The two controls outside of the gate, and both broken on purpose: the driver's one commit before
 * anything leaves (25), and the egress guard (26). Each has a story in which an order must not
 * leave; the real control keeps it, and what is broken lets it go.
 */

import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { OrderRow, StoreRecord } from '../../src/domain/records.ts';
import { Driver } from '../../src/engine/driver.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Effect } from '../../src/engine/event.ts';
import type { LeavingRequest } from '../../src/venue/order-guard.ts';
import { EgressGuard } from '../../src/venues/luno/client/egress-guard.ts';

type Terms = Readonly<Record<string, string>>;

export type OuterMutant = {
  readonly name: string;
  readonly meaning: string;
  /** Whether the order leaves that must not: by the real control, and by the broken one. */
  readonly leaves: (isBroken: boolean) => boolean;
};

const terms: Terms = {
  client_order_id: 'b1-proof-1',
  pair: 'XBTZAR',
  type: 'BID',
  price: '1000000',
  volume: '0.01',
  time_in_force: 'GTC',
  base_account_id: '1',
  counter_account_id: '2',
  timestamp: '1001',
  ttl: '2000',
};
const request: Effect = {
  ...{ kind: 'request', request: 1, deadlineMs: 9_000 },
  call: {
    ...{ kind: 'place', pair: 'XBTZAR', side: 'BID', price: 1_000_000 as Ticks },
    ...{ volume: 10_000 as Lots, timeInForce: 'GTC', postOnly: false, baseAccountId: '1' },
    ...{ counterAccountId: '2', clientOrderId: 'b1-proof-1', timestampMs: 1_001, ttlMs: 2_000 },
  },
};

/** Whether an order leaves whose commit fails. */
function leavesUncommitted(isBroken: boolean): boolean {
  const soon: (() => void)[] = [];
  let left = 0;
  const exchange = {
    open: () => {},
    request: () => left++,
    reconnect: () => {},
    close: async () => {},
  };
  const incident = { atMs: 1, code: 'PROOF', text: 'what is stored with the order' };
  const step = () => {
    if (isBroken) exchange.request();
    return { records: [{ kind: 'incident', incident }], effects: isBroken ? [] : [request] };
  };
  const clock = {
    nowMicros: () => 1,
    monotonicMicros: () => 1,
    driftMs: () => 0,
    catchUp: () => 0,
  };
  const never = (): (() => void) => () => {};
  const driver = new Driver({
    engine: { step, nextWakeMicros: Infinity } as unknown as Engine,
    store: {
      commit: () => {
        throw new Error('disk full');
      },
      explain: () => {},
      restore: () => {
        throw new Error('nothing restores here');
      },
      close: () => {},
    },
    ...{ clock, exchange, journal: { append: () => {} } },
    timers: {
      after: never,
      every: never,
      soon: (run) => {
        soon.push(run);
        return () => {};
      },
    },
    onNotice: () => {},
    onStopped: () => {},
    onFatal: () => {},
  });
  driver.accept({ kind: 'tick' });
  for (let run = soon.shift(); run !== undefined; run = soon.shift()) run();
  return left > 0;
}

/** Whether an order leaves that the guard was told of like `told`, with `changes` of its fields. */
function leavesChanged(
  changes: Terms,
  told: (records: readonly StoreRecord[]) => readonly StoreRecord[],
  restored: (form: URLSearchParams) => void,
): boolean {
  const guard = new EgressGuard({ caps: undefined, clock: { monotonicMicros: () => 1 } });
  guard.noteCommitted(told(committed()));
  const form = new URLSearchParams({ ...terms, ...changes });
  restored(form);
  const leaving: LeavingRequest = {
    ...{ method: 'POST', path: '/api/1/postorder', body: form.toString() },
  };
  return guard.inspect(leaving) === undefined;
}

function committed(): readonly StoreRecord[] {
  const row: OrderRow = {
    ...{ intentId: 1, strategyId: 'mm', key: 'k', level: 'bid', tag: undefined, pair: 'XBTZAR' },
    side: 'BID',
    ...{ price: '1000000', volume: '0.01', timeInForce: 'GTC', postOnly: false },
    ...{ stopDirection: undefined, stopPrice: undefined, pays: undefined, expiresMs: undefined },
    ...{ baseAccountId: '1', counterAccountId: '2', clientOrderId: 'b1-proof-1' },
    ...{ reason: 'proof', createdMs: 1_000, validUntilMs: 11_000, state: 'sending' },
    ...{ orderId: undefined, attempts: 1, lastTimestampMs: 1_001, lastTtlMs: 2_000 },
    ...{ ambiguous: false, cancelRequestedMs: undefined, completedMs: undefined },
    ...{ base: '0', counter: '0', feeBase: '0', feeCounter: '0' },
  };
  const decision: StoreRecord = {
    ...{ kind: 'decision', atMs: 1_000, strategyId: 'mm', pair: 'XBTZAR', key: 'k', intentId: 1 },
    ...{ verdict: 'approved', refusals: '[]', inputs: '{}', limitsHash: 'proof' },
  };
  const dates = { number: 1, atMs: 1_001, timestampMs: 1_001, ttlMs: 2_000 };
  return [{ kind: 'order', row }, decision, { kind: 'attempt', intentId: 1, ...dates }];
}

const asIs = (records: readonly StoreRecord[]): readonly StoreRecord[] => records;

export const outerMutants: readonly OuterMutant[] = [
  {
    name: 'released-before-commit',
    meaning: 'check 25: an order leaves before it is kept, and stays gone when that fails',
    leaves: leavesUncommitted,
  },
  ...(['price', 'volume', 'type'] as const).map((field): OuterMutant => {
    const changes: Terms = { price: '1100000', volume: '0.1', type: 'ASK' };
    return {
      name: `egress-no-${field}`,
      meaning: `check 26: the guard does not compare the ${field} with what was approved`,
      leaves: (isBroken) =>
        leavesChanged({ [field]: changes[field] ?? '' }, asIs, (form) => {
          if (isBroken) form.set(field, terms[field] ?? '');
        }),
    };
  }),
  {
    name: 'egress-no-approval',
    meaning: 'check 26: the guard lets an order leave that nobody approved',
    leaves: (isBroken) =>
      leavesChanged(
        {},
        (records) => (isBroken ? records : records.filter(({ kind }) => kind !== 'decision')),
        () => {},
      ),
  },
];
