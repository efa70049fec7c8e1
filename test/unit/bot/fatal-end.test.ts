/** An error ends the run: what is held is stored first, unless the database itself failed. */
import { expect, test } from 'vitest';
import type { Bot } from '../../../src/bot/bot.ts';
import { createFatalEnd, type FatalEndOptions } from '../../../src/bot/guards/fatal-end.ts';
import { StoreError } from '../../../src/domain/errors.ts';
import type { Logger } from '../../../src/runtime/log.ts';
import { record, setUp, tick } from '../engine/driver-fixture.ts';
import { ExecutionFixture } from '../execution/execution-fixture.ts';

class Exit extends Error {}

/** Ends a run that holds a record; returns what happened, in order. */
async function endedBy(error: Error): Promise<readonly string[]> {
  const { driver, story, turn } = setUp(() => ({ records: [record('held')], effects: [] }));
  driver.accept(tick('one'));
  turn();
  const { orders } = new ExecutionFixture();
  const bot = {
    engine: { orders },
    settings: { mode: 'paper' },
    endSteps: () => driver.close(),
  } as unknown as Bot;
  const { fatal } = createFatalEnd(
    {
      config: '/etc/bot.yaml',
      home: '/home',
      output: { line: () => {}, problem: () => story.push('problem') },
    } as unknown as FatalEndOptions,
    {
      botOf: () => bot,
      logger: { fatal: () => {} } as unknown as Logger,
      exit: (code) => {
        story.push(`exit ${code}`);
        throw new Exit();
      },
    },
  );
  await expect(fatal(error)).rejects.toThrow(Exit);
  return story;
}

test('an uncaught error stores what is held before the exit', async () => {
  expect(await endedBy(new TypeError('a bug'))).toEqual([
    ...['step one', 'problem', 'commit 1 of 1', 'journal 1 with 1', 'exit 1'],
  ]);
});

test('a failed database stores nothing more', async () => {
  expect(await endedBy(new StoreError('a full disk'))).toEqual(['step one', 'problem', 'exit 1']);
});
