/** What a person reads of a strategy's quotes: each once, and anew after it quoted nothing. */
import { map } from 'rxjs';
import { expect, test } from 'vitest';
import { nothingRestored } from '../../../src/domain/records.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { Intent } from '../../../src/index.ts';
import { strategyOf } from '../../support/scripted-world.ts';
import {
  plainChoice,
  virtualSettings,
  virtualStart,
  virtualStrategies,
} from '../../support/virtual-bot.ts';

const startedMicros = 1_795_176_000_000_000;

/** Wishes `wishes`, one a second; returns the notices of quotes and of idling. */
function toldOf(wishes: readonly Partial<Intent>[]): readonly string[] {
  const given = virtualSettings(plainChoice);
  const strategies = given.strategies.map((one) => ({ ...one, plugin: 'own', parameters: {} }));
  const settings = { ...given, strategies };
  const strategy = strategyOf((context, { pair }) =>
    context.every(1_000).pipe(map((_, at) => ({ ...wishes[at], pair, reason: 'test' }) as Intent)),
  );
  const restored = { ...nothingRestored };
  const start = virtualStart({ settings, restored, startedMicros, seed: 1 });
  const engine = new Engine(start, virtualStrategies(settings, strategy));
  const told: string[] = [];
  for (let second = 0; second <= wishes.length; second++) {
    const atMicros = startedMicros + second * 1_000_000;
    const { effects } = engine.step(atMicros, { kind: second === 0 ? 'start' : 'tick' });
    for (const effect of effects)
      if (effect.kind === 'notice' && /^(?:quote|idle)$/u.test(effect.notice.topic))
        told.push(effect.notice.text.replace(/^\S+ \S+ /u, ''));
  }
  return told;
}

const quote = { kind: 'quote', orders: [] } as const;
const idle = { kind: 'idle' } as const;

test('one that is wished again is told once, and again when it is new to who read of idling', () => {
  expect(toldOf([quote, quote])).toEqual(['quotes nothing (test)']);
  expect(toldOf([quote, idle, quote])).toEqual([
    'quotes nothing (test)',
    'idles: test',
    'quotes nothing (test)',
  ]);
});
