/**
 * One way to use the simulated exchange, in two forms: the real client and server over HTTP, and
 * the simulator called directly. A scenario that is run with both must see the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request as sendRequest } from 'undici';
import { createTimers } from '../../src/runtime/timers.ts';
import type { Operation, ParametersOf } from '../../src/venues/luno/api/operation.ts';
import {
  type OperationName,
  type Operations,
  operations,
} from '../../src/venues/luno/api/operations.ts';
import { keyTemplates } from '../../src/venues/luno/api/permissions.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import { type Client, createClient } from '../../src/venues/luno/client/client.ts';
import { keyOf } from '../../src/venues/luno/client/credentials.ts';
import { readReply } from '../../src/venues/luno/client/read-reply.ts';
import {
  createRequestWriter,
  type RequestWriter,
} from '../../src/venues/luno/client/request-writer.ts';
import { createHmacSigner } from '../../src/venues/luno/client/signer.ts';
import { createApiKey } from '../../src/venues/luno/simulator/core/api-key.ts';
import type { SimulatorResponse } from '../../src/venues/luno/simulator/core/simulator-request.ts';
import type { SimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  type HttpBody,
  simulatorRequestOf,
} from '../../src/venues/luno/simulator/server/http-request.ts';
import { startSimulatorServer } from '../../src/venues/luno/simulator/server/simulator-server.ts';
import {
  createSimulator,
  type Recorder,
  type Simulator,
} from '../../src/venues/luno/simulator/world/simulator.ts';
import type { Control } from '../../src/venues/luno/simulator/world/world-command.ts';
import { ManualTime } from './manual-time.ts';

/** The keys that every driver has; `stranger` is known to nobody. */
const keys = {
  desk: { userId: 'desk', permissions: keyTemplates.all },
  other: { userId: 'other', permissions: keyTemplates.all },
  nothing: { userId: 'desk', permissions: 0 },
  doomed: { userId: 'desk', permissions: keyTemplates.all },
} as const;
export type KeyName = keyof typeof keys | 'stranger' | 'wrong-secret';

export const credentialsOf = (name: KeyName) => ({
  keyId: name === 'wrong-secret' ? 'key-desk' : `key-${name}`,
  keySecret: name === 'wrong-secret' ? 'some-other-secret' : `secret-of-${name}`,
});

export type CallOptions = { readonly key?: KeyName; readonly ownerAccountId?: string };

/** A request that the client would not send. */
export type RawRequest = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
export type RawAnswer = { readonly status: number; readonly body: string };

export type Driver = {
  readonly simulator: Simulator;
  readonly timeMs: () => number;
  /** Calls as the user `desk` unless told. */
  readonly call: <Name extends OperationName>(
    name: Name,
    parameters: ParametersOf<Operations[Name]>,
    options?: CallOptions,
  ) => Promise<Reply>;
  readonly raw: (request: RawRequest) => Promise<RawAnswer>;
  readonly control: (control: Control) => void;
  readonly wait: (ms: number) => void;
  readonly close: () => Promise<void>;
};

export type DriverOptions = {
  readonly settings: SimulatorSettings;
  readonly seed: number;
  /** Gets every command; of the direct form only. */
  readonly record?: Recorder;
};

/** Runs a scenario and returns every reply on the way, the last one last. */
export async function recordReplies(
  driver: Driver,
  scenario: (driver: Driver) => Promise<Reply>,
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  const call: Driver['call'] = async (...parameters) => {
    const reply = await driver.call(...parameters);
    replies.push(reply);
    return reply;
  };
  const last = await scenario({ ...driver, call });
  return replies.at(-1) === last ? replies : [...replies, last];
}

