/** The checks of the live page, over a real demo bot. */
import { newHome } from '../../support/process-bot.ts';
import { checkAppearance } from './appearance-checks.ts';
import { checkCharts } from './chart-checks.ts';
import { type CheckGroup, eventually } from './check-log.ts';
import { checkCommands } from './command-checks.ts';
import { openLivePage } from './opened-page.ts';
import { freePort, startPageBot } from './page-bot.ts';
import { checkPanels } from './panel-checks.ts';
import { checkReconnecting } from './reconnect-checks.ts';
import { checkRecords } from './record-checks.ts';

/** Enough for pages of orders and for a chart. */
const fillsMin = 30;

export const liveGroup: CheckGroup = {
  name: 'live',
  plants: [
    ...['wrong-position', 'lost-order', 'fees-forgotten', 'no-confirmation', 'no-reconnect'],
    ...['markup-in-text', 'wide-page'],
  ],
  run: async (tools) => {
    const state = newHome();
    const bot = await startPageBot({ home: newHome(), state, port: await freePort() });
    await eventually(async () => {
      const { orders, strategies } = await bot.status();
      const fills = strategies[0]?.fills ?? 0;
      if (orders.accepted < 60 || fills < fillsMin) throw new Error(`only ${fills} fills`);
    }, 180_000);
    const opened = await openLivePage(tools.browser, bot.address, { plant: tools.plant });
    await checkPanels(tools, opened.page, bot);
    await checkRecords(tools, opened.page, bot);
    await checkCharts(tools, opened.page);
    await checkCommands(tools, opened.page, bot);
    await tools.check('nothing complained, and nothing broke the policy', () => {
      if (opened.complaints.length > 0) throw new Error(opened.complaints.join('\n'));
    });
    await opened.close();
    await checkAppearance(tools, bot);
    const last = await checkReconnecting(tools, bot, state);
    last.process.signal('SIGINT');
    await last.process.ended;
  },
};
