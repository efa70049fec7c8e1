/**
 * Bugs that make a run one that cannot be replayed. Each is built on the prototypes of the process
 * that runs the bot, the one that replays, or both.
 */
import { EngineContext } from '../../src/engine/engine-context.ts';
import { TrackedOrder } from '../../src/execution/orders/tracked-order.ts';

/** Each plant with what it breaks. */
export const replayPlants: Readonly<Record<string, string>> = {
  'ambient-clock': 'the engine reads the clock of the machine',
  'ambient-random': 'the engine draws from a generator that has no seed',
  'time-zone': 'a record holds a local time of day',
  language: 'an amount is written as the language of the machine wants it',
  'lost-event': 'one event in five hundred is not journalled',
  'unwritten-start': 'the journal does not say which orders the run took over',
};

type Side = 'record' | 'replay';

/** Breaks the code of this process. */
export function installReplayPlant(name: string, side: Side): void {
  switch (name) {
    case 'ambient-clock':
      changeRecords((text) => `${text} at ${performance.now()}`);
      return;
    case 'ambient-random':
      changeRecords((text) => `${text} ${Math.random()}`);
      return;
    case 'time-zone':
      changeRecords((text, nowMs) => `${text} at ${new Date(nowMs).getHours()} o'clock`);
      return;
    case 'language':
      changePrices();
      return;
    default:
      // What a journal lacks is left out where it is written.
      if (side === 'record' && !Object.hasOwn(replayPlants, name))
        throw new RangeError(`no plant ${name}`);
  }
}

/** Returns a journal's block as it would be with the plant. */
export function plantedLine(
  name: string,
  block: { readonly kind: string } & Record<string, unknown>,
  lineNumber: number,
): object {
  if (name === 'lost-event' && block.kind === 'batch' && lineNumber % 100 === 99) {
    const events = block['events'] as readonly unknown[];
    return { ...block, events: events.slice(1) };
  }
  if (name === 'unwritten-start' && block.kind === 'header') {
    const start = block['start'] as { readonly restored: object };
    return {
      ...block,
      start: { ...start, restored: { ...start.restored, orders: [], fills: [] } },
    };
  }
  return block;
}

function changeRecords(change: (proof: string, nowMs: number) => string): void {
  const real = EngineContext.prototype.record;
  EngineContext.prototype.record = function (this: EngineContext, record): void {
    if (record.kind !== 'evidence') real.call(this, record);
    else real.call(this, { ...record, proof: change(record.proof, this.nowMs) });
  };
}

function changePrices(): void {
  const real = TrackedOrder.prototype.toRow;
  TrackedOrder.prototype.toRow = function (this: TrackedOrder) {
    const row = real.call(this);
    return { ...row, reason: `${row.reason} ${(1234.5).toLocaleString()}` };
  };
}
