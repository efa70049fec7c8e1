/**
 * The permission matrix: what a bot does for each documented permission that its key lacks or has,
 * at its start and when the permission is taken away while it trades.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBot } from '../../src/bot/bot.ts';
import { checkKeyAtStart } from '../../src/bot/keys/key-check.ts';
import { SafetyRefusedError } from '../../src/domain/errors.ts';
import { type Clock, createClock } from '../../src/runtime/clock.ts';
import { createLogger } from '../../src/runtime/log.ts';
import { createSystemRandom } from '../../src/runtime/system-random.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { loadBotSettings } from '../../src/settings/load-bot-settings.ts';
import { takeStoreLock } from '../../src/store/store-lock.ts';
import {
  botPermissions,
  keyTemplates,
  permissions,
} from '../../src/venues/luno/api/permissions.ts';
import { keyProbes } from '../../src/venues/luno/client/key-probe.ts';
import {
  type SimulatorServer,
  startSimulatorServer,
} from '../../src/venues/luno/simulator/server/simulator-server.ts';
import { workspace } from '../support/package-root.ts';
import { botKey } from '../support/simulated-exchange.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

type Name = keyof typeof permissions;

/** What the bot does with a key that has all but this permission, and one that has it besides. */
type Row = {
  readonly permission: Name;
  /** The key lacks it: the bot is refused its start, or starts. */
  readonly without: 'refused' | 'starts';
  /** The key has it besides what a bot needs: live is refused, or nothing is said. */
  readonly besides: 'live refused' | 'needed' | 'nothing' | 'cannot be told';
  /** It is taken away while the bot trades. */
  readonly takenAway: 'halts' | 'goes on';
};

const matrix: readonly Row[] = [
  row('Perm_R_Balance', 'refused', 'needed', 'halts'),
  row('Perm_R_Transactions', 'refused', 'needed', 'halts'),
  row('Perm_W_Send', 'starts', 'live refused', 'goes on'),
  row('Perm_R_Addresses', 'starts', 'nothing', 'goes on'),
  row('Perm_W_Addresses', 'starts', 'live refused', 'goes on'),
  row('Perm_R_Orders', 'refused', 'needed', 'halts'),
  row('Perm_W_Orders', 'refused', 'needed', 'halts'),
  row('Perm_R_Withdrawals', 'starts', 'nothing', 'goes on'),
  row('Perm_W_Withdrawals', 'starts', 'live refused', 'goes on'),
  row('Perm_R_Merchant', 'starts', 'cannot be told', 'goes on'),
  row('Perm_W_Merchant', 'starts', 'cannot be told', 'goes on'),
  row('Perm_W_ClientDebit', 'starts', 'cannot be told', 'goes on'),
  row('Perm_W_ClientCredit', 'starts', 'cannot be told', 'goes on'),
  row('Perm_R_Beneficiaries', 'starts', 'nothing', 'goes on'),
  row('Perm_W_Beneficiaries', 'starts', 'live refused', 'goes on'),
  row('Perm_R_Transfers', 'starts', 'nothing', 'goes on'),
];

function row(
  permission: Name,
  without: Row['without'],
  besides: Row['besides'],
  takenAway: Row['takenAway'],
): Row {
  return { permission, without, besides, takenAway };
}

const secret = 'matrix-secret';
const folder = mkdtempSync(join(tmpdir(), 'millrace-matrix-'));
const timers = createTimers();
const system = createClock();
/** Moved on for each case: a customer may make 300 calls a minute, and a case makes eight. */
let laterMicros = 0;
const clock: Clock = {
  nowMicros: () => system.nowMicros() + laterMicros,
  monotonicMicros: () => system.monotonicMicros() + laterMicros,
};
let server: SimulatorServer;

