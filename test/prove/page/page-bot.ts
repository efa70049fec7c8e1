/** A real demo bot with its page, and what its owner knows of it. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { StatusAnswer } from '../../../src/dashboard/api/bot-answers.ts';
import type { BotStatus } from '../../../src/domain/bot-status.ts';
import { packageRoot } from '../../support/package-root.ts';
import { type BotProcess, millrace } from '../../support/process-bot.ts';

export type PageBot = {
  readonly process: BotProcess;
  readonly home: string;
  /** The address of the page with its token, as the start prints it. */
  readonly address: string;
  readonly origin: string;
  readonly commandToken: string;
  readonly store: string;
  /** Reads a part of the API as a script of the owner would. */
  readonly ask: <Answer>(path: string) => Promise<Answer>;
  /** The bot's own status, which is the truth for figures that are not in its database. */
  readonly status: () => Promise<BotStatus>;
};

type StartOptions = {
  readonly home: string;
  /** Where bots of this proof note themselves, apart from the user's. */
  readonly state: string;
  /** The port of the page, which it must have again after a start; without one, a free one. */
  readonly port?: number;
};

/** Writes the settings of the demo with a port for its page; returns their path. */
function settingsWith(home: string, port: number): string {
  const folder = join(home, 'settings');
  const file = join(folder, 'demo.yaml');
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(packageRoot, 'config/egress.yaml'), join(folder, 'egress.yaml'));
  const shipped = readFileSync(join(packageRoot, 'config/demo.yaml'), 'utf8');
  const changed = shipped.replace(/^dashboard: on/mu, `dashboard: { port: ${port} }`);
  writeFileSync(file, changed);
  return file;
}

/** Returns a port that nobody listens at now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the demo with a page and waits until it trades. */
export async function startPageBot({ home, state, port }: StartOptions): Promise<PageBot> {
  const settings = port === undefined ? [] : [settingsWith(home, port)];
  const bot = millrace(['start', ...settings, '--home', home], { env: { XDG_STATE_HOME: state } });
  const pattern = /page (?<address>http:\S+)/u;
  await bot.sees(pattern);
  await bot.sees(/ is open /u);
  const address = pattern.exec(bot.text)?.groups?.['address'] ?? '';
  const { origin, hash } = new URL(address);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const ask = async <Answer>(path: string): Promise<Answer> => {
    const answer = await fetch(`${origin}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const { bots } = await ask<{ bots: { id: string; isOwn: boolean }[] }>('bots');
  const id = bots.find(({ isOwn }) => isOwn)?.id ?? '';
  return {
    ...{ process: bot, home, address, origin },
    store: join(home, 'demo.sqlite'),
    commandToken: readFileSync(join(home, 'page', 'demo.command-token'), 'utf8').trim(),
    ask: (path) => ask(path.replace('{bot}', id)),
    status: async () => {
      const { status, problem } = await ask<StatusAnswer>(`bots/${id}/status`);
      if (status === null) throw new Error(`no status: ${problem}`);
      return status;
    },
  };
}
