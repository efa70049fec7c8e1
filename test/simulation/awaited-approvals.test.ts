/** Orders that wait for a person's approval do not outlive what asked for them. */
import { concatMap, ignoreElements, merge, of, tap } from 'rxjs';
import { expect, test } from 'vitest';
import type { Intent } from '../../src/index.ts';
import {
  begin,
  codes,
  incidents,
  once,
  placeAt,
  posts,
  type Run,
} from '../support/scripted-world.ts';
import type { VirtualWorld } from '../support/virtual-world.ts';

/** Runs a strategy whose orders all need an approval, until one waits; approves it at the end. */
function approvedAfter(run: Run, seconds: number): VirtualWorld {
  const limits: Parameters<typeof begin>[1] = {
    limits: (set) => ({ ...set, account: { ...set.account, approveAbove: { ZAR: '1' } } }),
  };
  const world = begin(run, limits, 4);
  const tokens = (world.engine?.parts.inbox.targets ?? []).flatMap(({ awaiting }) => [
    ...awaiting.keys(),
  ]);
  expect(tokens).toHaveLength(1);
  world.pass(seconds);
  const [token = ''] = tokens;
  world.tell({ kind: 'operator', command: 'approve', token, reason: 'it looks right' });
  world.pass(3);
  return world;
}

const place =
  (more: (nowMs: number) => object = () => ({})): Run =>
  (context, market) =>
    once(context, 3_000).pipe(
      concatMap(() =>
        of({ ...placeAt(market, 0.99, { key: 'a' }), ...more(context.nowMs()) } as Intent),
      ),
    );

test('an order that waits is placed when it is approved', () => {
  expect(posts(approvedAfter(place(), 1))).toBe(1);
});

test('the order of a strategy that has been stopped meanwhile is not', () => {
  const world = approvedAfter(
    (context, market) =>
      merge(
        place()(context, market),
        once(context, 5_000).pipe(
          tap(() => {
            throw new Error('broken');
          }),
          ignoreElements(),
        ),
      ),
    3,
  );
  expect(incidents(world)).toContain('STRATEGY_STOPPED');
  expect(posts(world)).toBe(0);
});

test('an order that has expired meanwhile is refused', () => {
  const world = approvedAfter(
    place((nowMs) => ({ expiresMs: nowMs + 3_000 })),
    5,
  );
  expect(posts(world)).toBe(0);
  expect(codes(world)).toContain('EXPIRED');
});
