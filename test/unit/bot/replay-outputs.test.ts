/** What strategies give out with `log`, `metric` and `plot` is in the journal, and replays. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replayJournal } from '../../../src/bot/journal/replay-journal.ts';
import { decodeLine } from '../../../src/engine/journal.ts';
import type { AnyStrategy } from '../../../src/strategy/contract.ts';
import { writePlugin } from '../../support/planted-plugin.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';

const home = mkdtempSync(join(tmpdir(), 'millrace-outputs-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Quotes at each tick; `say` is what else it does. */
const plugin = (folder: string, say: string) =>
  writePlugin(
    join(home, folder),
    'own',
    `return context.every(250).pipe(rx.map((count) => { ${say}; return {
      kind: 'quote', pair, reason: 'planted', orders: [
        { level: 'bid', side: 'BID', price: 900_000 - count, volume: 40, postOnly: true },
      ] }; }));`,
  );

const say = `context.log('count', { count });
  context.metric('random', context.random());
  market.plot('fair', market.top.bid - 0.5);
  market.plot('wrong', NaN);
  market.plot('skew', count % 3, { pane: 'Skew' })`;

test('byte for byte; another value is a difference', async () => {
  const strategies = plugin('same', say);
  const { default: strategy } = (await import(join(strategies, 'own', 'strategy.ts'))) as {
    readonly default: AnyStrategy;
  };
  const world = new VirtualWorld({
    ...{ seed: 3, level: 0, stormSeconds: 5, withChaos: false, keepJournals: true, strategy },
  });
  const lines = world.run().journals[0] ?? [];
  const effects = lines.flatMap((line) => {
    const block = decodeLine(line.trimEnd());
    return block?.kind === 'batch' ? block.effects : [];
  });
  const points = effects.flatMap((effect) => (effect.kind === 'point' ? [effect.point] : []));
  expect(new Set(points.map(({ name }) => name))).toEqual(new Set(['random', 'fair', 'skew']));
  expect(points.length).toBeGreaterThan(30);
  const logged = effects.flatMap((effect) =>
    effect.kind === 'notice' && effect.notice.topic === 'log' ? [effect.notice] : [],
  );
  expect(logged).toContainEqual({
    ...{ level: 'info', topic: 'log', text: 'own: count count=1' },
    logged: { strategyId: 'own', fields: { count: 1 } },
  });
  expect(logged.filter(({ level }) => level === 'warn')).toMatchObject([
    {
      text: 'own: market.plot: value of plot "wrong" must be a finite number, was NaN; it is left out',
    },
  ]);

  const journal = join(home, 'a.jsonl');
  writeFileSync(journal, lines.join(''));
  const batches = lines.length - 1;
  expect(await replayJournal(journal, strategies)).toMatchObject({ batches, different: 0 });
  const other = plugin('other', say.replace('count % 3', 'count % 4'));
  const found = await replayJournal(journal, other);
  expect(found.different).toBeGreaterThan(0);
  expect(found.firstDifference).toContain('"name":"random"');
});
