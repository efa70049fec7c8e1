/**
 * The parts of a strategy that are open. A part that ends leaves nothing behind: its quotes end,
 * its orders are cancelled, and its slots are dropped. The same happens after the start to what an
 * earlier run left of parts that the strategy has not opened again.
 *
 * Invariant: no two open parts have the same name, and a part in another ends with it.
 */
import type { Intent } from '../../domain/intent.ts';
import { isUnderPart, partOf } from '../../domain/part-name.ts';
import { isTakenOver } from '../../domain/records.ts';
import type { MarketAccess } from '../market-context.ts';
import type { StrategyState } from '../strategy-state.ts';
import type { PartDoor } from './part-stream.ts';

/** The maximum number of parts of a strategy that are open at a time. */
const openMax = 100;

type PartsOptions = {
  readonly state: StrategyState;
  /** By pair. */
  readonly markets: ReadonlyMap<string, Pick<MarketAccess, 'orders'>>;
  /** The last valid quotes, by part and pair. */
  readonly quotes: Map<string, unknown>;
  readonly push: (intent: Intent) => void;
  readonly refuse: (problem: string) => void;
  /** Counts towards the most intents of a minute. */
  readonly count: () => void;
  /** Whether the strategy runs, in an event; otherwise what has happened stops it. */
  readonly mayAct: (what: string) => boolean;
};

export class StrategyParts implements PartDoor {
  readonly #options: PartsOptions;
  /** The pairs on which each open part has asked for something, by its name. */
  readonly #open = new Map<string, Set<string>>();
  /** Those that have ended during the start. */
  #ended: string[] | undefined = [];

  constructor(options: PartsOptions) {
    this.#options = options;
  }

  /** Whether a part is open. */
  has(part: string): boolean {
    return this.#open.has(part);
  }

  open(part: string): boolean {
    const { count, mayAct, refuse } = this.#options;
    if (!mayAct(`part ${part} was opened`)) return false;
    count();
    const problem = this.#problemOf(part);
    if (problem === undefined) this.#open.set(part, new Set());
    else refuse(problem);
    return problem === undefined;
  }

  /** Why a part cannot be opened; undefined if it can. */
  #problemOf(part: string): string | undefined {
    if (this.#open.has(part))
      return (
        `part ${part} is open already: two parts at a time must have different names; what the ` +
        'second one asks for is left out'
      );
    const whole = partOf(part);
    if (whole !== '' && !this.#open.has(whole)) return `part ${part} is in a part that has ended`;
    if (this.#open.size < openMax) return undefined;
    return `part ${part} would be one of more than ${openMax} open parts`;
  }

  /** Notes that a part has asked for something. */
  note(intent: Intent): void {
    if (intent.kind !== 'quote' && intent.kind !== 'place') return;
    if (intent.part !== undefined) this.#open.get(intent.part)?.add(intent.pair);
  }

  end(part: string, reason: string): void {
    // A strategy that has stopped leaves its parts as they are.
    if (!this.#open.has(part) || !this.#options.mayAct(`part ${part} was ended`)) return;
    const { markets, quotes } = this.#options;
    const ended = [...this.#open].filter(([name]) => isWithin(name, part));
    this.#ended?.push(part);
    for (const [name] of ended) this.#open.delete(name);
    for (const name of quotes.keys()) if (isUnderPart(name, part)) quotes.delete(name);
    for (const [pair, access] of markets) {
      const hasAsked = ended.some(([, pairs]) => pairs.has(pair));
      if (hasAsked || access.orders().some(({ key }) => isUnderPart(key, part)))
        this.#cancel(pair, part, reason);
    }
    this.#drop((name) => isWithin(name, part));
  }

  /** Cancels the orders, and drops the slots, of parts that are not open after the start. */
  endAbsent(): void {
    const ended = this.#ended ?? [];
    this.#ended = undefined;
    for (const [pair, access] of this.#options.markets) {
      const told = [...ended];
      for (const order of access.orders()) {
        const part = partOf(order.key);
        if (part === '' || this.#open.has(part) || isTakenOver(order)) continue;
        if (told.some((name) => isWithin(part, name))) continue;
        told.push(part);
        this.#cancel(pair, part, `part ${part} was not opened again after the restart`);
      }
    }
    this.#drop((part) => !this.#open.has(part));
  }

  #cancel(pair: string, part: string, reason: string): void {
    this.#options.push(Object.freeze({ kind: 'cancelAll', pair, part, reason }));
  }

  #drop(matches: (part: string) => boolean): void {
    const { state, push } = this.#options;
    if (state.dropParts(matches)) push(state.toIntent());
  }
}

/** Whether a part is `whole` or in it. */
function isWithin(part: string, whole: string): boolean {
  return part === whole || isUnderPart(part, whole);
}
