/** Notices about a strategy's quotes: each once, and again after it was idle. */
import { concat, concatMap, delay, from, NEVER, of } from 'rxjs';
import { expect, test } from 'vitest';
import type { Intent } from '../../../src/index.ts';
import { begin } from '../../support/scripted-world.ts';

/** Gives one of `intents` each second; returns the notices about quotes and idling. */
function noticesOf(intents: readonly Partial<Intent>[]): readonly string[] {
  const notices: string[] = [];
  begin(
    (_context, { pair }) =>
      concat(
        from(intents).pipe(
          concatMap((intent) =>
            of({ ...intent, pair, reason: 'test' } as Intent).pipe(delay(1_000)),
          ),
        ),
        NEVER,
      ),
    {
      onNotice: (line) => {
        const [, text] = /^info own XBTZAR ((?:wants|is idle).*)$/u.exec(line) ?? [];
        if (text !== undefined) notices.push(text);
      },
    },
    intents.length + 6,
  );
  return notices;
}

const quote = { kind: 'quote', orders: [] } as const;
const idle = { kind: 'idle' } as const;

test('a repeated quote is announced once, and again after an idle notice', () => {
  expect(noticesOf([quote, quote])).toEqual(['wants nothing (test)']);
  expect(noticesOf([quote, idle, quote])).toEqual([
    'wants nothing (test)',
    'is idle: test',
    'wants nothing (test)',
  ]);
});
