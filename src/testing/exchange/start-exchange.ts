/** Starts a simulated exchange for one test: in the process or in one of its own. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AlreadyRunningError } from '../../domain/errors.ts';
import { randomToken } from '../../runtime/system-random.ts';
import type { OrderRecord } from '../../venues/luno/api/operations/order-operations.ts';
import { type KeyTemplate, keyTemplates } from '../../venues/luno/api/permissions.ts';
import { parseWireJson } from '../../venues/luno/api/wire-json.ts';
import type { ControlCommand } from '../../venues/luno/simulator/server/control-command.ts';
import { controlPath } from '../../venues/luno/simulator/server/control-http.ts';
import { controlTokenPath } from '../../venues/luno/simulator/server/control-token.ts';
import { readCredentials } from '../../venues/luno/simulator/server/credentials-file.ts';
import { spawnExchange } from './exchange-child.ts';
import { type ExchangeOptions, settingsOf } from './exchange-options.ts';
import { openExchange } from './exchange-server.ts';

/** The lock of a folder is against other processes. */
const openFolders = new Set<string>();

/** An API key: the name and the password of HTTP's basic authentication. */
export type ExchangeKey = { readonly id: string; readonly secret: string };

/** The exchange's clock, after a command. */
export type ExchangeTime = {
  /** In milliseconds since the epoch. */
  readonly timeMs: number;
  /** Whether `stop-time` has stopped it. */
  readonly isStopped: boolean;
};

/** What a user has at the exchange. Amounts are decimal text. */
export type ExchangeTruth = {
  /** In order of creation, as the exchange answers them. */
  readonly orders: readonly OrderRecord[];
  /** In order of execution. */
  readonly trades: readonly {
    readonly clientOrderId: string;
    readonly pair: string;
    readonly side: 'BID' | 'ASK';
  }[];
  readonly accounts: readonly {
    readonly id: string;
    readonly currency: string;
    readonly balance: string;
    /** What open orders, sends and withdrawals may use. */
    readonly reserved: string;
  }[];
};

/** A running exchange. */
export type Exchange = AsyncDisposable & {
  /** For requests, such as `http://127.0.0.1:4100`. */
  readonly baseUrl: string;
  /** For streams, such as `ws://127.0.0.1:4100`. */
  readonly streamUrl: string;
  /** The folder of its state. */
  readonly home: string;
  /** The id of its process, if that is a child. */
  readonly pid: number | undefined;
  /** Keys of the first user. */
  readonly keys: {
    /** Has the permissions that a bot needs. */
    readonly bot: ExchangeKey;
    /** Only reads. */
    readonly readOnly: ExchangeKey;
    /** Has all permissions. */
    readonly full: ExchangeKey;
  };
  /**
   * Executes a command of the exchange's operator: `deposit`, `fail-next`, `set-status`,
   * `stop-time`, `advance-time` and others. Rejects with what is wrong if it names something that
   * does not exist, or breaks a rule of the exchange; then nothing has changed.
   */
  control(command: ControlCommand): Promise<ExchangeTime>;
  /** Adds a key of a user. Rejects if there is no such user. */
  addKey(userId: string, permissions?: KeyTemplate): Promise<ExchangeKey>;
  /** Returns what a user has, by default the first. Rejects if there is no such user. */
  truth(userId?: string): Promise<ExchangeTruth>;
  /**
   * Closes all connections, ends the process if it is a child, and removes the temporary folder.
   * Rejects if the exchange had failed before. Calling it again does nothing.
   */
  stop(): Promise<void>;
};

/**
 * Starts a simulated exchange. Exchanges share nothing, so tests may run in parallel. Rejects with
 * ConfigError for a wrong option or a port that is taken, with AlreadyRunningError if `home` is in
 * use, and with StoreError if it is damaged or not writable.
 *
 *     await using exchange = await startExchange({ balances: { XBT: '1', ZAR: '50000' } });
 */
export async function startExchange(options: ExchangeOptions = {}): Promise<Exchange> {
  const { users } = settingsOf(options);
  const home = resolve(options.home ?? mkdtempSync(join(tmpdir(), 'millrace-exchange-')));
  const folder = join(home, 'simulator');
  if (openFolders.has(folder))
    throw new AlreadyRunningError(`${folder} is in use by this process; stop that exchange first`);
  openFolders.add(folder);
  const release = (): void => {
    openFolders.delete(folder);
    if (options.home === undefined) rmSync(home, { recursive: true, force: true });
  };
  const open = options.child === true ? spawnExchange : openExchange;
  const server = await open(folder, options).catch((error: unknown) => {
    release();
    throw error;
  });
  const { baseUrl, streamUrl, pid } = server;
  const issued = readCredentials(folder);
  const token = readFileSync(controlTokenPath(folder), 'utf8').trim();
  const ask = async (path: string, command?: ControlCommand): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${controlPath}${path}`, {
      method: command === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(command === undefined ? {} : { body: JSON.stringify(command) }),
    });
    const body = parseWireJson(await response.text());
    if (response.ok) return body;
    const what = command === undefined ? path : `${command.kind} is refused`;
    throw new Error(`${what}: ${(body as { readonly error: string }).error}`);
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= server.close().finally(release);
    return stopping;
  };
  const control = async (command: ControlCommand) => (await ask('', command)) as ExchangeTime;
  return {
    ...{ baseUrl, streamUrl, home, pid, control, stop },
    keys: {
      bot: keyOf(issued),
      readOnly: keyOf(issued.read_only),
      full: keyOf(issued.full ?? issued),
    },
    async addKey(userId, permissions = 'bot') {
      const key = { id: `test_${randomToken(10)}`, secret: randomToken(32) };
      const secretDigest = createHash('sha256').update(key.secret).digest('hex');
      await control({
        kind: 'add-key',
        ...{ keyId: key.id, secretDigest, userId, permissions: keyTemplates[permissions] },
      });
      return key;
    },
    truth: async (userId = users[0]?.id ?? '') => (await ask(`/truth/${userId}`)) as ExchangeTruth,
    [Symbol.asyncDispose]: stop,
  };
}

function keyOf(issued: {
  readonly api_key_id: string;
  readonly api_key_secret: string;
}): ExchangeKey {
  return { id: issued.api_key_id, secret: issued.api_key_secret };
}
