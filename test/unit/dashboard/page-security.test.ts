/** What the page's server refuses. The same checks run against a page in a browser's proof. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageRecords } from '../../support/page-records.ts';
import { pageSecurityChecks } from '../../support/page-security.ts';
import { openPageWorld, type PageWorld } from '../../support/page-world.ts';

let world: PageWorld;
beforeAll(async () => {
  world = await openPageWorld({ records: pageRecords() });
  await world.startBot();
});
afterAll(() => world.close());

test.each(pageSecurityChecks)('$name', { timeout: 30_000 }, async ({ run }) => {
  await run(world.target);
});

test('none of it has commanded the bot, and wrong tokens were reported without them', () => {
  expect(world.commands).toEqual([]);
  expect(world.warnings.length).toBeGreaterThan(1);
  expect(world.warnings.join()).not.toMatch(/[0-9a-f]{32}/u);
});
