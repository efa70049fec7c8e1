/** The warning about open orders when an error ends a run, and its exit code. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Bot } from '../../../src/bot/bot.ts';
import { openAtExit } from '../../../src/bot/open-at-exit.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';
import { ExecutionFixture, noAnswer, refused } from '../execution/execution-fixture.ts';

const usual = join(packageRoot, '.millrace');
const nothing = { exitCode: 1, text: undefined };

function leftBy(
  { orders }: ExecutionFixture,
  mode: 'demo' | 'paper' | 'live' = 'live',
  home = usual,
) {
  const bot = { engine: { orders }, settings: { mode } } as unknown as Bot;
  return openAtExit(bot, { config: '/etc/bot.yaml', home, workspace });
}

test('a run that has not started, or has no orders, leaves nothing open', () => {
  expect(openAtExit(undefined, { config: '/etc/bot.yaml', home: usual, workspace })).toEqual(
    nothing,
  );
  expect(leftBy(new ExecutionFixture())).toEqual(nothing);
});

test('an order that is sending, unknown or open may be open: exit code 6, and the command', () => {
  const execution = new ExecutionFixture();
  execution.place();
  const left = leftBy(execution);
  expect(left.exitCode).toBe(6);
  expect(left.text).toMatch(
    /^! 1 orders may be open .*npm run --silent millrace -- panic \/etc\/bot\.yaml --home /u,
  );
  const elsewhere = leftBy(execution, 'live', '/var/lib/my bot');
  expect(elsewhere.text).toMatch(/panic \/etc\/bot\.yaml --home '\/var\/lib\/my bot'$/u);
  execution.answer('postorder', noAnswer);
  expect(leftBy(execution).exitCode).toBe(6);
});

test('an order that was never sent, was refused or is a paper order is not open', () => {
  const execution = new ExecutionFixture();
  execution.isBudgetFull = true;
  const order = execution.place();
  expect(order.state).toBe('waiting');
  expect(leftBy(execution)).toEqual(nothing);
  execution.isBudgetFull = false;
  execution.release();
  expect(leftBy(execution, 'paper')).toEqual(nothing);
  expect(leftBy(execution, 'demo').exitCode).toBe(6);
  execution.answer('postorder', refused(400, 'ErrInsufficientBalance'));
  expect(leftBy(execution)).toEqual(nothing);
});
