/**
 * Serves the page of a bot if its settings ask for one, and registers the bot, so that the pages of
 * other bots show it too.
 *
 * Invariant: neither ever prevents or ends a run.
 */
import {
  type RegisteredBot,
  registerBot,
  registeredId,
  registryFolder,
} from '../control/bot-registry.ts';
import { viewTokenPath } from '../dashboard/access/token-file.ts';
import { startDashboard } from '../dashboard/dashboard.ts';
import type { BotSettings, DashboardSettings } from '../domain/bot-settings.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Timers } from '../runtime/timers.ts';
import { prepareStorePath } from '../store/open-database.ts';
import type { Output } from '../terminal/output.ts';

export type ServePageOptions = {
  readonly settings: BotSettings;
  /** Undefined serves no page. */
  readonly dashboard: DashboardSettings | undefined;
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly output: Output;
};

export type ServedPage = {
  /** With the token of its bot; undefined if there is no page, or not yet. */
  address(): string | undefined;
  /** From now on receives what is wrong with the page, instead of the terminal. */
  warnWith(warn: (text: string) => void): void;
  /** Lets the pages of other bots show this one. */
  register(startedMs: number): void;
  close(): Promise<void>;
};

/** The start waits no longer than that for the address, which is then printed when it is known. */
const waitMsMax = 3_000;

export async function servePage(options: ServePageOptions): Promise<ServedPage> {
  const { settings, dashboard, home, environment, clock, timers, output } = options;
  const { bot, mode } = settings;
  const store = prepareStorePath(settings.store);
  const nowMs = () => Math.floor(clock.nowMicros() / 1000);
  const own: RegisteredBot = {
    id: registeredId(bot, store),
    ...{ bot, mode, store, home, startedMs: nowMs() },
  };
  const registry = registryFolder(environment);
  let warn = (text: string): void => output.line(`! ${text}`);
  let opened: string | undefined;
  let noteEnd: (endedMs: number) => void = () => {};
  const served =
    dashboard === undefined
      ? undefined
      : startDashboard(
          { bot: own, settings: dashboard, registry },
          {
            onOpen: ({ address, takenPort, commandToken }) => {
              // Others than the owner may read the journal of a service.
              const isJournal = environment['JOURNAL_STREAM'] !== undefined;
              const secret = isJournal
                ? `the token in ${viewTokenPath({ home, bot })}`
                : 'this address';
              output.line(`page ${isJournal ? address.replace(/#.*$/u, '') : address}`);
              opened = address;
              if (takenPort !== undefined)
                output.line(`port ${takenPort} is taken, so the page has a free one`);
              output.line(
                `whoever has ${secret} may watch this user's bots; commands of the page also need the token in ${commandToken}`,
              );
            },
            onEnd: (reason) => {
              opened = undefined;
              warn(`the page is not served, and trading goes on: ${reason}`);
            },
            onWarning: (text) => warn(text),
          },
          { clock, timers },
        );
  if (served !== undefined) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = timers.after(waitMsMax, resolve);
    await Promise.race([served.settled, promise]);
    cancel();
    served.letGo();
  }
  return {
    address: () => opened,
    warnWith: (other) => {
      warn = other;
    },
    register: (startedMs) => {
      try {
        noteEnd = registerBot(registry, { ...own, startedMs });
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        output.line(`the pages of other bots do not show this one: ${why}`);
      }
    },
    close: async () => {
      noteEnd(nowMs());
      await served?.close();
    },
  };
}
