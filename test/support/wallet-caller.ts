/**
 * Calls the wallet API of a simulated exchange directly, with JSON bodies and signed headers.
 *
 * The signature is implemented here a second time, from the description of the scheme, so that it
 * can disagree with the code.
 */
import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { ErrorCode } from '../../src/venues/luno/api/error-codes.ts';
import { permissionBits, permissions } from '../../src/venues/luno/api/permissions.ts';
import { parseWireJson } from '../../src/venues/luno/api/wire-json.ts';
import { type Credentials, createApiKey } from '../../src/venues/luno/simulator/core/api-key.ts';
import type {
  SimulatorRequest,
  SimulatorResponse,
} from '../../src/venues/luno/simulator/core/simulator-request.ts';
import type { SimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  createSimulator,
  type Recorder,
  type Simulator,
} from '../../src/venues/luno/simulator/world/simulator.ts';
import type { Command } from '../../src/venues/luno/simulator/world/world-command.ts';
import { startMicros } from './simulated-exchange.ts';

export const walletKey = { id: 'sim_wallet', secret: 'wallet-secret' };
export const friendKey = { id: 'sim_friend', secret: 'friend-secret' };

const everything = permissionBits(Object.keys(permissions) as (keyof typeof permissions)[]);

export const deskWallets = {
  XBT: '8203463422864003664',
  ZAR: '8535691064011841924',
  ETH: '8977310325467091551',
  XRP: '8977310325467091552',
};
export const friendWallets = { XBT: '9000000000000000001', ZAR: '9000000000000000002' };

export const walletSettings: SimulatorSettings = {
  markets: [],
  users: [
    {
      id: 'desk',
      fees: { maker: '0', taker: '0' },
      deposits: { XBT: '10', ZAR: '100000', ETH: '100', XRP: '1000' },
      accountIds: deskWallets,
    },
    {
      id: 'friend',
      fees: { maker: '0', taker: '0' },
      deposits: { XBT: '1', ZAR: '1000' },
      accountIds: friendWallets,
    },
  ],
};

export function walletSimulator(
  settings: SimulatorSettings = walletSettings,
  record?: Recorder,
): Simulator {
  const keys = [
    createApiKey(walletKey, { userId: 'desk', permissions: everything }),
    createApiKey(friendKey, { userId: 'friend', permissions: everything }),
  ];
  return createSimulator({ settings, seed: 1, timeMicros: startMicros, keys }, record);
}

/** Returns a simulator that appends its log to `commands`. */
export function recordedWalletSimulator(): { simulator: Simulator; commands: Command[] } {
  const commands: Command[] = [];
  const simulator = walletSimulator(walletSettings, (command) => {
    commands.push(structuredClone(command));
  });
  return { simulator, commands };
}

export type RawRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body?: string;
  readonly bodyKind?: SimulatorRequest['bodyKind'];
  /** Replaces headers; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly accountId?: string;
};

/** The members of an answer, typed loosely. */
export type Answer = { readonly [member: string]: string & readonly Answer[] };

/** Calls the exchange with one key, at times that the test sets. */
export class WalletCaller {
  readonly simulator: Simulator;
  readonly key: Credentials;
  timeMicros: number;

  constructor(simulator: Simulator, key: Credentials = walletKey, timeMicros = startMicros) {
    this.simulator = simulator;
    this.key = key;
    this.timeMicros = timeMicros;
  }

  /** Signs and sends exactly this request. */
  send(request: RawRequest): SimulatorResponse {
    const { method, target, body = '', accountId } = request;
    const timestamp = String(Math.floor(this.timeMicros / 1000));
    const bodyDigest = createHash('sha256').update(body).digest('hex');
    const text = `SVC1-HMAC-SHA256\n${timestamp}\n${method}\n${target}\n${accountId ?? ''}\n${bodyDigest}`;
    const key = createHash('sha256').update(this.key.secret).digest();
    const [path = '', query = ''] = target.split('?');
    return this.simulator.handle(
      {
        method,
        path,
        pairs: [...new URLSearchParams(query)],
        credentials: undefined,
        bodyKind: request.bodyKind ?? (body === '' ? 'none' : 'json'),
        signed: {
          target,
          body,
          headers: {
            'x-svc-key': this.key.id,
            'x-svc-timestamp': timestamp,
            'x-svc-signature': createHmac('sha256', key).update(text).digest('hex'),
            ...(accountId === undefined ? {} : { 'x-svc-account-id': accountId }),
            ...request.headers,
          },
        },
      },
      this.timeMicros,
    );
  }

  get(target: string, more: Omit<RawRequest, 'method' | 'target'> = {}): Answer {
    return answerOf(this.send({ method: 'GET', target: `/api/wallet/1${target}`, ...more }));
  }

  post(target: string, body: object, more: Omit<RawRequest, 'method' | 'target'> = {}): Answer {
    const request = { method: 'POST', target: `/api/wallet/1${target}`, ...more };
    return answerOf(this.send({ ...request, body: JSON.stringify(body) }));
  }

  put(target: string, body: object): Answer {
    const request = { method: 'PUT', target: `/api/wallet/1${target}` };
    return answerOf(this.send({ ...request, body: JSON.stringify(body) }));
  }
}

export function answerOf(response: SimulatorResponse): Answer {
  return parseWireJson(response.body ?? '{}') as Answer;
}

/** Returns the error record of the wallet API for `code`, which has exactly two members. */
export function refusal(code: ErrorCode): object {
  return { errorCode: code, message: expect.stringMatching(/\S/u) };
}
