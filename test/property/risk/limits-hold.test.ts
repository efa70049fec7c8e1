/**
 * Random histories of an account on three pairs that share currencies. Before each order an oracle
 * that shares no code with the gate sums the whole history and returns the codes that refuse the
 * order. The gate must refuse with exactly those codes, so that no order exceeds a limit and no
 * other order is refused. The prover `gate` runs the same for millions of orders.
 *
 * `SEED=41` reruns one history.
 */
import { expect, test } from 'vitest';
import { checkTable } from '../../../src/risk/check-table.ts';
import { GateLife } from '../../support/gate-life.ts';

test('the gate refuses exactly the orders that would exceed a limit, by the whole history', () => {
  const only = process.env['SEED'];
  const seeds =
    only === undefined ? Array.from({ length: 200 }, (_, i) => i + 1) : [Number.parseInt(only, 10)];
  const reached = new Map<string, number>();
  let approved = 0;
  const codesOfBook = checkTable.flatMap(({ position, codes }) =>
    position === 9 || position === 11 ? codes : [],
  );
  const kinds = { number: 0, bigint: 0 };
  for (const seed of seeds) {
    const life = new GateLife(seed);
    for (let step = 0; step < 150; step++)
      life.step(({ gate, proposal, facts, against }) => {
        const verdict = gate.judge(proposal, facts);
        const codes = verdict.kind === 'refused' ? verdict.refusals.map(({ code }) => code) : [];
        expect([...new Set(codes)].sort(), `seed ${seed}, step ${step}`).toEqual(
          [...against].sort(),
        );
        if (verdict.kind === 'approved') approved++;
        // One that is sent late or again is refused for all that the book says by then.
        if (proposal.pays !== undefined)
          expect(gate.judgeAgain(proposal, facts), `seed ${seed}, step ${step}`).toEqual(
            expect.arrayContaining(codes.filter((code) => codesOfBook.includes(code))),
          );
        const free = facts.exposure.funds.free('ZAR');
        if (free !== undefined) kinds[typeof free as keyof typeof kinds]++;
        for (const code of against) reached.set(code, (reached.get(code) ?? 0) + 1);
      });
  }
  if (only !== undefined) return;
  // The histories must reach every code, or the comparison shows nothing.
  expect(approved).toBeGreaterThan(1_000);
  expect(Math.min(kinds.number, kinds.bigint)).toBeGreaterThan(1_000);
  const all = checkTable.flatMap(({ codes }) => codes);
  expect(all.filter((code) => (reached.get(code) ?? 0) < 3)).toEqual([]);
});
