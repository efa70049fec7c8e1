/** An invalid intent is refused, and stops its strategy only when there are too many. */
import { concat, map, NEVER, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { hostOf, keysOf, lots, note, pass, pluginOf, startMs, ticks } from './host-fixture.ts';

const pair = 'XBTZAR';

describe('an invalid intent', () => {
  const order = { level: 'a', price: ticks(100), volume: lots(1) } as const;
  const crossed = {
    kind: 'quote',
    pair,
    orders: [
      { ...order, side: 'BID' },
      { ...order, level: 'b', side: 'ASK' },
    ],
    reason: 'test',
  };

  /** A crossed quote whose ask is at another price each time. */
  const crossedAt = (count: number) => ({
    ...crossed,
    orders: crossed.orders.map((one) =>
      one.side === 'ASK' ? { ...one, price: ticks(100 - count) } : one,
    ),
  });

  it('is refused, and the strategy goes on', () => {
    const place = { kind: 'place', pair, key: 'k1', terms: { side: 'BID' }, reason: 'test' };
    const host = hostOf(pluginOf(() => concat(of(crossed, place, undefined, note('x')), NEVER)));
    host.start(startMs);
    expect(host.hasOutputs).toBe(true);
    expect(keysOf(host.takeIntents())).toEqual(['x']);
    expect(host.takeInvalid()).toMatchObject([
      { pair, key: '', code: 'QUOTE_CROSSED', problem: expect.stringMatching(/crosses itself/u) },
      { pair, key: 'k1', code: 'INVALID_INTENT', problem: expect.stringMatching(/terms.price/u) },
      { pair, key: '', code: 'INVALID_INTENT', problem: expect.stringMatching(/undefined/u) },
    ]);
    expect([host.status, host.hasOutputs, host.takeInvalid()]).toEqual(['running', false, []]);
  });

  it('stops the strategy only beyond ten within a minute', () => {
    for (const [paceMs, status] of [
      [6_001, 'running'],
      [5_400, 'stopped'],
    ] as const) {
      const host = hostOf(pluginOf(({ every }) => every(paceMs).pipe(map(crossedAt))));
      host.start(startMs);
      pass(host, startMs + 300_000);
      expect(host.status).toBe(status);
      expect(host.takeInvalid()).toHaveLength(status === 'stopped' ? 10 : 49);
    }
  });

  it('counts once as long as it is the same crossed quote, whose levels the refusal names', () => {
    const host = hostOf(pluginOf(({ every }) => every(1_000).pipe(map(() => crossed))));
    host.start(startMs);
    pass(host, startMs + 60_000);
    expect(host.status).toBe('running');
    const invalid = host.takeInvalid();
    expect(invalid).toHaveLength(60);
    expect(invalid[0]?.problem).toBe(
      'quote crosses itself: the bid of level a at 100 ticks is not below the ask of level b at 100 ticks',
    );
  });

  it('does no harm while it is read', () => {
    const bad = Object.defineProperty({ kind: 'place' }, 'pair', {
      enumerable: true,
      get: () => {
        throw new Error('read');
      },
    });
    const host = hostOf(pluginOf(() => concat(of(bad), NEVER)));
    host.start(startMs);
    expect(host.takeInvalid()).toMatchObject([{ pair, key: '', code: 'INVALID_INTENT' }]);
  });
});
