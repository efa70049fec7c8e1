/**
 * A page's server in this process, over a database with some history and a bot that answers on its
 * control socket, for the tests of what the server tells and refuses.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RegisteredBot, registerBot, registeredId } from '../../src/control/bot-registry.ts';
import { type ControlRequest, controlPathOf } from '../../src/control/control-message.ts';
import { type ControlServer, openControl } from '../../src/control/control-server.ts';
import {
  commandTokenPath,
  readToken,
  viewTokenPath,
} from '../../src/dashboard/access/token-file.ts';
import { type OpenDashboard, openDashboard } from '../../src/dashboard/server/dashboard-server.ts';
import type { BotStatus } from '../../src/domain/bot-status.ts';
import type { StoreRecord } from '../../src/domain/records.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { PageTarget } from './page-requests.ts';
import { sampleStatus } from './sample-status.ts';

/** Text that must never run, in every name and reason that reaches a page. */
export const script = '</script><script>alert(1)</script>"\'><img src=x onerror=alert(1)>';

export type PageWorld = {
  readonly target: PageTarget;
  readonly folder: string;
  readonly registry: string;
  readonly bot: RegisteredBot;
  readonly open: OpenDashboard;
  readonly warnings: string[];
  /** Commands that the bot was sent. */
  readonly commands: ControlRequest[];
  /** Starts the bot that answers, or stops it. */
  startBot(): Promise<void>;
  stopBot(): void;
  /** The status that it tells, and how often it was asked for it. */
  status: BotStatus;
  statusesAsked: number;
  close(): Promise<void>;
};

export type PageWorldOptions = {
  readonly records?: readonly StoreRecord[];
  readonly name?: string;
};

export async function openPageWorld({
  records = [],
  name = 'desk',
}: PageWorldOptions = {}): Promise<PageWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const registry = join(folder, 'registry');
  const timers = createTimers();
  const bot = makeBot(folder, name, records);
  const own = registerBot(registry, bot);
  const warnings: string[] = [];
  const commands: ControlRequest[] = [];
  const open = await openDashboard(
    { bot, settings: { port: undefined, listen: '127.0.0.1', hosts: [] }, registry },
    { clock: createClock(), timers, warn: (text) => warnings.push(text) },
  );
  const { port } = new URL(open.address);
  const viewToken = readToken(viewTokenPath(bot)) ?? '';
  const commandToken = readToken(commandTokenPath(bot)) ?? '';
  let control: ControlServer | undefined;
  const world: PageWorld = {
    target: {
      ...{ host: '127.0.0.1', port: Number(port), viewToken, commandToken },
      bot: bot.id,
    },
    ...{ folder, registry, bot, open, warnings, commands },
    ...{ status: sampleStatus, statusesAsked: 0 },
    startBot: async () => {
      control = await openControl(
        controlPathOf(bot.store) ?? '',
        timers,
        (request, answer, stream) => {
          const { status } = world;
          const told = { isDone: false, isRefused: false, text: '', status };
          if (request.command === 'watch') {
            const cancel = timers.every(50, () => {
              const line = { ...told, status: world.status };
              if (stream.isReady()) stream.offer(JSON.stringify(line));
            });
            stream.onLeft(cancel);
          } else if (request.command === 'status') {
            world.statusesAsked++;
            answer({ ...told, isDone: true });
          } else {
            commands.push(request);
            const isRefused = request.reason === 'refuse';
            answer({ isDone: true, isRefused, text: `${request.command}: ${request.reason}` });
          }
        },
      );
    },
    stopBot: () => {
      control?.close();
      control = undefined;
    },
    close: async () => {
      world.stopBot();
      await open.close();
      own(0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

/** Makes a bot with a database of its own below `folder`. */
export function makeBot(
  folder: string,
  name: string,
  records: readonly StoreRecord[],
): RegisteredBot {
  const home = join(folder, name);
  if (!existsSync(home)) mkdirSync(home, { mode: 0o700 });
  const store = join(home, `${name}.sqlite`);
  const opened = openSqliteStore(store, {
    nowMs: Date.now(),
    namespace: 'deskdesk',
    run: { configHash: 'c0', codeHash: 'c1', nodeVersion: process.version },
  });
  let number = 0;
  for (let start = 0; start < records.length; start += 5_000)
    opened.commit(records.slice(start, start + 5_000), ++number);
  opened.close();
  mkdirSync(join(home, 'log'));
  const line = { level: 'warn', time: 5, topic: 'state', msg: `a line ${script}` };
  const torn = '{"level":"info","time":6,"ms';
  writeFileSync(join(home, 'log', `${name}.log`), `${JSON.stringify(line)}\n${torn}`);
  return {
    id: registeredId(name, store),
    bot: name,
    mode: 'demo',
    store,
    home,
    startedMs: Date.now(),
  };
}
