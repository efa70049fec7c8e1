/** A strategy whose parameters change while it runs: what it has and hears. */
import { ignoreElements, map, merge, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { hostOf, pluginOf, startMs } from '../host-fixture.ts';

describe('a running strategy', () => {
  it('has the parameters that were set last, frozen, and is told of them', () => {
    const seen: unknown[] = [];
    const host = hostOf(
      pluginOf((context) =>
        merge(
          context.parameters$.pipe(map((parameters) => ['told', parameters, context.nowMs()])),
          context.every(1_000).pipe(map(() => ['sees', context.parameters])),
        ).pipe(
          tap((value) => seen.push(value)),
          ignoreElements(),
        ),
      ),
      { parameters: { width: 1 } },
    );
    host.setParameters(startMs, { width: 2 });
    host.start(startMs);
    host.advance(startMs + 1_000);
    const next = { width: 3 };
    host.setParameters(startMs + 1_500, next);
    expect(Object.isFrozen(next)).toBe(true);
    host.advance(startMs + 2_000);
    expect(seen).toEqual([
      ['sees', { width: 2 }],
      ['told', { width: 3 }, startMs + 1_500],
      ['sees', { width: 3 }],
    ]);
    host.stop(startMs + 2_500, 'test');
    host.setParameters(startMs + 3_000, { width: 4 });
    expect(seen).toHaveLength(3);
  });

  it('is stopped if it throws on new parameters', () => {
    const host = hostOf(
      pluginOf((context) =>
        context.parameters$.pipe(
          map(() => {
            throw new Error('cannot');
          }),
        ),
      ),
    );
    host.start(startMs);
    host.setParameters(startMs + 1, {});
    expect(host.takeFaults()).toMatchObject([{ kind: 'threw', timeMs: startMs + 1 }]);
  });
});
