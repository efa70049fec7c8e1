/** A bot that was killed is shown as ended, also if an older answer about it comes late. */
import { expect, test } from 'vitest';
import { afterAnswer, type Connection } from '../../../src/page/live/connection.ts';
import { sampleStatus } from '../../support/sample-status.ts';

const running = { status: sampleStatus, problem: null };
const killed = { status: null, bot: { state: 'gone', endedMs: 5 }, problem: null } as const;
const connecting: Connection = { kind: 'connecting' };
const ended: Connection = { kind: 'ended', sinceMs: 7, text: 'demo was killed' };

test('the first answer shows the bot before the stream does', () => {
  expect(afterAnswer(connecting, { ...killed, ...running }, 9)).toEqual({ kind: 'live' });
});

test('an answer from before the end does not bring a killed bot back', () => {
  expect(afterAnswer(ended, { ...killed, ...running }, 9)).toBe(ended);
});

test('an answer without a status says why, once', () => {
  const found = { kind: 'ended', sinceMs: 5, text: 'It was killed or has crashed.' };
  expect(afterAnswer(connecting, killed, 9)).toEqual(found);
  expect(afterAnswer({ kind: 'live' }, killed, 9)).toEqual(found);
  expect(afterAnswer(ended, killed, 9)).toBe(ended);
});
