/** Cron schedules on virtual time: each period once, across restarts and clock changes. */
import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { hostOf, keysOf, note, pass, pluginOf, startMs } from './host-fixture.ts';

describe('schedule', () => {
  const daily = pluginOf(({ schedule }) =>
    schedule('0 9 * * *', 'Africa/Johannesburg').pipe(map(({ period }) => note(period))),
  );
  const nine = (day: number) => `2026-01-0${day}T07:00:00.000Z`;
  const stored = (day: number) => ({
    version: 1,
    state: null,
    periods: { '0 9 * * * Africa/Johannesburg': nine(day) },
  });

  it('emits at its times in its zone, with the state to store', () => {
    const host = hostOf(daily);
    host.start(startMs);
    const taken = pass(host, Date.parse(nine(6)));
    expect(taken.map(({ atMs, intent }) => [new Date(atMs).toISOString(), intent])).toMatchObject([
      [nine(5), { kind: 'remember', state: stored(5) }],
      [nine(5), { key: nine(5) }],
      [nine(6), { kind: 'remember', state: stored(6) }],
      [nine(6), { key: nine(6) }],
    ]);
  });

  it('has no missed periods when it is new', () => {
    const host = hostOf(daily, { startMs: Date.parse(nine(5)) + 1 });
    host.start(Date.parse(nine(5)) + 1);
    expect(host.takeIntents()).toEqual([]);
  });

  it('emits only the last of several missed periods, at start', () => {
    const nowMs = Date.parse(nine(8)) + 3_600_000;
    const host = hostOf(daily, { startMs: nowMs, state: stored(5) });
    host.start(nowMs);
    expect(keysOf(host.takeIntents())).toEqual(['remember', nine(8)]);
    expect(host.nextWakeMs()).toBe(Date.parse(nine(9)));
  });

  it('does not emit a period again after a restart at the same time', () => {
    const host = hostOf(daily, { startMs: Date.parse(nine(5)), state: stored(5) });
    host.start(Date.parse(nine(5)));
    expect(host.takeIntents()).toEqual([]);
    expect(host.nextWakeMs()).toBe(Date.parse(nine(6)));
  });

  it('keeps wall-clock time across a change to summer time', () => {
    const host = hostOf(
      pluginOf(({ schedule }) =>
        schedule('0 9 * * *', 'Europe/Berlin').pipe(map((p) => note(p.period))),
      ),
      { startMs: Date.UTC(2026, 2, 28, 0) },
    );
    host.start(Date.UTC(2026, 2, 28, 0));
    const taken = pass(host, Date.UTC(2026, 2, 29, 23)).map(({ intent }) => intent);
    expect(keysOf(taken).filter((key) => key !== 'remember')).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
    ]);
  });
});
