/** The checks of the pages of results: a backtest, a comparison of two, and `millrace dev`. */
import { rmSync } from 'node:fs';
import type { CheckGroup } from './check-log.ts';
import { checkComparison } from './comparison-checks.ts';
import { checkDev } from './dev-checks.ts';
import { checkManyFills, checkResult, checkTexts } from './result-checks.ts';
import { writeResults } from './result-files.ts';

export const resultGroup: CheckGroup = {
  name: 'results',
  plants: ['wrong-turnover'],
  run: async (tools) => {
    const results = writeResults();
    try {
      await checkResult(tools, results);
      await checkTexts(tools, results);
      await checkManyFills(tools, results);
      await checkComparison(tools, results);
      await checkDev(tools, results);
    } finally {
      rmSync(results.folder, { recursive: true, force: true });
    }
  },
};
