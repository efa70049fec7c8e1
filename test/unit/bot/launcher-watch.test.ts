/** The process that started a bot is watched while it stays the parent, and no other. */
import { expect, test } from 'vitest';
import { watchLauncher } from '../../../src/bot/guards/launcher-watch.ts';
import { FakeTimers } from '../venues/luno/client/fake-timers.ts';

type Situation = {
  readonly environment: Readonly<Record<string, string>>;
  readonly parents: readonly number[];
  readonly running?: readonly number[];
};

/** Who is said to have gone, with the parent of each second. */
function goneIn({ environment, parents, running = [] }: Situation): string | undefined {
  const timers = new FakeTimers();
  let second = 0;
  let who: string | undefined;
  watchLauncher(
    {
      timers,
      environment,
      parentOf: () => parents[second] ?? parents.at(-1) ?? 0,
      isRunning: (pid) => running.includes(pid),
    },
    (gone) => {
      who = who === undefined ? gone : 'twice';
    },
  );
  for (second = 1; second < 4; second++) timers.advance(1_000);
  return who;
}

const npm = { npm_package_name: 'millrace', npm_lifecycle_event: 'start' };

test.each<[string, Situation, string | undefined]>([
  [
    'a launcher that ends',
    { environment: { MILLRACE_LAUNCHER_PID: '7' }, parents: [7, 7, 1] },
    'launcher',
  ],
  [
    'a launcher that had ended before the first look',
    { environment: { MILLRACE_LAUNCHER_PID: '7' }, parents: [1] },
    'launcher',
  ],
  [
    'a launcher that stays',
    { environment: { MILLRACE_LAUNCHER_PID: '7' }, parents: [7] },
    undefined,
  ],
  [
    'a launcher of something else, under npm too',
    { environment: { ...npm, MILLRACE_LAUNCHER_PID: '7' }, parents: [9, 1], running: [7] },
    undefined,
  ],
  ['an npm that ends', { environment: npm, parents: [8, 8, 1] }, 'npm'],
  [
    'an npm of another package',
    { environment: { ...npm, npm_package_name: 'mine' }, parents: [8, 1] },
    undefined,
  ],
  ['nobody', { environment: {}, parents: [8, 1] }, undefined],
])('%s', (_name, situation, gone) => {
  expect(goneIn(situation)).toBe(gone);
});
