/** A simulated exchange for tests, called directly, and a caller that uses its wire format. */
import { botPermissions } from '../../src/venues/luno/api/permissions.ts';
import { parseWireJson } from '../../src/venues/luno/api/wire-json.ts';
import { type Credentials, createApiKey } from '../../src/venues/luno/simulator/core/api-key.ts';
import type { SimulatorResponse } from '../../src/venues/luno/simulator/core/simulator-request.ts';
import {
  defaultSimulatorSettings,
  type SimulatorSettings,
} from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  createSimulator,
  type Recorder,
  type Simulator,
} from '../../src/venues/luno/simulator/world/simulator.ts';

/** 2026-11-20 12:00:00 UTC. */
export const startMicros = 1_795_176_000_000_000;
export const second = 1_000_000;

export const botKey = { id: 'sim_bot', secret: 'bot-secret' };
export const readKey = { id: 'sim_read', secret: 'read-secret' };
export const otherKey = { id: 'sim_other', secret: 'other-secret' };

/** The shipped markets without participants, and two users with equal deposits. */
export const quietSettings: SimulatorSettings = {
  markets: defaultSimulatorSettings.markets.map(({ participants: _, ...market }) => market),
  users: ['desk', 'other'].map((id) => ({
    id,
    fees: { maker: '0.0005', taker: '0.0010' },
    deposits: { XBT: '10', ZAR: '10000000', ETH: '100' },
  })),
};

export const testKeys = (settings: SimulatorSettings) => [
  createApiKey(botKey, { userId: 'desk', permissions: botPermissions }),
  createApiKey(readKey, { userId: 'desk', permissions: 1 + 2 + 32 }),
  ...(settings.users.some((user) => user.id === 'other')
    ? [createApiKey(otherKey, { userId: 'other', permissions: botPermissions })]
    : []),
];

export function simulatorFor(
  settings: SimulatorSettings,
  options: { readonly seed?: number; readonly record?: Recorder } = {},
): Simulator {
  return createSimulator(
    { settings, seed: options.seed ?? 1, timeMicros: startMicros, keys: testKeys(settings) },
    options.record,
  );
}

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly values?: Readonly<Record<string, string | readonly string[]>>;
};

/** Calls the exchange with one key, at times that the test sets. */
export class Caller {
  readonly #simulator: Simulator;
  readonly #key: Credentials | undefined;
  timeMicros: number;

  constructor(simulator: Simulator, key: Credentials | undefined, timeMicros = startMicros) {
    this.#simulator = simulator;
    this.#key = key;
    this.timeMicros = timeMicros;
  }

  send(method: string, path: string, values: Call['values'] = {}): SimulatorResponse {
    return this.#simulator.handle(
      {
        method,
        path,
        pairs: Object.entries(values).flatMap(([name, value]) =>
          (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const),
        ),
        credentials: this.#key,
        bodyKind: method === 'POST' ? 'form' : 'none',
      },
      this.timeMicros,
    );
  }

  get(path: string, values?: Call['values']): Body {
    return bodyOf(this.send('GET', path, values));
  }

  post(path: string, values?: Call['values']): Body {
    return bodyOf(this.send('POST', path, values));
  }

  /** Places a limit order in XBTZAR. */
  place(
    type: 'BID' | 'ASK',
    price: number | string,
    volume: string,
    more: Readonly<Record<string, string>> = {},
  ): Body {
    const values = { pair: 'XBTZAR', type, price: String(price), volume, ...more };
    return this.post('/api/1/postorder', values);
  }
}

/** The JSON of an answer, typed loosely: a member may be text, a list or an object. */
export type Body = { readonly [member: string]: string & readonly Body[] };

export function bodyOf(response: SimulatorResponse): Body {
  return parseWireJson(response.body ?? '{}') as Body;
}
