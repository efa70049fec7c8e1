/**
 * Counts the checks of the page's proof. To add checks, write a file with a {@link CheckGroup} and
 * name it in `check-groups.ts`.
 */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

export type CheckTools = {
  readonly browser: Browser;
  /** Runs one check: a sentence that is true, and what throws if it is not. */
  readonly check: (sentence: string, run: () => Promise<unknown> | unknown) => Promise<void>;
  /** Writes a picture of the page into the folder of the proof. */
  readonly picture: (page: Page, name: string) => Promise<void>;
  /** A fault that is built into every page; see `page-plants.ts`. */
  readonly plant: string | undefined;
};

export type CheckGroup = {
  readonly name: string;
  /** The plants that it must find; only it runs for them. */
  readonly plants?: readonly string[];
  readonly run: (tools: CheckTools) => Promise<void>;
};

export type CheckLog = {
  readonly tools: CheckTools;
  readonly counts: { checks: number };
  readonly problems: string[];
};

export function createCheckLog(
  browser: Browser,
  folder: string,
  plant: string | undefined,
): CheckLog {
  const counts = { checks: 0 };
  const problems: string[] = [];
  return {
    counts,
    problems,
    tools: {
      browser,
      plant,
      check: async (sentence, run) => {
        counts.checks++;
        try {
          await run();
        } catch (error) {
          problems.push(`${sentence}: ${(error as Error).message.slice(0, 600)}`);
        }
      },
      picture: async (page, name) => {
        await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      },
    },
  };
}

/** Repeats `run` until it does not throw; throws its last error after `waitMs`. */
export async function eventually<Value>(
  run: () => Promise<Value> | Value,
  waitMs = 20_000,
): Promise<Value> {
  const endMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
