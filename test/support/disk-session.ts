/**
 * A short session of the whole bot on a disk that fails once, or from some call on for a while: an
 * order that trades at once, one that rests and is cancelled, and a quote, over restarts.
 */
import { mergeMap } from 'rxjs';
import { z } from 'zod';
import { StoreError } from '../../src/domain/errors.ts';
import { defineStrategy, type Intent, type Lots, type MarketContext } from '../../src/index.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import { startMicros } from './simulated-exchange.ts';
import { virtualNamespace } from './virtual-bot.ts';
import { type DiskFault, VirtualDisk, type VirtualDiskOptions } from './virtual-disk.ts';
import type { WorldOptions, WorldResult } from './virtual-run.ts';
import { VirtualWorld } from './virtual-world.ts';

export type DiskSession = WorldResult & {
  /** Calls to SQLite. */
  readonly diskCalls: number;
  /** Calls that failed. */
  readonly failed: readonly string[];
  /** Power cuts that took the files back to their last sync. */
  readonly cuts: number;
};

function act(market: MarketContext, second: number): Intent[] {
  const { pair, top } = market;
  const { bid, ask } = top ?? {};
  if (bid === undefined || ask === undefined || second > 4) return [];
  const terms = { volume: 1_000 as Lots, side: 'BID' } as const;
  const far = market.round(bid * 0.99, 'down');
  const reason = 'session';
  if (second === 1)
    return [
      {
        kind: 'place',
        pair,
        key: 'now',
        terms: { ...terms, price: ask, timeInForce: 'IOC' },
        reason,
      },
      { kind: 'place', pair, key: 'later', terms: { ...terms, price: far }, reason },
    ];
  if (second === 2) return [{ kind: 'cancel', pair, key: 'later', reason }];
  return [
    {
      kind: 'quote',
      pair,
      orders: [{ ...terms, side: 'ASK', price: market.round(ask * 1.01, 'up'), level: 'far' }],
      reason,
    },
  ];
}

const strategy = defineStrategy({
  name: 'own',
  parameters: z.strictObject({}),
  pairs: 1,
  run: (context) => {
    const [market] = context.pairs;
    if (market === undefined) throw new RangeError('one pair');
    return context.every(1_000).pipe(mergeMap((_now, index) => act(market, index + 1)));
  },
}) as unknown as AnyStrategy;

/** Runs the session; a life may end by the fault and by nothing else. */
export function runDiskSession(fault?: DiskFault, seed = 5): DiskSession {
  return onDisk(
    { seed, level: 0, stormSeconds: 5, strategy },
    fault === undefined ? {} : { fault },
  );
}

/** Runs a world whose store is a file on a disk of its own. */
export function onDisk(options: WorldOptions, disk: VirtualDiskOptions): DiskSession {
  let world: VirtualWorld | undefined;
  const nowMs = (): number => Math.floor((world?.time.nowMicros ?? startMicros) / 1000);
  const used = new VirtualDisk({ nowMs, namespace: virtualNamespace }, disk);
  try {
    world = new VirtualWorld({
      ...options,
      openStore: () => used.open(),
      mayDieOf: (error) => used.failed.length > 0 && error instanceof StoreError,
    });
    const { witness } = world;
    used.onKept = (records) => witness.onCommit(records);
    return { ...world.run(), diskCalls: used.calls, failed: used.failed, cuts: used.cuts };
  } finally {
    used.remove();
  }
}
