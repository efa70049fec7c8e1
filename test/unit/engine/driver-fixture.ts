/** A driver over an engine, store, clock, timers and exchange that the test controls. */
import type { StoreRecord } from '../../../src/domain/records.ts';
import { Driver, type DriverOptions } from '../../../src/engine/driver.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Effect, EngineEvent, Step } from '../../../src/engine/event.ts';
import { decodeLine, type JournalBatch } from '../../../src/engine/journal.ts';
import { holdMs } from '../../../src/engine/stepped-batch.ts';
import type { PlaceRequest } from '../../../src/venue/venue-request.ts';

export const tick = (name: string): EngineEvent => ({ kind: 'user-closed', reason: name });
export const record = (name: string): StoreRecord => ({
  kind: 'incident',
  incident: { atMs: 1, code: 'TEST', text: name },
});
export const request = (number: number): Effect => ({
  ...{ kind: 'request', request: number, call: { kind: 'balances' }, deadlineMs: 1 },
});
export const placing = (number: number): Effect => {
  // Nothing here looks at the order.
  const call = { kind: 'place' } as PlaceRequest;
  return { kind: 'request', request: number, call, deadlineMs: 1 };
};

type ClockOfTest = { nowMicros: number };

export function setUp(
  step: (event: EngineEvent) => Step,
  commit: (world: ClockOfTest) => void = () => {},
  more: Pick<DriverOptions, 'onStepped' | 'takeNotes'> = {},
) {
  const story: string[] = [];
  const notices: string[] = [];
  /** What was stored, commit by commit. */
  const commits: (readonly StoreRecord[])[] = [];
  const soon: (() => void)[] = [];
  type Wake = { delayMs: number; run: () => void; cancelled: boolean };
  const wakes: Wake[] = [];
  const holds: Wake[] = [];
  const timeChecks: (() => void)[] = [];
  const world = {
    nowMicros: 1_000,
    nextWakeMicros: Infinity,
    /** How far the system's clock is ahead of ours. */
    driftMicros: 0,
  };
  let fatal: unknown;
  const engine = {
    step: (_atMicros: number, event: EngineEvent) => {
      story.push(`step ${event.kind === 'user-closed' ? event.reason : event.kind}`);
      return step(event);
    },
    get nextWakeMicros() {
      return world.nextWakeMicros;
    },
  } as unknown as Engine;
  const driver = new Driver({
    ...more,
    engine,
    store: {
      commit: (records, number) => {
        commit(world);
        commits.push(records);
        story.push(`commit ${number} of ${records.length}`);
      },
      explain: (records) => {
        commits.push(records);
        story.push(`explain ${records.length}`);
      },
      restore: () => {
        throw new Error('nothing restores here');
      },
      close: () => {},
    },
    clock: {
      nowMicros: () => world.nowMicros,
      monotonicMicros: () => world.nowMicros,
      driftMs: () => world.driftMicros / 1000,
      catchUp: () => {
        const moved = world.driftMicros;
        world.nowMicros += moved;
        world.driftMicros = 0;
        return moved;
      },
    },
    timers: {
      after: (delayMs, run) => {
        const wake = { delayMs, run, cancelled: false };
        (delayMs === holdMs ? holds : wakes).push(wake);
        return () => {
          wake.cancelled = true;
        };
      },
      every: (_intervalMs, run) => {
        timeChecks.push(run);
        return () => {};
      },
      soon: (run) => {
        soon.push(run);
        return () => {};
      },
    },
    exchange: {
      open: () => {},
      request: (effect) => story.push(`request ${effect.request}`),
      reconnect: () => {},
      close: async () => {},
    },
    journal: {
      append: (line, size = 1) => {
        const block = decodeLine(line().trimEnd()) as JournalBatch;
        const long = size === 1 ? '' : `, as long as ${size}`;
        story.push(`journal ${block.commit} with ${block.events.length}${long}`);
      },
    },
    onNotice: ({ text }) => {
      story.push('notice');
      notices.push(text);
    },
    onStopped: (open) => {
      if (open === 13) throw new Error('unlucky');
      story.push(`stopped ${open}`);
    },
    onFatal: (error) => {
      fatal = error;
    },
  });
  /** Runs what comes in the next turns of the loop, without time passing. */
  const turn = (): void => {
    for (let next = soon.shift(); next !== undefined; next = soon.shift()) next();
  };
  /** As {@link turn}, and lets the time pass that a batch is held back. */
  const run = (): void => {
    turn();
    for (const hold of holds.splice(0)) if (!hold.cancelled) hold.run();
    turn();
  };
  const checkTime = (): void => {
    for (const check of timeChecks) check();
  };
  const given = {
    driver,
    story,
    notices,
    commits,
    turn,
    run,
    world,
    wakes,
    holds,
    soon,
    checkTime,
  };
  return { ...given, fatal: () => fatal };
}
