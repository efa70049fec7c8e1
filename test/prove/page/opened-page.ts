/** A page in a browser context of its own, with what it complained about. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { plantIn } from './page-plants.ts';

export type OpenedPage = {
  readonly page: Page;
  /** Errors of scripts, of the console and of the content security policy. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
};

type OpenOptions = BrowserContextOptions & { readonly plant: string | undefined };

export async function openPage(
  browser: Browser,
  address: string,
  { plant, ...options }: OpenOptions,
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  await plantIn(context, plant);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    // The browser itself reports each answer that refuses something.
    if (line.type() === 'error' && !/status of 40[13]/u.test(line.text()))
      complaints.push(line.text());
  });
  await page.goto(address);
  return { page, complaints, close: () => context.close() };
}

/** Opens the live page and waits until it shows figures. */
export async function openLivePage(
  browser: Browser,
  address: string,
  options: OpenOptions,
): Promise<OpenedPage> {
  const opened = await openPage(browser, address, options);
  await opened.page.locator('[data-panel=profit] .figure').first().waitFor();
  return opened;
}

/** Returns the exact values of the figures in a panel, in their order. */
export function exactIn(page: Page, place: string): Promise<(string | null)[]> {
  return page
    .locator(`${place} [data-exact]`)
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-exact')));
}

/** Returns the value of a named figure of a panel. */
export function factOf(page: Page, place: string, name: string): Promise<string | null> {
  return page
    .locator(`${place} .fact`, {
      has: page.locator('dt', { hasText: new RegExp(`^${name}`, 'u') }),
    })
    .locator('[data-exact]')
    .first()
    .getAttribute('data-exact');
}

/** Returns the texts of a column of a panel's table. */
export function columnOf(page: Page, panel: string, index: number): Promise<string[]> {
  return page.locator(`[data-panel=${panel}] tbody tr td:nth-child(${index})`).allInnerTexts();
}
