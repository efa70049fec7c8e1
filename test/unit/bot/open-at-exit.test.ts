/** What a run that ends by an error says of its orders, and its exit code. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Bot } from '../../../src/bot/bot.ts';
import { leftBehind } from '../../../src/bot/open-at-exit.ts';
import { packageRoot } from '../../../src/terminal/package-root.ts';
import { ExecutionFixture, noAnswer, refused } from '../execution/execution-fixture.ts';

const usual = join(packageRoot, '.millrace');
const nothing = { exitCode: 1, text: undefined };

function leftBy(
  { orders }: ExecutionFixture,
  mode: 'demo' | 'paper' | 'live' = 'live',
  home = usual,
) {
  const bot = { engine: { orders }, settings: { mode } } as unknown as Bot;
  return leftBehind(bot, '/etc/bot.yaml', home);
}

test('a run that has not begun leaves nothing, nor does one without orders', () => {
  expect(leftBehind(undefined, '/etc/bot.yaml', usual)).toEqual(nothing);
  expect(leftBy(new ExecutionFixture())).toEqual(nothing);
});

test('an order that is on its way, unknown or open may be open: 6, and what stops it', () => {
  const desk = new ExecutionFixture();
  desk.place();
  const left = leftBy(desk);
  expect(left.exitCode).toBe(6);
  expect(left.text).toMatch(
    /^! 1 orders may be open .*npm run --silent millrace -- panic \/etc\/bot\.yaml --home /u,
  );
  const elsewhere = leftBy(desk, 'live', '/var/lib/my bot');
  expect(elsewhere.text).toMatch(/panic \/etc\/bot\.yaml --home '\/var\/lib\/my bot'$/u);
  desk.answer('postorder', noAnswer);
  expect(leftBy(desk).exitCode).toBe(6);
});

test('one that never left, one that was refused and a pretended one are not', () => {
  const desk = new ExecutionFixture();
  desk.isBudgetFull = true;
  const order = desk.place();
  expect(order.state).toBe('waiting');
  expect(leftBy(desk)).toEqual(nothing);
  desk.isBudgetFull = false;
  desk.release();
  expect(leftBy(desk, 'paper')).toEqual(nothing);
  expect(leftBy(desk, 'demo').exitCode).toBe(6);
  desk.answer('postorder', refused(400, 'ErrInsufficientBalance'));
  expect(leftBy(desk)).toEqual(nothing);
});
