/** The whole bot on disks that fail, are slow, or lose power; `prove -- disk` tries every call. */
import { describe, expect, test } from 'vitest';
import { onDisk, runDiskSession } from '../support/disk-session.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { type DiskError, diskErrors } from '../support/virtual-disk.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

const errors = Object.keys(diskErrors) as DiskError[];

describe('a disk that fails', { timeout: 120_000 }, () => {
  test('P12: whichever call fails, nothing leaves unstored and the next start recovers', () => {
    const { diskCalls, violations } = runDiskSession();
    expect(violations).toEqual([]);
    const found: string[] = [];
    let restarts = 0;
    let runs = 0;
    for (let atCall = 1; atCall <= diskCalls; atCall += 5) {
      const error = errors[runs % errors.length] as DiskError;
      const calls = runs % 3 === 0 ? 40 : 1;
      const session = runDiskSession({ error, atCall, calls, isLate: runs % 5 === 0 });
      for (const violation of session.violations) found.push(`call ${atCall}: ${violation}`);
      expect(session.failed.length, `call ${atCall}`).toBeGreaterThan(0);
      restarts += session.lives - 1;
      runs++;
    }
    expect(found).toEqual([]);
    expect(restarts).toBeGreaterThan(runs / 3);
  });

  test('S6: a power cut loses nothing that was committed', () => {
    const storms = [1, 2, 3, 4, 5, 6].map((seed) =>
      onDisk(
        { seed, level: 0.3, stormSeconds: 30, rates: { 'crash.any-time': 0.2 } },
        { powerCuts: 'full' },
      ),
    );
    expect(storms.flatMap(({ violations }) => violations)).toEqual([]);
    expect(storms.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThan(4);
  });

  test('S6: without syncs a power cut would lose orders, so the syncs are what keeps them', () => {
    const { violations } = onDisk(
      { seed: 1, level: 0.3, stormSeconds: 30, rates: { 'crash.any-time': 0.2 } },
      { powerCuts: 'normal' },
    );
    expect(violations.length).toBeGreaterThan(0);
  });

  test('S7: a disk that takes five seconds is an incident, and no order is accepted too late', () => {
    let world: VirtualWorld | undefined;
    const memory = new MemoryStore();
    let commits = 0;
    let slow = 0;
    const store = {
      reports: memory.reports,
      get commitNumber() {
        return memory.commitNumber;
      },
      restore: (nowMs: number) => memory.restore(nowMs),
      close: () => {},
      explain: (...records: Parameters<MemoryStore['explain']>) => memory.explain(...records),
      commit: (...commit: Parameters<MemoryStore['commit']>) => {
        memory.commit(...commit);
        if (world === undefined || ++commits % 40 !== 0) return;
        world.time.nowMicros += 5_000_000;
        slow++;
      },
    };
    world = new VirtualWorld({ seed: 4, level: 0, refresh: '1s', openStore: () => store });
    world.begin();
    world.pass(120);
    const { witness, engine } = world;
    expect(slow).toBeGreaterThan(3);
    expect(new Set(witness.incidents.map(({ code }) => code))).toEqual(new Set(['STORE_SLOW']));
    expect(witness.incidents.length).toBeLessThanOrEqual(3);
    expect(witness.violations).toEqual([]);
    expect(witness.accepted).toBeGreaterThan(10);
    expect(engine?.orders.tracker.count('unknown')).toBeLessThan(3);
  });
});

test('S11: a bot whose log is held stops in order, and the incident says why', () => {
  const world = new VirtualWorld({ seed: 4, level: 0 });
  world.begin();
  world.pass(20);
  expect(world.engine?.orders.tracker.liveCount).toBeGreaterThan(0);
  const text = 'another program reads the database';
  world.tell({ kind: 'store-trouble', code: 'STORE_WAL_HELD', text, mustStop: true });
  world.pass(30);
  expect(world.witness.incidents).toMatchObject([{ code: 'STORE_WAL_HELD', text }]);
  expect(world.engine?.orders.tracker.liveCount).toBe(0);
  expect(world.simulator.truth('desk').orders.filter((one) => one.status === 'PENDING')).toEqual(
    [],
  );
});
