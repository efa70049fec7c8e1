/** Shows the terminal view of a running bot, where people watch it on a terminal. */
import { join } from 'node:path';
import { shortPath } from '../runtime/paths.ts';
import { watchSuspension } from '../runtime/signals.ts';
import { remedyText } from '../terminal/command-hints.ts';
import { TerminalView } from '../terminal/view/terminal-view.ts';
import type { Bot } from './bot.ts';
import type { RunBotOptions } from './bot-options.ts';

/** Shows it, unless lines are wanted or the terminal cannot show it. Returns what ends it. */
export function showView(bot: Bot, options: RunBotOptions): () => void {
  const { home, workspace, environment, timers, output } = options;
  const terminal = output.useTerminal(timers);
  const wantsLines = options.isPlain || output.isJson || environment['TERM'] === 'dumb';
  if (wantsLines || terminal?.isForeground() !== true) return () => {};
  const view = new TerminalView({
    device: terminal,
    timers,
    statusOf: () => JSON.parse(output.filtered(JSON.stringify(bot.status()))),
    notes: output.notes,
    texts: {
      get page() {
        return options.page.address();
      },
      log: shortPath(join(home, 'log', `${bot.settings.bot}.log`), workspace.commandFolder),
      commandOf: (remedy) => remedyText(remedy, options),
    },
    coloured: (style, text) => (style === 'plain' ? text : output.coloured(style, text)),
    onError: (error) => {
      output.endView();
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      output.line(`! the view has ended, and lines follow: ${why}`);
    },
  });
  output.showView(view);
  const unwatch = watchSuspension(() => view.hide());
  return () => {
    unwatch();
    output.endView();
  };
}
