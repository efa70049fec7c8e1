/**
 * The server of a bot's page: the page itself, and the API below `/api/v1`, for this bot and every
 * other bot of this machine's user.
 */
import type { ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { RegisteredBot } from '../../control/bot-registry.ts';
import type { DashboardSettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Timers } from '../../runtime/timers.ts';
import { PageAccess } from '../access/page-access.ts';
import { commandTokenPath, tokenAt, viewTokenPath } from '../access/token-file.ts';
import { apiRoot } from '../api/api-operation.ts';
import { KnownBots } from '../bots/known-bots.ts';
import { sendText } from '../http/answer.ts';
import { PageFiles } from '../http/page-files.ts';
import { type PageRequest, PageServer } from '../http/page-server.ts';
import { Api } from './api.ts';

const usualPort = 7410;
/** The number of different faults that are reported. */
const faultsMax = 10;

export type DashboardOptions = {
  readonly bot: RegisteredBot;
  readonly settings: DashboardSettings;
  /** The folder of the registry of bots. */
  readonly registry: string;
};

export type DashboardParts = {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Receives warnings for the operator, such as of wrong tokens. */
  readonly warn: (text: string) => void;
};

export type OpenDashboard = {
  /** The address with the view token, which may only be seen by who may see the page. */
  readonly address: string;
  /** The usual port, if another program has it. */
  readonly takenPort: number | undefined;
  readonly commandToken: string;
  close(): Promise<void>;
};

/** Opens the server. Throws ConfigError if the port of the settings is taken, or StoreError. */
export async function openDashboard(
  { bot, settings, registry }: DashboardOptions,
  { clock, timers, warn }: DashboardParts,
): Promise<OpenDashboard> {
  const nowMs = () => Math.floor(clock.nowMicros() / 1000);
  const viewToken = tokenAt(viewTokenPath(bot));
  const commandToken = commandTokenPath(bot);
  tokenAt(commandToken);
  const access = new PageAccess({
    ...{ viewToken, bot: bot.id, warn },
    nowMs: () => clock.monotonicMicros() / 1000,
  });
  const bots = new KnownBots({ registry, own: bot, nowMs });
  const api = new Api({ access, bots, own: bot.id, timers, nowMs });
  const files = new PageFiles({ title: 'Millrace', content: { page: 'live' } });
  const handle = async (request: PageRequest, response: ServerResponse): Promise<void> => {
    if (request.path.startsWith(`${apiRoot}/`)) await api.answer(request, response);
    else if (!files.answer(request, response)) sendText(response, 404, 'the page is at /');
  };
  const faults = new Set<string>();
  const server = new PageServer({
    listen: settings.listen,
    hosts: settings.hosts,
    hostAdvice:
      'open it by the address that the bot prints, or add the host to dashboard.hosts in its settings',
    handle,
    onFault: (error) => {
      const text = textOf(error);
      // A page asks again and again, and what fails once may fail each time.
      if (faults.has(text) || faults.size >= faultsMax) return;
      faults.add(text);
      warn(`an answer of the page failed: ${text}`);
    },
  });
  const port = await listen(server, settings);
  return {
    address: `http://${hostOf(settings, port)}/#token=${viewToken}`,
    takenPort: settings.port === undefined && port !== usualPort ? usualPort : undefined,
    commandToken,
    close: async () => {
      api.close();
      await server.close();
    },
  };
}

async function listen(server: PageServer, { listen: at, port }: DashboardSettings) {
  try {
    return port === undefined ? await server.listenNear(usualPort) : await server.listen(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError(
        `dashboard.port is ${port}, and another program listens there: end that, name another port, or leave the key out for a free one`,
      );
    throw new ConfigError(`dashboard.listen is ${at}, and the system refuses: ${message}`);
  }
}

/** The first name that a browser may use. */
function hostOf({ listen: at, hosts: [first] }: DashboardSettings, port: number): string {
  if (first !== undefined) return first.includes(':') ? first : `${first}:${port}`;
  return isIPv6(at) ? `[${at}]:${port}` : `${at}:${port}`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
