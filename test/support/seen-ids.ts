/** The ids that answers gave, by what they are ids of, so that later calls can name real things. */
import type { Operation } from '../../src/venues/luno/api/operation.ts';
import type { SeededRandom } from './seeded-random.ts';

const keptMax = 40;
const sameThing: Readonly<Record<string, string>> = {
  wallets: 'accounts',
  wallet: 'accounts',
  account: 'accounts',
  toWallet: 'accounts',
  order: 'orders',
  listorders: 'orders',
  move: 'moves',
  list_moves: 'moves',
  fiat_beneficiaries: 'beneficiaries',
  beneficiary: 'beneficiaries',
  before: 'withdrawals',
  funding_address: 'addresses',
};

export class SeenIds {
  readonly #random: SeededRandom;
  readonly #ids = new Map<string, string[]>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Remembers the ids in an answer of `operation`. */
  learn(operation: Operation, value: unknown): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 5)) this.learn(operation, item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        if (typeof member === 'object') this.learn(operation, member);
        else if (/(?:^|_)id$|Id$|^address$/u.test(name))
          this.#remember(thingOf(operation, name), String(member));
  }

  /** Returns an id of what parameter `name` stands for, or of anything if `isExact` is false. */
  pick(operation: Operation, name: string, isExact: boolean): string | undefined {
    const things = isExact ? [thingOf(operation, name)] : [...this.#ids.keys()];
    const all = things.flatMap((thing) => this.#ids.get(thing) ?? []);
    return all.length === 0 ? undefined : this.#random.pick(all);
  }

  #remember(thing: string, id: string): void {
    const ids = this.#ids.get(thing) ?? [];
    this.#ids.set(thing, ids);
    if (id === '' || ids.includes(id)) return;
    ids.push(id);
    if (ids.length > keptMax) ids.splice(this.#random.integer(0, keptMax - 1), 1);
  }
}

/** `order_id` and `walletId` say it; a bare `id` is one of what the path ends with. */
function thingOf(operation: Operation, name: string): string {
  const noun = name === 'address' ? 'funding_address' : name.replace(/(?:_id|Id)$/u, '');
  const parts = operation.path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
  const last = parts.filter((part) => part !== 'name' && part !== 'pending').at(-1) ?? '';
  const thing = noun === 'id' ? last : noun.replace(/^(?:.*_)?account$/u, 'account');
  return sameThing[thing] ?? thing;
}
