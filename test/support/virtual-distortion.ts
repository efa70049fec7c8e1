/**
 * What else may be wrong with what the exchange tells: a read may show an older state than the one
 * before, or not all of a page; a frame may be something that is no message.
 *
 * Invariant: a frame that is damaged is seen to be so; no amount is merely another one. What
 * follows from an exchange that lies is tested on its own.
 */
import type { OperationName } from '../../src/venues/luno/api/operations.ts';
import { operations } from '../../src/venues/luno/api/operations.ts';
import { parseWireJson, stringifyWireJson } from '../../src/venues/luno/api/wire-json.ts';
import type { SimulatorResponse } from '../../src/venues/luno/simulator/core/simulator-request.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Faults } from './virtual-faults.ts';

const pastMax = 8;
const listOf: Partial<Record<OperationName, string>> = {
  listtrades: 'trades',
  listOrdersV2: 'orders',
  transactions: 'transactions',
};

/** Ways to make a text something that no reader may take for a message. */
export const damages: readonly ((text: string) => string)[] = [
  () => '',
  () => 'null',
  () => '[]',
  () => '<!doctype html><title>502</title>',
  (text) => `\u0000${text}`,
  (text) => `${text}}`,
  (text) => text.replace(/:\s*(?:"[^"]*"|-?[\d.]+)/u, ':NaN'),
  (text) => text.slice(0, -1),
  (text) => `${'['.repeat(20_000)}${text}`,
];

export class Distortion {
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  /** What each order's record was, newest last. */
  readonly #records = new Map<string, SimulatorResponse[]>();

  constructor(faults: Faults, random: SeededRandom) {
    this.#faults = faults;
    this.#random = random;
  }

  /** Returns what comes back instead of `made`, the good answer to a read. */
  of(
    operation: OperationName,
    parameters: Readonly<Record<string, unknown>>,
    made: SimulatorResponse,
  ): SimulatorResponse {
    if (operations[operation].repeat !== 'read' || made.status !== 200) return made;
    const told = this.#backwards(operation, parameters, made);
    const list = listOf[operation];
    return list !== undefined && this.#faults.fires('reads.partialPage')
      ? this.#firstRows(told, list)
      : told;
  }

  #backwards(
    operation: OperationName,
    parameters: Readonly<Record<string, unknown>>,
    made: SimulatorResponse,
  ): SimulatorResponse {
    if (operation !== 'getOrderV3') return made;
    const key = JSON.stringify(parameters);
    const past = this.#records.get(key) ?? [];
    const older = past.length === 0 ? undefined : this.#random.pick(past);
    this.#records.set(key, [...past, made].slice(-pastMax));
    return older !== undefined && this.#faults.fires('reads.backwards') ? older : made;
  }

  #firstRows(made: SimulatorResponse, list: string): SimulatorResponse {
    const body = parseWireJson(made.body ?? '{}') as Record<string, unknown[]>;
    const rows = body[list] ?? [];
    const kept = rows.slice(0, this.#random.integer(0, rows.length));
    return { ...made, body: stringifyWireJson({ ...body, [list]: kept }) };
  }
}
