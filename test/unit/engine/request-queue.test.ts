/** The notice about calls that the exchange refuses because there are too many. */
import { expect, test } from 'vitest';
import { nothingRestored } from '../../../src/domain/records.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { venueReplyOf } from '../../../src/venues/luno/adapter/codec.ts';
import {
  plainChoice,
  virtualSettings,
  virtualStart,
  virtualStrategies,
} from '../../support/virtual-bot.ts';
import { refused } from '../execution/execution-fixture.ts';

const startedMicros = 1_795_176_000_000_000;
const settings = virtualSettings(plainChoice);

/** Answers the first call of a start with a 429; returns the notices about it. */
function noticesOf(retryAfterMs: number): readonly string[] {
  const restored = { ...nothingRestored };
  const start = virtualStart({ settings, restored, startedMicros, seed: 1 });
  const engine = new Engine(start, virtualStrategies(settings, undefined));
  const { effects } = engine.step(startedMicros, { kind: 'start' });
  const call = effects.find((effect) => effect.kind === 'request');
  if (call === undefined) throw new Error('a start asks for the open orders');
  const wire = { ...refused(429, 'ErrTooManyRequests'), retryAfterMs };
  const reply = venueReplyOf(call.call, wire);
  const answered = engine.step(startedMicros + 1_000, {
    kind: 'reply',
    request: call.request,
    reply,
  });
  return answered.effects.flatMap((effect) =>
    effect.kind === 'notice' && effect.notice.topic === 'state' ? [effect.notice.text] : [],
  );
}

test('a pause of 5 s or more is reported with its length, at most 60 s', () => {
  expect(noticesOf(4_999)).toEqual([]);
  expect(noticesOf(5_000)).toEqual([expect.stringMatching(/\(429\): for 5 s only one cancel/u)]);
  expect(noticesOf(3_600_000)).toEqual([
    expect.stringMatching(/\(429\): for 60 s only one cancel/u),
  ]);
});
