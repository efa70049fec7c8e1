/** What a person reads of a strategy's quotes: each once, and anew after it quoted nothing. */
import { concat, concatMap, delay, from, NEVER, of } from 'rxjs';
import { expect, test } from 'vitest';
import type { Intent } from '../../../src/index.ts';
import { begin } from '../../support/scripted-world.ts';

/** Wishes `wishes`, one a second; returns the notices of quotes and of idling. */
function toldOf(wishes: readonly Partial<Intent>[]): readonly string[] {
  const told: string[] = [];
  begin(
    (_context, { pair }) =>
      concat(
        from(wishes).pipe(
          concatMap((wish) => of({ ...wish, pair, reason: 'test' } as Intent).pipe(delay(1_000))),
        ),
        NEVER,
      ),
    {
      onNotice: (line) => {
        const [, text] = /^info own XBTZAR ((?:wants|idles).*)$/u.exec(line) ?? [];
        if (text !== undefined) told.push(text);
      },
    },
    wishes.length + 6,
  );
  return told;
}

const quote = { kind: 'quote', orders: [] } as const;
const idle = { kind: 'idle' } as const;

test('one that is wished again is told once, and again when it is new to who read of idling', () => {
  expect(toldOf([quote, quote])).toEqual(['wants nothing (test)']);
  expect(toldOf([quote, idle, quote])).toEqual([
    'wants nothing (test)',
    'idles: test',
    'wants nothing (test)',
  ]);
});
