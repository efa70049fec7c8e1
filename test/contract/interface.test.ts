/**
 * Every operation, from the registry: over HTTP with the real client and by direct call, on two
 * identical exchanges, with equal answers.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import { parseWireJson } from '../../src/venues/luno/api/wire-json.ts';
import {
  createDirectDriver,
  createNetworkDriver,
  type Driver,
  recordReplies,
} from '../support/interface-driver.ts';
import { operationScenarios, type Scenario } from '../support/interface-scenarios.ts';
import { RandomCalls } from '../support/random-call.ts';
import { scenarioSettings, textOf } from '../support/scenario-steps.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const names = Object.keys(operations) as OperationName[];
const options = { settings: scenarioSettings, seed: 7 };

let network: Driver | undefined;
afterEach(async () => {
  await network?.close();
  network = undefined;
});

test('every declared operation has a scenario', () => {
  expect(names.filter((name) => operationScenarios[name] === undefined)).toEqual([]);
});

describe('over HTTP and by direct call, with equal answers', () => {
  test.each(names.filter((name) => operationScenarios[name] !== undefined))('%s', async (name) => {
    const scenario = operationScenarios[name] as Scenario;
    const direct = createDirectDriver(options);
    network = await createNetworkDriver(options);
    const replies = await recordReplies(direct, scenario);
    expect(textOf(replies.at(-1) as Reply)).toBe('ok');
    expect(await recordReplies(network, scenario)).toEqual(replies);
    for (const driver of [direct, network]) expect(driver.simulator.faults()).toEqual([]);
  });
});

test('every alias answers what the path answers', async () => {
  const aliased = names.flatMap((name) => operations[name].aliases.map((path) => ({ name, path })));
  expect(aliased.length).toBeGreaterThan(0);
  for (const { name, path } of aliased) {
    const direct = createDirectDriver(options);
    const authorization = `Basic ${btoa('key-desk:secret-of-desk')}`;
    const ask = (url: string) =>
      direct.raw({ method: operations[name].method, url, headers: { authorization } });
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer).toEqual(await ask(operations[name].path));
  }
});

test.each([31, 32])('random calls are answered alike over HTTP, seed %i', async (seed) => {
  const direct = createDirectDriver({ ...options, seed });
  network = await createNetworkDriver({ ...options, seed });
  const random = new SeededRandom(seed);
  const source = new RandomCalls(random);
  let successes = 0;
  for (let number = 0; number < 400; number++) {
    const waitMs = random.integer(0, 700);
    direct.wait(waitMs);
    network.wait(waitMs);
    const { operation, request } = source.next(direct.timeMs() * 1000);
    const answer = await direct.raw(request);
    expect(await network.raw(request)).toEqual(answer);
    if (answer.status !== 200) continue;
    successes += 1;
    source.learn(operation, parseWireJson(answer.body));
  }
  expect(successes).toBeGreaterThan(50);
  expect(network.simulator.truth('desk')).toEqual(direct.simulator.truth('desk'));
});