beforeAll(async () => {
  const bits = (name: Name) => permissions[name].value;
  server = await startSimulatorServer({
    folder,
    port: 0,
    seed: 1,
    clock,
    timers,
    fail: (error) => {
      throw error;
    },
    keys: matrix.flatMap(({ permission }) => [
      {
        id: `without_${permission}`,
        secret,
        permissions: keyTemplates.all & ~bits(permission),
      },
      { id: `besides_${permission}`, secret, permissions: botPermissions | bits(permission) },
    ]),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startOf(
  keyId: string,
  mode: 'demo' | 'live',
  accepted: readonly string[] = [],
  trades = true,
): Promise<readonly string[] | SafetyRefusedError> {
  const credentials = { keyId, keySecret: secret };
  laterMicros += 2_000_000;
  return checkKeyAtStart({
    settings: { mode, strategies: [{ pairs: trades ? ['XBTZAR'] : [] }] },
    baseUrl: server.baseUrl,
    credentials,
    accepted,
    timers,
  }).catch((error: unknown) => {
    if (error instanceof SafetyRefusedError) return error;
    throw error;
  });
}

test('a key without permission to order suffices for a bot that only watches', async () => {
  const refused = await startOf('without_Perm_W_Orders', 'demo');
  expect(refused).toBeInstanceOf(SafetyRefusedError);
  const accepted = await startOf('without_Perm_W_Orders', 'demo', [], false);
  expect(accepted).not.toBeInstanceOf(SafetyRefusedError);
});

test('every documented permission has its row', () => {
  expect(matrix.map(({ permission }) => permission)).toEqual(Object.keys(permissions));
  for (const { permission, besides } of matrix)
    expect(Object.hasOwn(keyProbes, permission)).toBe(besides !== 'cannot be told');
});

describe('at the start, a key that lacks', () => {
  test.each(matrix)('$permission: $without', async ({ permission, without }) => {
    const outcome = await startOf(`without_${permission}`, 'demo');
    if (without === 'refused') {
      expect(outcome).toBeInstanceOf(SafetyRefusedError);
      expect(String(outcome)).toContain(
        `the key lacks ${permission} (${permissions[permission].value}), needed to`,
      );
      // It is told by name alone: no other one is missing.
      expect(String(outcome).match(/the key lacks/gu)).toHaveLength(1);
    } else expect(outcome).toBeInstanceOf(Array);
  });
});

describe('at the start, a key that has, besides what is needed,', () => {
  test.each(matrix)('$permission: $besides', async ({ permission, besides }) => {
    const id = `besides_${permission}`;
    const demo = await startOf(id, 'demo');
    const live = await startOf(id, 'live');
    const says = `the key has ${permission} (${permissions[permission].value})`;
    if (besides !== 'live refused') {
      expect(demo).toEqual([]);
      expect(live).toEqual([expect.stringContaining('not verified against the real service')]);
      return;
    }
    expect(demo).toEqual([expect.stringContaining(says)]);
    expect(live).toBeInstanceOf(SafetyRefusedError);
    expect(String(live)).toContain(says);
    expect(String(live)).toContain(`--accept-dangerous-key ${permission}`);
    // Accepted by its own name only.
    expect(await startOf(id, 'live', ['yes', 'all', 'Perm_R_Orders'])).toBeInstanceOf(
      SafetyRefusedError,
    );
    expect(await startOf(id, 'live', [permission])).toEqual([
      expect.stringContaining(says),
      expect.stringContaining('not verified'),
    ]);
  });
});

test('a key that the exchange does not know is refused, and nothing else is asked with it', async () => {
  const outcome = await startOf('unknown_key', 'demo');
  expect(outcome).toBeInstanceOf(SafetyRefusedError);
  expect(String(outcome)).toContain('rejects the key');
});

test('the calls that tell change nothing', async () => {
  const before = JSON.stringify(server.simulator.truth('desk'));
  await startOf('besides_Perm_W_Send', 'demo');
  await startOf('without_Perm_R_Merchant', 'demo');
  expect(JSON.stringify(server.simulator.truth('desk'))).toBe(before);
});

test('a bot whose key may not place orders ends its start, and gives its database back', async () => {
  laterMicros += 60_000_000;
  const loaded = loadBotSettings('config/demo.yaml', { workspace });
  const { source: _, capture, dashboard: _page, ...settings } = loaded;
  const store = join(folder, 'bot', 'demo.sqlite');
  const start = startBot({
    workspace,
    settings: { ...settings, store },
    venue: {
      name: 'simulator',
      baseUrl: server.baseUrl,
      streamUrl: server.streamUrl,
      paths: {},
      userStreamPath: '/api/1/userstream',
    },
    credentials: { keyId: 'without_Perm_W_Orders', keySecret: secret },
    acceptedPermissions: [],
    egressCaps: undefined,
    ordersGoTo: 'simulator',
    liveFlag: false,
    home: join(folder, 'bot'),
    config: 'config/demo.yaml',
    plugins: new Map(),
    capture,
    clock: system,
    timers,
    random: createSystemRandom(),
    logger: createLogger({ level: 'error', secrets: [], destination: () => {} }),
    isSupervised: false,
    resumeReason: undefined,
    isAdopting: false,
    onNotice: () => {},
    onFatal: () => {},
  });
  await expect(start).rejects.toThrow(/the key lacks Perm_W_Orders \(64\), needed to place/u);
  takeStoreLock(store).release();
});

describe('while the bot trades, taking away', () => {
  test.each(matrix)('$permission: $takenAway', ({ permission, takenAway }) => {
    const world = new VirtualWorld({ seed: 11, level: 0, withChaos: false, refresh: '1s' });
    const setKey = (bits: number) => {
      const known = world.simulator.keyOf(botKey.id);
      if (known === undefined) throw new Error('the bot has a key');
      const keySecret = Buffer.from(known.secretDigest).toString('hex');
      world.simulator.control(
        {
          kind: 'add-key',
          keyId: botKey.id,
          secretDigest: keySecret,
          userId: 'desk',
          permissions: bits,
        },
        world.time.nowMicros,
      );
    };
    setKey(keyTemplates.all);
    world.begin();
    world.pass(20);
    const acceptedBefore = world.engine?.orders.counts.accepted ?? 0;
    expect(acceptedBefore).toBeGreaterThan(0);

    setKey(keyTemplates.all & ~permissions[permission].value);
    world.pass(60);
    const states = world.reports.tradingStates();
    const acceptedThen = world.engine?.orders.counts.accepted ?? 0;
    world.pass(30);
    const acceptedLater = world.engine?.orders.counts.accepted ?? 0;
    if (takenAway === 'goes on') {
      expect(states).toEqual([]);
      expect(acceptedLater).toBeGreaterThan(acceptedBefore);
    } else {
      expect(states).toMatchObject([{ scope: 'bot', state: 'HALTED' }]);
      expect(states[0]?.reason).toContain('ErrInsufficientPerms');
      expect(acceptedLater).toBe(acceptedThen);
    }
    // No permission opens or closes a stream: any valid key reads both, so the book stays usable.
    expect(world.engine?.markets.get('XBTZAR')?.top).toBeDefined();
    // Neither way anything is forgotten: the next life begins with the same state.
    world.kill();
    world.pass(40);
    expect(world.reports.tradingStates()).toEqual(states);
  });
});
