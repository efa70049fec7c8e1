/** One status for all who watch, several times a second, and none while nobody does. */
import { expect, test } from 'vitest';
import { StatusWatch } from '../../../../src/bot/status/status-watch.ts';
import type { StreamClient } from '../../../../src/control/control-server.ts';
import type { BotStatus } from '../../../../src/domain/bot-status.ts';
import { ManualTime } from '../../../support/manual-time.ts';

class Watcher implements StreamClient {
  readonly lines: string[] = [];
  isSlow = false;
  leave = (): void => {};

  isReady(): boolean {
    return !this.isSlow;
  }

  offer(line: string): void {
    this.lines.push(line);
  }

  onLeft(run: () => void): void {
    this.leave = run;
  }
}

function watchOf() {
  const time = new ManualTime();
  const state = { composed: 0, isBusy: false };
  const watch = new StatusWatch({
    timers: time.timers,
    compose: () => {
      state.composed++;
      return { text: 'reconciled', status: { run: state.composed } as BotStatus };
    },
    isBusy: () => state.isBusy,
  });
  return { watch, time, state };
}

test('a watcher gets a status at once, then one a turn, composed once for all', () => {
  const { watch, time, state } = watchOf();
  const [one, two] = [new Watcher(), new Watcher()];
  expect(watch.add(one)).toBeUndefined();
  expect(JSON.parse(one.lines[0] ?? '')).toEqual({
    ...{ isDone: false, isRefused: false, text: 'reconciled', status: { run: 1 } },
  });
  watch.add(two);
  time.fire();
  expect(state.composed).toBe(3);
  expect(one.lines.at(-1)).toBe(two.lines.at(-1));
});

test('nothing is composed once the last one has left', () => {
  const { watch, time, state } = watchOf();
  const one = new Watcher();
  watch.add(one);
  one.leave();
  time.fire();
  expect(state.composed).toBe(1);
  watch.add(one);
  watch.close();
  time.fire();
  expect(state.composed).toBe(2);
});

test('a watcher that has not read the last line gets no other, and none is composed for it', () => {
  const { watch, time, state } = watchOf();
  const [slow, quick] = [new Watcher(), new Watcher()];
  watch.add(slow);
  slow.isSlow = true;
  time.fire();
  expect([slow.lines.length, state.composed]).toEqual([1, 1]);
  watch.add(quick);
  time.fire();
  expect([slow.lines.length, quick.lines.length, state.composed]).toEqual([1, 2, 3]);
});

test('events that wait come first', async () => {
  const { watch, time, state } = watchOf();
  const one = new Watcher();
  watch.add(one);
  state.isBusy = true;
  time.fire();
  expect(one.lines).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(one.lines).toHaveLength(2);
});

test('a seventh watcher is told why it cannot', () => {
  const { watch } = watchOf();
  const watchers = Array.from({ length: 6 }, () => new Watcher());
  for (const one of watchers) expect(watch.add(one)).toBeUndefined();
  expect(watch.add(new Watcher())).toMatch(/6 programs watch this bot already/u);
  watchers[0]?.leave();
  expect(watch.add(new Watcher())).toBeUndefined();
});
