/** `log`, `metric` and `plot`: what is taken, what is refused in words, and what is bounded. */
import { finalize, map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/domain/money.ts';
import type { Context } from '../../../../src/strategy/contract.ts';
import type { StrategyHost } from '../../../../src/strategy/host.ts';
import { hostOf, note, pass, pluginOf, startMs } from '../host-fixture.ts';

type Say = (context: Context<unknown, unknown>, count: number) => void;

/** Runs `say` every `everyMs`, `times` times. */
function run(say: Say, times = 1, everyMs = 1_000): StrategyHost {
  const host = hostOf(
    pluginOf((context) =>
      context.every(everyMs).pipe(
        map((count) => {
          say(context, count);
          return note(count);
        }),
      ),
    ),
  );
  host.start(startMs);
  pass(host, startMs + times * everyMs);
  return host;
}

const linesOf = (say: Say, times?: number) =>
  run(say, times)
    .outputs.takeLines()
    .map(({ text }) => text);

/** As the untyped plugin that a call may come from. */
const untyped = (value: unknown) => value as never;

describe('log', () => {
  test('keeps text and fields, with Decimals as text', () => {
    const host = run(({ log }) =>
      log('spread is wide', { bps: 12.5, side: 'BID', held: new Decimal('0.010'), isLate: false }),
    );
    expect(host.hasOutputs).toBe(true);
    expect(host.outputs.takeLines()).toEqual([
      {
        level: 'info',
        text: 'spread is wide',
        fields: { bps: 12.5, side: 'BID', held: '0.01', isLate: false },
      },
    ]);
    expect(host.outputs.isEmpty).toBe(true);
  });

  test('refuses other texts and fields in words, once a minute for each argument', () => {
    const wrong: readonly (readonly [unknown, unknown, string])[] = [
      [undefined, undefined, 'text must be 1 to 1000 characters, was undefined'],
      ['', undefined, 'text must be 1 to 1000 characters, was ""'],
      ['x'.repeat(10_240), undefined, 'text must be 1 to 1000 characters, was "xxx'],
      ['a', 'b', 'fields must be an object, was "b"'],
      ['a', { value: Number.NaN }, 'field value must be text of at most 200 characters'],
      ['a', { value: {} }, 'a finite number, a Decimal, true or false, was an object'],
      ['a', { '<script>': 1 }, 'the name of a field must be 1 to 40 letters, digits and _'],
      [
        'a',
        Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`f${at}`, 1])),
        'fields must be an object of at most 16, was one of 17',
      ],
    ];
    for (const [text, fields, problem] of wrong) {
      const host = run(({ log }) => log(untyped(text), untyped(fields)), 30);
      const lines = host.outputs.takeLines();
      expect(lines).toHaveLength(1);
      expect(lines[0]?.level).toBe('warn');
      expect(lines[0]?.text).toContain('context.log: ');
      expect(lines[0]?.text).toContain(problem);
      expect(lines[0]?.text.length).toBeLessThan(300);
      expect(host.status).toBe('running');
    }
  });

  test('a flood is limited to a hundred lines a minute, counted and said once', () => {
    const host = run(({ log }, at) => {
      for (let line = 0; line < 10_000; line++) log(`line ${at} ${line}`);
    }, 3);
    host.stop(startMs + 3_000, 'done');
    const lines = host.outputs.takeLines().map(({ text }) => text);
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe(
      '29900 more lines in that minute were left out: at most 100 are shown',
    );
  });

  test('what the end of the stream says is kept', () => {
    const host = hostOf(
      pluginOf(({ every, log }) =>
        every(1_000).pipe(
          map(note),
          finalize(() => log('bye')),
        ),
      ),
    );
    host.start(startMs);
    host.stop(startMs + 1_500, 'done');
    expect(host.outputs.takeLines()).toEqual([{ level: 'info', text: 'bye' }]);
  });

  test('a call outside an event is left out, and printed once', async () => {
    let saved: Context<unknown, unknown> | undefined;
    const host = run((context) => {
      saved = context;
    });
    await Promise.resolve().then(() => saved?.log('later'));
    saved?.metric('later', 1);
    expect(host.outputs.isEmpty).toBe(true);
    expect(host.takePrinted().map(({ text }) => text)).toEqual([
      'context.log was called outside an event, from a promise or a real timer, and is left out: a replay could not repeat it',
    ]);
  });
});

describe('metric and plot', () => {
  test('of one event the last value counts, plots over prices are prices, and -0 is 0', () => {
    const host = run(({ metric, pairs }) => {
      const market = pairs[0];
      metric('skew', 1);
      metric('skew', -0);
      market?.plot('fair price', 12_345.5);
      market?.plot('spread', 7, { pane: 'Spread in bps' });
    });
    const shared = { strategyId: 'mm-xbt', atMs: startMs + 1_000, leftOut: 0 };
    expect(host.outputs.takePoints()).toEqual([
      { ...shared, kind: 'metric', name: 'skew', pair: null, pane: null, value: 0 },
      { ...shared, kind: 'plot', name: 'fair price', pair: 'XBTZAR', pane: null, value: 123.455 },
      {
        ...shared,
        ...{ kind: 'plot', name: 'spread', pair: 'XBTZAR', pane: 'Spread in bps', value: 7 },
      },
    ]);
    expect(host.outputs.takePoints()).toEqual([]);
  });

  test('what is no number, no name or no title is left out, with the argument in words', () => {
    const say = (call: Say) => linesOf(call).join();
    expect(say(({ metric }) => metric('a', Number.NaN))).toBe(
      'context.metric: value of metric "a" must be a finite number, was NaN; it is left out',
    );
    expect(say(({ metric }) => metric('a', Number.POSITIVE_INFINITY))).toContain('was Infinity');
    expect(say(({ metric }) => metric('a', untyped('1')))).toContain('was "1"');
    expect(say(({ metric }) => metric('</script><script>', 1))).toContain(
      'context.metric: name must be 1 to 40 letters, digits, spaces and . _ : % / ( ) + -',
    );
    expect(say(({ metric }) => metric('x'.repeat(10_240), 1))).toContain('… (10240)');
    expect(say(({ pairs }) => pairs[0]?.plot('a', 1, untyped('pane')))).toContain(
      'market.plot: options must be an object with pane, was "pane"',
    );
    expect(say(({ pairs }) => pairs[0]?.plot('a', 1, { pane: '<b>' }))).toContain(
      'market.plot: pane must be 1 to 40',
    );
  });

  test('at most ten values a second of a series, and at most fifty series', () => {
    const host = hostOf(
      pluginOf(({ every, metric }) =>
        every(10).pipe(
          map((count) => {
            metric('fast', count);
            return note(count);
          }),
        ),
      ),
    );
    host.start(startMs);
    const points = [];
    for (let atMs = startMs + 10; atMs <= startMs + 2_000; atMs += 10) {
      host.advance(atMs);
      points.push(...host.outputs.takePoints());
    }
    expect(points).toHaveLength(21);
    expect(points.at(-1)).toMatchObject({ value: 199, leftOut: 179 });
    expect(host.outputs.takeLines().map(({ text }) => text)).toEqual([
      'metric "fast" has more than 10 values a second: the others are left out, and counted as leftOut',
    ]);
    const many = run(({ metric }) => {
      for (let at = 0; at < 1_000; at++) metric(`m${at}`, at);
    });
    expect(many.outputs.takePoints()).toHaveLength(50);
    expect(many.outputs.takeLines().map(({ text }) => text)).toEqual([
      'context.metric: name must be one of the first 50 of the strategy\'s metrics and plots, was "m50"; it is left out',
    ]);
  });
});
