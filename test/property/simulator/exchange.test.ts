/**
 * Random scripts of two users: matching equals a slow reference implementation, money is conserved,
 * ledgers have no gaps and add up, both streams agree with the orders, and the size of time steps
 * does not matter.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMarketFrame, isKeepAlive } from '../../../src/venues/luno/api/market-messages.ts';
import { decodeUserFrame } from '../../../src/venues/luno/api/user-messages.ts';
import { defaultSimulatorSettings } from '../../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  restoreSimulator,
  type Simulator,
} from '../../../src/venues/luno/simulator/world/simulator.ts';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  second,
  simulatorFor,
  startMicros,
} from '../../support/simulated-exchange.ts';
import { SlowMatching } from '../../support/slow-matching.ts';

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      who: fc.nat(1),
      side: fc.constantFrom('BID' as const, 'ASK' as const),
      price: fc.integer({ min: 999_990, max: 1_000_010 }),
      // Lots of 10^-6: odd volumes cause odd fees.
      volume: fc.integer({ min: 100, max: 3_000_000 }),
      timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
      postOnly: fc.boolean(),
      stop: fc.option(
        fc.record({
          direction: fc.constantFrom('ABOVE' as const, 'BELOW' as const),
          price: fc.integer({ min: 999_990, max: 1_000_010 }),
        }),
        { freq: 3, nil: undefined },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('market' as const),
      who: fc.nat(1),
      // Lots for a sell, counter currency for a buy.
      sell: fc.integer({ min: 100, max: 3_000_000 }),
      buy: fc.integer({ min: 100, max: 3_000_000 }),
      type: fc.constantFrom('BUY' as const, 'SELL' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(1000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(30_000) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const lotsText = (lots: number): string =>
  `${Math.floor(lots / 1e6)}.${`${lots % 1e6}`.padStart(6, '0')}`;

class Script {
  readonly simulator: Simulator;
  readonly callers: readonly Caller[];
  readonly slow: SlowMatching;
  readonly marketFrames: string[] = [];
  readonly userFrames: string[] = [];
  #open: { readonly id: string; readonly who: number }[] = [];

  constructor(simulator = simulatorFor(quietSettings), slow = new SlowMatching()) {
    this.simulator = simulator;
    this.slow = slow;
    this.callers = [botKey, otherKey].map((key) => new Caller(simulator, key));
    for (const [path, frames] of [
      ['/api/1/stream/XBTZAR', this.marketFrames],
      ['/api/1/userstream', this.userFrames],
    ] as const) {
      const session = simulator.openSession(
        path,
        (output) =>
          output.kind === 'frame' && !isKeepAlive(output.text) && frames.push(output.text),
        startMicros,
      );
      const credentials = { api_key_id: botKey.id, api_key_secret: botKey.secret };
      session?.receive(JSON.stringify(credentials), startMicros);
    }
  }

  run(next: Step): void {
    if (next.kind === 'wait') {
      for (const caller of this.callers) caller.timeMicros += next.ms * 1000;
      this.simulator.advance(this.callers[0]?.timeMicros ?? 0);
    } else if (next.kind === 'cancel') {
      const [order] = this.#open.splice(next.pick % Math.max(1, this.#open.length), 1);
      if (order === undefined) return;
      this.callers[order.who]?.post('/api/1/stoporder', { order_id: order.id });
      this.slow.cancel(order.id);
    } else if (next.kind === 'market') {
      this.#market(next);
    } else {
      const { who, side, price, volume, timeInForce, stop } = next;
      const isPostOnly = next.postOnly && timeInForce === 'GTC';
      const answer = this.callers[who]?.place(side, price, lotsText(volume), {
        time_in_force: timeInForce,
        post_only: String(isPostOnly),
        ...(stop && { stop_price: String(stop.price), stop_direction: stop.direction }),
      });
      const id = answer?.['order_id'];
      if (typeof id !== 'string') {
        expect(['ErrInsufficientBalance', 'ErrOrderCanceled']).toContain(answer?.['error_code']);
        return;
      }
      this.slow.place({ name: id, side, price, volume, timeInForce, stop, postOnly: isPostOnly });
      this.#open.push({ id, who });
    }
  }

  #market(next: Extract<Step, { kind: 'market' }>): void {
    const { who, type } = next;
    const amount =
      type === 'SELL' ? { base_volume: lotsText(next.sell) } : { counter_volume: String(next.buy) };
    const answer = this.callers[who]?.post('/api/1/marketorder', {
      pair: 'XBTZAR',
      type,
      ...amount,
    });
    const id = answer?.['order_id'];
    if (typeof id !== 'string') {
      const codes = ['ErrInsufficientBalance', 'ErrNotEnoughLiquidity', 'ErrVolumeTooLow'];
      expect(codes).toContain(answer?.['error_code']);
      return;
    }
    const user = who === 0 ? 'desk' : 'other';
    const order = this.simulator.truth(user).orders.find((one) => one.order_id === id);
    expect(order?.status).toBe('COMPLETE');
    expect(order?.base).toBe(type === 'SELL' ? lotsText(next.sell) : order?.limit_volume);
    const volume = Number.parseInt((order?.base ?? '').replace('.', ''), 10);
    this.slow.place({
      name: id,
      side: type === 'SELL' ? 'ASK' : 'BID',
      price: type === 'SELL' ? 0 : Number.MAX_SAFE_INTEGER,
      volume,
      timeInForce: 'IOC',
    });
    // The unspent rest does not buy a lot at the last price paid.
    if (type === 'BUY' && volume > 0) {
      const spent = this.slow.trades
        .filter((trade) => trade.taker === id)
        .reduce((sum, trade) => sum + trade.price * trade.volume, 0);
      const worst = this.slow.trades.findLast((trade) => trade.taker === id)?.price ?? 0;
      expect(spent).toBeLessThanOrEqual(next.buy * 1e6);
      expect(next.buy * 1e6 - spent).toBeLessThan(worst + 20);
    }
  }
}

const scripts = fc.array(step, { minLength: 1, maxLength: 60 });

test('trades equal those of the slow reference matching, and no invariant breaks', () => {
  fc.assert(
    fc.property(scripts, (steps) => {
      const script = new Script();
      for (const next of steps) {
        script.run(next);
        expect(script.simulator.faults()).toEqual([]);
      }
      const updates = script.marketFrames.map(decodeMarketFrame);
      const trades = updates.flatMap((one) => (one.kind === 'update' ? one.update.trades : []));
      expect(
        trades.map((trade) => [trade.makerOrderId, trade.takerOrderId, trade.base, trade.counter]),
      ).toEqual(
        script.slow.trades.map(({ maker, taker, price, volume }) => [
          maker,
          taker,
          lotsText(volume),
          lotsText(price * volume),
        ]),
      );
      const pending = ['desk', 'other'].flatMap((user) =>
        script.simulator.truth(user).orders.filter((order) => order.status === 'PENDING'),
      );
      expect(pending.map((order) => order.order_id).sort()).toEqual(script.slow.names);
      const awaiting = ['desk', 'other'].flatMap((user) =>
        script.simulator.truth(user).orders.filter((order) => order.status === 'AWAITING'),
      );
      expect(awaiting.map((order) => order.order_id).sort()).toEqual(script.slow.waitingNames);
    }),
    { numRuns: 150 },
  );
});

test('the messages of the market stream, applied in order, lead to the book', () => {
  fc.assert(
    fc.property(scripts, (steps) => {
      const script = new Script();
      for (const next of steps) script.run(next);
      const left = new Map<string, bigint>();
      const lots = (text: string): bigint => BigInt(text.replace('.', ''));
      let sequence: bigint | undefined;
      for (const message of script.marketFrames.map(decodeMarketFrame)) {
        if (message.kind === 'snapshot') sequence = BigInt(message.snapshot.sequence);
        if (message.kind !== 'update') continue;
        const { update } = message;
        expect(BigInt(update.sequence)).toBe((sequence ?? 0n) + 1n);
        sequence = BigInt(update.sequence);
        for (const { makerOrderId, base } of update.trades) {
          const rest = (left.get(makerOrderId) ?? 0n) - lots(base);
          expect(rest >= 0n).toBe(true);
          if (rest === 0n) left.delete(makerOrderId);
          else left.set(makerOrderId, rest);
        }
        if (update.create) left.set(update.create.orderId, lots(update.create.volume));
        if (update.delete) expect(left.delete(update.delete.orderId)).toBe(true);
      }
      const pending = ['desk', 'other']
        .flatMap((user) => script.simulator.truth(user).orders)
        .filter((order) => order.status === 'PENDING')
        .map((order) => [order.order_id, lots(order.limit_volume) - lots(order.base)]);
      expect(new Map(pending as [string, bigint][])).toEqual(left);
    }),
    { numRuns: 100 },
  );
});

test('the user stream ends in the state of the orders and accounts', () => {
  fc.assert(
    fc.property(scripts, (steps) => {
      const script = new Script();
      for (const next of steps) script.run(next);
      const truth = script.simulator.truth('desk');
      const orders = new Map<string, { status?: string; base?: string; fee?: string }>();
      const rows = new Map<string, number>();
      for (const message of script.userFrames.map(decodeUserFrame)) {
        if (message.kind === 'order-status') {
          const { order_id: id, status } = message.update;
          orders.set(id, { ...orders.get(id), status });
        } else if (message.kind === 'order-fill') {
          const { order_id: id, base_fill: base, base_fee: fee } = message.update;
          orders.set(id, { ...orders.get(id), base, fee });
        } else if (message.kind === 'balance') {
          const { account_id: id, row_index: row } = message.update;
          // Without gaps from the row after the deposit.
          expect(row).toBe((rows.get(id) ?? 1) + 1);
          rows.set(id, row);
        }
      }
      for (const order of truth.orders) {
        const seen = orders.get(order.order_id);
        expect(seen?.status).toBe(order.status);
        expect(seen?.base ?? '0.000000').toBe(order.base);
        expect(seen?.fee ?? '0.00').toBe(order.fee_base);
      }
      for (const account of truth.accounts)
        expect(rows.get(account.id) ?? 1).toBe(account.rows.length);
    }),
    { numRuns: 100 },
  );
});

test('a restart from a snapshot at any point changes nothing', () => {
  fc.assert(
    fc.property(scripts, fc.nat(60), (steps, cut) => {
      const whole = new Script();
      for (const next of steps.filter((one) => one.kind !== 'cancel')) whole.run(next);
      const first = new Script();
      const some = steps.filter((one) => one.kind !== 'cancel');
      for (const next of some.slice(0, cut)) first.run(next);
      // The reference continues too: orders that rested before the restart rest after it.
      const restored = new Script(restoreSimulator(first.simulator.snapshot()), first.slow);
      for (const [index, caller] of restored.callers.entries())
        caller.timeMicros = first.callers[index]?.timeMicros ?? startMicros;
      for (const next of some.slice(cut)) restored.run(next);
      for (const user of ['desk', 'other'])
        expect(restored.simulator.truth(user)).toEqual(whole.simulator.truth(user));
    }),
    { numRuns: 60 },
  );
});

test('the size of time steps changes nothing, including the participants', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.array(fc.integer({ min: 1, max: 3_000_000 })), (seed, cuts) => {
      const whole = simulatorFor(defaultSimulatorSettings, { seed });
      const pieces = simulatorFor(defaultSimulatorSettings, { seed });
      const end = startMicros + 8 * second;
      let now = startMicros;
      for (const cut of cuts) {
        now = Math.min(end, now + cut);
        pieces.advance(now);
      }
      const book = (simulator: Simulator) =>
        new Caller(simulator, undefined, end).send('GET', '/api/1/orderbook', { pair: 'XBTZAR' });
      expect(book(pieces)).toEqual(book(whole));
    }),
    { numRuns: 25 },
  );
});
