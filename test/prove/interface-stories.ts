/** The scenarios of all operations and all error codes, run and compared. */
import { type ErrorCode, errorCodes } from '../../src/venues/luno/api/error-codes.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import { walletErrorCodeOf } from '../../src/venues/luno/api/wallet/error-names.ts';
import { errorScenarios } from '../support/error-scenarios.ts';
import {
  createDirectDriver,
  createNetworkDriver,
  type Driver,
  recordReplies,
} from '../support/interface-driver.ts';
import { operationScenarios, type Scenario } from '../support/interface-scenarios.ts';
import { scenarioSettings, textOf } from '../support/scenario-steps.ts';
import { plantedNetwork } from './interface-plants.ts';

const options = { settings: scenarioSettings, seed: 7 };

export type Stories = { readonly reached: readonly string[]; readonly faults: readonly string[] };

/** Every operation over HTTP and by direct call; the answers must be equal. */
export async function exerciseOperations(plant: string | undefined): Promise<Stories> {
  const reached: string[] = [];
  const faults: string[] = [];
  for (const name of Object.keys(operations) as OperationName[]) {
    const scenario = operationScenarios[name];
    if (scenario === undefined) {
      faults.push(`${name} has no scenario`);
      continue;
    }
    const direct = createDirectDriver(options);
    const network = plantedNetwork(plant, await createNetworkDriver(options));
    try {
      const [one, other] = [
        await recordReplies(direct, scenario),
        await recordReplies(network, scenario),
      ];
      const last = one.at(-1);
      if (last?.kind !== 'ok') faults.push(`${name}: ${last === undefined ? '' : textOf(last)}`);
      else if (JSON.stringify(one) !== JSON.stringify(other))
        faults.push(`${name}: other answers over HTTP than by direct call`);
      else reached.push(name);
      for (const fault of [...direct.simulator.faults(), ...network.simulator.faults()])
        faults.push(`${name}: ${fault}`);
    } catch (error) {
      faults.push(`${name}: ${String(error)}`);
    } finally {
      await network.close();
    }
  }
  return { reached, faults };
}

/** Every error code: by its scenario, or by `fail-next` where it has no cause of its own. */
export async function exerciseErrors(): Promise<Stories> {
  const reached: string[] = [];
  const faults: string[] = [];
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    const driver = createDirectDriver(options);
    try {
      const fault = await errorFault(driver, code);
      if (fault === undefined) reached.push(code);
      else faults.push(`${code}: ${fault}`);
    } catch (error) {
      faults.push(`${code}: ${String(error)}`);
    }
  }
  return { reached, faults };
}

async function errorFault(driver: Driver, code: ErrorCode): Promise<string | undefined> {
  const { cause } = errorCodes[code];
  const scenario = errorScenarios[code];
  if ((cause === 'none') !== (scenario === undefined))
    return `has the cause ${cause} and ${scenario === undefined ? 'no' : 'a'} scenario`;
  let controls = 0;
  const control: Driver['control'] = (one) => {
    controls += 1;
    driver.control(one);
  };
  const reply = await (scenario ?? failNext(code))({ ...driver, control });
  if (cause === 'operation' && controls > 0) return 'a control is needed to cause it';
  if (cause === 'control' && controls === 0) return 'no control is needed to cause it';
  if (reply.kind !== 'refused' || reply.code !== code) return `came as ${textOf(reply)}`;
  if (reply.status !== errorCodes[code].status) return `came with status ${reply.status}`;
  const [fault] = driver.simulator.faults();
  return fault;
}

/** Lets an operation of a document that has the code fail with it. */
function failNext(code: ErrorCode): Scenario {
  const isOfWallet = errorCodes[code].documents.every((document) => document === 'wallet');
  const operation = isOfWallet && walletErrorCodeOf(code) === code ? 'listWallets' : 'balance';
  return async (driver) => {
    driver.control({ kind: 'fail-next', operation, code });
    const reply = await driver.call(operation, {});
    const next = await driver.call(operation, {});
    return next.kind === 'ok' ? reply : next;
  };
}
