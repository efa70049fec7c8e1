/** Traps on functions and properties, which tell when they are used and change nothing else. */

/** Hears what was used, and what is said of it in place of the usual. */
export type Note = (what: string, advice?: string) => void;

export type Owner = Record<string, unknown>;

export type CallTrap = {
  /** Whether a call with these arguments is told; each is unless given. */
  readonly when?: (values: readonly unknown[]) => boolean;
  readonly advice?: string;
};

export class TrapSet {
  readonly #note: Note;
  readonly #undo: (() => void)[] = [];
  // What a trapped function calls itself is no call of the strategy's.
  #depth = 0;

  constructor(note: Note) {
    this.#note = note;
  }

  readonly tell: Note = (what, advice) => {
    if (this.#depth === 0) this.#note(what, advice);
  };

  /** Tells of calls of a function, and of its use as a constructor. */
  call(owner: Owner, name: string, what: string, trap: CallTrap = {}): void {
    const original = owner[name];
    if (typeof original !== 'function') return;
    this.define(owner, name, { writable: true, value: this.trapped(original, what, trap) });
  }

  /** Tells of each look at a property, which may be an inherited one. */
  read(owner: Owner, name: string, what: string): void {
    const found = descriptorOf(owner, name);
    if (found === undefined) return;
    const { tell } = this;
    this.define(owner, name, {
      get(this: unknown): unknown {
        tell(what);
        return found.get === undefined ? found.value : Reflect.apply(found.get, this, []);
      },
    });
  }

  /** Returns a function with a trap: a proxy, so that it keeps what hangs on it. */
  trapped<Called extends object>(original: Called, what: string, trap: CallTrap): Called {
    const { when = () => true, advice } = trap;
    const through = <Value>(values: readonly unknown[], work: () => Value): Value => {
      if (when(values)) this.tell(what, advice);
      this.#depth++;
      try {
        return work();
      } finally {
        this.#depth--;
      }
    };
    return new Proxy(original, {
      apply: (target, self, values) =>
        through(values, () => Reflect.apply(target as () => unknown, self, values)),
      construct: (target, values, made) =>
        through(values, () => Reflect.construct(target as new () => object, values, made)),
    });
  }

  /** Puts a property in the place of another, if that may be, until the traps are taken away. */
  define(owner: Owner, name: string, property: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    if (before?.configurable === false) return;
    Object.defineProperty(owner, name, { ...property, configurable: true });
    this.#undo.push(() => {
      if (before === undefined) delete owner[name];
      else Object.defineProperty(owner, name, before);
    });
  }

  /** Takes all traps away. */
  remove(): void {
    for (const one of this.#undo.reverse()) one();
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
