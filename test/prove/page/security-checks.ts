/** What the server of the page refuses, by the checks of its own test, against a real server. */
import { pageRecords } from '../../support/page-records.ts';
import { pageSecurityChecks } from '../../support/page-security.ts';
import { openPageWorld } from '../../support/page-world.ts';

export type SecurityResult = { readonly checks: number; readonly problems: readonly string[] };

export async function checkSecurity(): Promise<SecurityResult> {
  const problems: string[] = [];
  const world = await openPageWorld({ records: pageRecords() });
  await world.startBot();
  try {
    for (const { name, run } of pageSecurityChecks)
      try {
        await run(world.target);
      } catch (error) {
        problems.push(`${name}: ${(error as Error).message.slice(0, 400)}`);
      }
  } finally {
    await world.close();
  }
  return { checks: pageSecurityChecks.length, problems };
}
