/**
 * One exchange and thousands of random calls of all operations. After each call its answer is
 * checked; now and then, and at the end, the exchange itself, and in the end what a replay of its
 * commands leads to.
 */
import type { OperationName } from '../../src/venues/luno/api/operations.ts';
import { parseWireJson } from '../../src/venues/luno/api/wire-json.ts';
import { createSimulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import type { Command } from '../../src/venues/luno/simulator/world/world-command.ts';
import { checkAnswer } from './answer-check.ts';
import { createDirectDriver, type Driver, type DriverOptions } from './interface-driver.ts';
import { ledgerFaults } from './ledger-check.ts';
import { moneyFaults, moneyOf } from './money-check.ts';
import { RandomCalls } from './random-call.ts';
import { scenarioSettings } from './scenario-steps.ts';
import { SeededRandom } from './seeded-random.ts';
import { startMicros } from './simulated-exchange.ts';

export type RandomRun = {
  readonly calls: number;
  readonly seed: number;
  /** Only these operations; all of them unless given. */
  readonly names?: readonly OperationName[];
  /** Another way to the exchange, with a fault built in. */
  readonly drive?: (options: DriverOptions) => Driver;
};

export type RandomOutcome = {
  readonly calls: number;
  /** Calls that were not refused, by operation. */
  readonly successes: ReadonlyMap<string, number>;
  readonly codes: ReadonlySet<string>;
  /** Sentences; none if every promise was kept. */
  readonly faults: readonly string[];
};

const checkEvery = 250;
const faultsMax = 20;
/** A call takes microseconds; what takes so long hangs. */
const callMsMax = 5_000;

export async function runRandomCalls({
  calls,
  seed,
  names,
  drive,
}: RandomRun): Promise<RandomOutcome> {
  const commands: Command[] = [];
  const options: DriverOptions = {
    settings: scenarioSettings,
    seed,
    record: (command) => commands.push(command),
  };
  const driver = (drive ?? createDirectDriver)(options);
  const atStart = moneyOf(driver);
  const random = new SeededRandom(seed);
  const source = new RandomCalls(random, names);
  const successes = new Map<string, number>();
  const codes = new Set<string>();
  const faults: string[] = [];
  const note = (number: number, found: readonly string[]): void => {
    for (const fault of found) faults.push(`seed ${seed}, call ${number}: ${fault}`);
  };
  for (let number = 1; number <= calls && faults.length < faultsMax; number++) {
    // More than the 200 ms that each call of a key may cost on average.
    driver.wait(random.fraction() < 0.002 ? 3_600_000 : random.integer(0, 700));
    const call = source.next(driver.timeMs() * 1000);
    const before = number % 100 === 0 ? driver.simulator.snapshot() : undefined;
    const startedMs = performance.now();
    let answer: Awaited<ReturnType<Driver['raw']>>;
    try {
      answer = await driver.raw(call.request);
    } catch (error) {
      note(number, [`${call.operation.name} threw ${String(error)}: ${JSON.stringify(call)}`]);
      break;
    }
    if (performance.now() - startedMs > callMsMax) note(number, [`${call.operation.name} hung`]);
    if (answer.status === 404 && answer.body === '') continue;
    const { fault, code, value } = checkAnswer(call, answer);
    if (fault !== undefined) note(number, [`${fault}; ${JSON.stringify(call.request)}`]);
    if (code !== undefined) codes.add(code);
    else {
      successes.set(call.operation.name, (successes.get(call.operation.name) ?? 0) + 1);
      source.learn(call.operation, value);
    }
    // A conversion that fails uses up its key, as documented.
    const mayChange = answer.status < 400 || call.operation.name === 'convert';
    if (before !== undefined && !mayChange && !isEqual(before, driver))
      note(number, [`${call.operation.name} was refused and changed something`]);
    if (number % checkEvery === 0) note(number, driver.simulator.faults());
  }
  note(calls, driver.simulator.faults());
  note(calls, await moneyFaults(driver, atStart));
  for (const user of ['desk', 'other'] as const) {
    const unread = (error: unknown): readonly string[] => [
      `no ledgers of ${user}: ${String(error)}`,
    ];
    note(calls, await ledgerFaults(driver, user).catch(unread));
  }
  note(calls, replayFaults(options, driver, commands));
  await driver.close();
  return { calls, successes, codes, faults };
}

function isEqual(before: Uint8Array, driver: Driver): boolean {
  return Buffer.from(before).equals(driver.simulator.snapshot());
}

/** A new exchange that obeys the same commands must end with the same truth. */
function replayFaults(
  { settings, seed }: DriverOptions,
  driver: Driver,
  commands: readonly Command[],
): readonly string[] {
  const again = createSimulator({ settings, seed, timeMicros: startMicros, keys: [] });
  try {
    for (const command of commands) again.replay(parseWireJson(JSON.stringify(command)) as Command);
  } catch (error) {
    return [`the replay of the commands fails: ${String(error)}`];
  }
  again.advance(driver.simulator.timeMicros);
  return ['desk', 'other'].flatMap((user) => {
    const [one, other] = [driver.simulator, again].map((simulator) => textOf(simulator, user));
    return one === other ? [] : [`the replay leads to another truth of ${user}`];
  });
}

function textOf(simulator: Driver['simulator'], user: string): string {
  return JSON.stringify(simulator.truth(user), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}