/** Calls the simulator directly: what the client would write, without any transport. */
export function createDirectDriver({ settings, seed, record }: DriverOptions): Driver {
  const time = new ManualTime();
  const genesis = { settings, seed, timeMicros: time.nowMicros, keys: [] };
  const simulator = createSimulator(genesis, record);
  addKeys(simulator, time);
  const writers = new Map<KeyName, RequestWriter>();
  const answer = ({ method, url, headers = {}, body }: RawRequest): SimulatorResponse => {
    const request = simulatorRequestOf({
      method,
      url,
      address: '127.0.0.1',
      authorization: headers['authorization'],
      headers,
      body: body === undefined || body === '' ? undefined : httpBodyOf(headers, body),
    });
    return simulator.handle(request, time.nowMicros);
  };
  return {
    ...common(simulator, time),
    call: async (name, parameters, { key = 'desk', ownerAccountId } = {}) => {
      let write = writers.get(key);
      if (write === undefined) {
        write = writerFor(key, time);
        writers.set(key, write);
      }
      const written = write(name, parameters, ownerAccountId);
      if ('refusal' in written) return { kind: 'not-sent', reason: written.refusal };
      const { path: url, method, headers, body } = written;
      const {
        status,
        headers: given,
        body: text,
      } = answer({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const bytes = new TextEncoder().encode(text ?? '');
      const declared: Operation = operations[name];
      const outcome = { kind: 'answer', status, headers: given, body: bytes } as const;
      return readReply(outcome, declared.response, name, (one) => one);
    },
    raw: async (request) => {
      const { status, body } = answer(request);
      return { status, body: body ?? '' };
    },
    close: async () => {},
  };
}

/** Starts a server and calls it with the real client. */
export async function createNetworkDriver({ settings, seed }: DriverOptions): Promise<Driver> {
  const time = new ManualTime();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-driver-'));
  const failures: unknown[] = [];
  const server = await startSimulatorServer({
    folder,
    port: 0,
    seed,
    settings,
    clock: time.clock,
    timers: time.timers,
    fail: (error) => failures.push(error),
  });
  const { simulator, baseUrl } = server;
  addKeys(simulator, time);
  const clients = new Map<KeyName, Client>();
  return {
    ...common(simulator, time),
    call: (name, parameters, { key = 'desk', ownerAccountId } = {}) => {
      let client = clients.get(key);
      if (client === undefined) {
        client = createClient({ ...accessFor(key, time), baseUrl, timers: createTimers() });
        clients.set(key, client);
      }
      return client.request(name, parameters, { ownerAccountId });
    },
    raw: async ({ method, url, headers = {}, body }) => {
      const answer = await sendRequest(`${baseUrl}${url}`, {
        method: method as 'GET',
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return { status: answer.statusCode, body: await answer.body.text() };
    },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
      await server.close();
      rmSync(folder, { recursive: true, force: true });
      if (failures.length > 0) throw failures[0];
    },
  };
}

function common(simulator: Simulator, time: ManualTime) {
  return {
    simulator,
    timeMs: () => Math.floor(time.nowMicros / 1000),
    control: (control: Control) => simulator.control(control, time.nowMicros),
    wait: (ms: number) => {
      time.nowMicros += ms * 1000;
      // At once, or a server would take it for a sleep of its machine.
      simulator.advance(time.nowMicros);
    },
  };
}

/** By control, so that both forms have the same commands in the same order. */
function addKeys(simulator: Simulator, time: ManualTime): void {
  for (const [name, rights] of Object.entries(keys)) {
    const { keyId, keySecret } = credentialsOf(name as KeyName);
    const { secretDigest } = createApiKey({ id: keyId, secret: keySecret }, rights);
    const digest = Buffer.from(secretDigest).toString('hex');
    simulator.control({ kind: 'add-key', keyId, secretDigest: digest, ...rights }, time.nowMicros);
  }
}

function accessFor(key: KeyName, time: ManualTime) {
  const credentials = credentialsOf(key);
  return { credentials, wallet: { signer: createHmacSigner(credentials), clock: time.clock } };
}

function writerFor(key: KeyName, time: ManualTime): RequestWriter {
  const { credentials, wallet } = accessFor(key, time);
  const { authorization } = keyOf(credentials);
  const allow = Object.keys(operations) as OperationName[];
  return createRequestWriter({ authorization, wallet, paths: {}, allow });
}

function httpBodyOf(headers: Readonly<Record<string, string>>, text: string): HttpBody {
  const type = headers['content-type'] ?? '';
  if (type === 'application/x-www-form-urlencoded') return { kind: 'form', text };
  return { kind: type === 'application/json' ? 'json' : 'other', text };
}
