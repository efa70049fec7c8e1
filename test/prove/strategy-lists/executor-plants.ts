/** Bugs that an executor could have, which the proof must find; each is built into a thread. */
import { Decimal } from '../../../src/index.ts';
import { ChildOrders } from '../../../src/strategy/executors/child-orders.ts';

type Bug = { readonly meaning: string; readonly install: () => void };

/** After a restart, what was filled before it counts no more. */
function forgetFills(): void {
  const real = ChildOrders.prototype.total;
  const before = new WeakMap<ChildOrders, Map<string, ReturnType<typeof real>>>();
  ChildOrders.prototype.total = function (this: ChildOrders, line) {
    const total = real.call(this, line);
    const lines = before.get(this) ?? new Map();
    before.set(this, lines);
    const earlier = lines.get(line) ?? total;
    lines.set(line, earlier);
    const volume = (total.volume - earlier.volume) as typeof total.volume;
    return { ...total, volume, value: total.value.minus(earlier.value) };
  };
}

/** Orders of which something holds count as ended. */
function ignoreOrders(isIgnored: (order: OwnOrder) => boolean): void {
  const real = ChildOrders.prototype.orderOf;
  ChildOrders.prototype.orderOf = function (this: ChildOrders, line) {
    const order = real.call(this, line);
    return order === undefined || isIgnored(order) ? undefined : order;
  };
}
type OwnOrder = NonNullable<ReturnType<ChildOrders['orderOf']>>;

/** What orders have traded is not kept when the bot forgets them. */
function forgetOrders(): void {
  const real = ChildOrders.prototype.noteOrder;
  ChildOrders.prototype.noteOrder = function (this: ChildOrders, { booked: _, ...order }) {
    real.call(this, order);
  };
  ChildOrders.prototype.noteFill = () => undefined;
}

/** Fees in the base currency are not subtracted. */
function ignoreFees(): void {
  ChildOrders.prototype.net = function (this: ChildOrders, line, side) {
    const { volume } = this.total(line);
    return new Decimal(side === 'BID' ? volume : -volume).div(1e6);
  };
}

/** Exits may open a position. */
function allowOpening(): void {
  const real = ChildOrders.prototype.want;
  ChildOrders.prototype.want = function (this: ChildOrders, line, wanted, why) {
    return real.call(this, line, wanted && { ...wanted, reduceOnly: false }, why);
  };
}

const isLeaving = ({ cancelling }: OwnOrder): boolean => cancelling;
const isUnknown = ({ state }: OwnOrder): boolean => state === 'unknown';

const bugs: Readonly<Record<string, Bug>> = {
  twap: { meaning: 'forgets at a restart what was filled', install: forgetFills },
  tripleBarrier: {
    meaning: 'sells without asking how much is held',
    install: () => {
      ignoreOrders((order) => isLeaving(order) || isUnknown(order));
      allowOpening();
    },
  },
  chase: {
    meaning: 'places the next order while the last one is being cancelled',
    install: () => ignoreOrders(isLeaving),
  },
  iceberg: {
    meaning: 'takes an order of unknown outcome for lost',
    install: () => ignoreOrders(isUnknown),
  },
  grid: { meaning: 'forgets at a restart what its cells hold', install: forgetFills },
  dca: {
    meaning: 'places an exit while the last one is being cancelled',
    install: () => {
      ignoreOrders(isLeaving);
      allowOpening();
    },
  },
  pov: {
    meaning: 'never ends',
    install: () => {
      ChildOrders.prototype.hasLasted = () => false;
    },
  },
  hedge: { meaning: 'forgets at a restart what it has hedged', install: forgetFills },
  'iceberg-orders': {
    meaning: 'forgets with an order what it has filled',
    install: forgetOrders,
  },
  'hedge-fees': { meaning: 'counts what was taken as a fee', install: ignoreFees },
};

const prefix = 'executor-';

/** Each plant with what it breaks. */
export const executorPlants: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(bugs).map(([name, { meaning }]) => [`${prefix}${name}`, meaning]),
);

const bugOf = (plant: string): string => plant.slice(prefix.length);

/** The executor that a plant breaks. */
export const executorOfPlant = (plant: string): string => bugOf(plant).split('-')[0] ?? '';

/** Builds a plant into this thread. */
export function installExecutorPlant(plant: string): void {
  const bug = bugs[bugOf(plant)];
  if (bug === undefined) throw new RangeError(`no plant ${plant}`);
  bug.install();
}
