/** Traps on functions and properties, which report their use and change nothing else. */

/** Called with the function or property that was used, and special advice about it. */
export type OnTrap = (what: string, advice?: string) => void;

export type Owner = Record<string, unknown>;

export type CallTrap = {
  /** Whether to report a call with these arguments. Default: every call. */
  readonly when?: (values: readonly unknown[]) => boolean;
  readonly advice?: string;
};

export class TrapSet {
  readonly #onTrap: OnTrap;
  readonly #undo: (() => void)[] = [];
  // Calls made by a trapped function are not reported: the strategy did not make them.
  #depth = 0;

  constructor(onTrap: OnTrap) {
    this.#onTrap = onTrap;
  }

  readonly report: OnTrap = (what, advice) => {
    if (this.#depth === 0) this.#onTrap(what, advice);
  };

  /** Reports calls of a function, and its use as a constructor. */
  call(owner: Owner, name: string, what: string, trap: CallTrap = {}): void {
    const original = owner[name];
    if (typeof original !== 'function') return;
    this.define(owner, name, { writable: true, value: this.trapped(original, what, trap) });
  }

  /** Reports each read of a property, which may be inherited. */
  read(owner: Owner, name: string, what: string): void {
    const found = descriptorOf(owner, name);
    if (found === undefined) return;
    const { report } = this;
    this.define(owner, name, {
      get(this: unknown): unknown {
        report(what);
        return found.get === undefined ? found.value : Reflect.apply(found.get, this, []);
      },
    });
  }

  /** Returns a function with a trap: a proxy, so that its properties are kept. */
  trapped<Called extends object>(original: Called, what: string, trap: CallTrap): Called {
    const { when = () => true, advice } = trap;
    const through = <Value>(values: readonly unknown[], work: () => Value): Value => {
      if (when(values)) this.report(what, advice);
      return this.unreported(work);
    };
    return new Proxy(original, {
      apply: (target, self, values) =>
        through(values, () => Reflect.apply(target as () => unknown, self, values)),
      construct: (target, values, made) =>
        through(values, () => Reflect.construct(target as new () => object, values, made)),
    });
  }

  /** Returns what `work` returns, of which nothing is reported. */
  unreported<Value>(work: () => Value): Value {
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }

  /** Replaces a property, if it is configurable, until the traps are removed. */
  define(owner: Owner, name: string, property: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    if (before?.configurable === false) return;
    Object.defineProperty(owner, name, { ...property, configurable: true });
    this.#undo.push(() => {
      if (before === undefined) delete owner[name];
      else Object.defineProperty(owner, name, before);
    });
  }

  remove(): void {
    for (const undo of this.#undo.reverse()) undo();
  }
}

function descriptorOf(owner: object, name: string): PropertyDescriptor | undefined {
  let holder: object | null = owner;
  while (holder !== null) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found !== undefined) return found;
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return undefined;
}
