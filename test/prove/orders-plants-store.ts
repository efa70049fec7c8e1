/** Plants around commits, restarts and what may still be open. */

import type { StoreRecord } from '../../src/domain/records.ts';
import { Engine } from '../../src/engine/engine.ts';
import { Executor } from '../../src/execution/orders/executor.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { VirtualExchange } from '../support/virtual-exchange.ts';
import { VirtualWorld } from '../support/virtual-world.ts';
import { afterChange } from './orders-plant-hooks.ts';
import type { OrdersPlant } from './orders-plants.ts';

export const storePlants: Readonly<Record<string, OrdersPlant>> = {
  'release-before-commit': {
    meaning: 'requests leave before their records are committed',
    install: () => {
      let exchange: VirtualExchange | undefined;
      const open = VirtualExchange.prototype.open;
      VirtualExchange.prototype.open = function (this: VirtualExchange, sink): void {
        exchange = this;
        open.call(this, sink);
      };
      const step = Engine.prototype.step;
      Engine.prototype.step = function (this: Engine, atMicros, event) {
        const made = step.call(this, atMicros, event);
        const later = made.effects.filter((effect) => effect.kind !== 'request');
        for (const effect of made.effects) if (effect.kind === 'request') exchange?.request(effect);
        return { ...made, effects: later };
      };
    },
  },
  'commit-not-durable': {
    meaning: 'a crash loses the last commit',
    install: loseLastCommit,
  },
  'sending-is-unsent': {
    meaning: 'an order that was being sent at a crash counts as unsent after it',
    install: () => {
      const resume = Executor.prototype.resume;
      Executor.prototype.resume = function (this: Executor, order): void {
        if (order.state === 'sending') order.state = 'waiting';
        resume.call(this, order);
      };
    },
  },
  'unknown-not-held': {
    meaning: 'an order of unknown outcome is not counted as open',
    install: () =>
      afterChange(({ orders, order, state }) => {
        if (state === 'unknown') orders.context.exposure.release(order.hold);
      }),
  },
};

function loseLastCommit(): void {
  let held: { readonly store: MemoryStore; readonly records: readonly StoreRecord[] } | undefined;
  const commit = MemoryStore.prototype.commit;
  const { explain } = MemoryStore.prototype;
  const restore = MemoryStore.prototype.restore;
  const flush = (): void => {
    const last = held;
    held = undefined;
    if (last !== undefined) commit.call(last.store, last.records, last.store.commitNumber + 1);
  };
  MemoryStore.prototype.commit = function (this: MemoryStore, records): void {
    if (held?.store === this) flush();
    held = { store: this, records };
  };
  MemoryStore.prototype.explain = function (this: MemoryStore, records): void {
    // They refer to what is held, so they are lost with it.
    if (held?.store === this) held = { store: this, records: [...held.records, ...records] };
    else explain.call(this, records);
  };
  MemoryStore.prototype.restore = function (this: MemoryStore, nowMs) {
    held = undefined;
    return restore.call(this, nowMs);
  };
  // Who asks the living process sees everything.
  const reports = Object.getOwnPropertyDescriptor(VirtualWorld.prototype, 'reports')?.get;
  if (reports === undefined) throw new Error('the reports of a world are a getter');
  Object.defineProperty(VirtualWorld.prototype, 'reports', {
    get(this: VirtualWorld): unknown {
      flush();
      return reports.call(this);
    },
  });
}
