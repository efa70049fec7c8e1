/** Faults that are built into the page, or into what reaches it, and that the proof must find. */
import type { APIResponse, BrowserContext, Route } from 'playwright-core';
import { changeStatus, connectOnce, renderMarkup, widenPage } from './in-page.mjs';
import { changeTurnover } from './result-in-page.mjs';

export const pagePlants = {
  'wrong-position': 'the page shows another position than the store has',
  'lost-order': 'the list of orders leaves out the newest one',
  'fees-forgotten': 'the fees of each strategy are shown as zero',
  'no-confirmation': 'a command is sent without the typed word',
  'no-reconnect': 'the page does not connect again after the bot was killed',
  'markup-in-text': 'a text of the bot becomes elements of the page',
  'wide-page': 'the page is wider than a narrow screen',
  'wrong-turnover': 'a result shows another turnover than its JSON has',
} as const;

/** Builds the fault into every page of the context. */
export async function plantIn(context: BrowserContext, plant: string | undefined): Promise<void> {
  if (plant === 'wrong-position')
    await context.addInitScript(changeStatus, ['"position":"[^"]*"', '"position":"0.5"'] as const);
  if (plant === 'fees-forgotten')
    await context.addInitScript(changeStatus, ['"fees":"[^"]*"', '"fees":"0"'] as const);
  if (plant === 'markup-in-text') await context.addInitScript(renderMarkup);
  if (plant === 'no-reconnect') await context.addInitScript(connectOnce);
  if (plant === 'wide-page') await context.addInitScript(widenPage);
  if (plant === 'wrong-turnover') await context.addInitScript(changeTurnover);
  if (plant === 'lost-order')
    await context.route(/\/orders\?/u, async (route) => {
      const fetched = await fetchedBy(route);
      if (fetched === undefined) return;
      const answer = (await fetched.json()) as { readonly orders: unknown[] };
      await route.fulfill({ json: { ...answer, orders: answer.orders.slice(1) } });
    });
  if (plant === 'no-confirmation')
    await context.route(/\/page\.js$/u, async (route) => {
      const answer = await fetchedBy(route);
      if (answer === undefined) return;
      const body = await answer.text();
      await route.fulfill({ response: answer, body: body.replaceAll('.value.trim()===', '!==') });
    });
}

/** Returns the answer to a request; undefined if the bot was killed, as the page then sees. */
async function fetchedBy(route: Route): Promise<APIResponse | undefined> {
  try {
    return await route.fetch();
  } catch {
    await route.abort();
    return undefined;
  }
}
