/**
 * Finds code that reads the world around it: while the traps stand, a call of a clock, a
 * generator, a timer, the network, a file, a process or the environment is told with the place it
 * came from, if that place is in a given folder. The call goes on, so that the rest is seen, too.
 *
 * Invariant: code outside the folder notices nothing.
 */
import { syncBuiltinESMExports } from 'node:module';
import { type CodePlace, codePlaceOf } from '../domain/stack-frame.ts';

export type AmbientUse = CodePlace & {
  /** What was called, like `Date.now`. */
  readonly what: string;
};

export type TrapOptions = {
  /** Absolute; what is called from files below it is told. */
  readonly folder: string;
  /** Hears of each place once. */
  readonly onUse: (use: AmbientUse) => void;
};

type Calls = Record<string, unknown>;

/** Modules whose functions no strategy may call, by the names of their properties. */
const modules = [
  'node:fs',
  'node:fs/promises',
  'node:child_process',
  'node:net',
  'node:tls',
  'node:http',
  'node:https',
  'node:dns',
  'node:dgram',
  'node:os',
  'node:crypto',
  'node:worker_threads',
] as const;

/** Code that calls for whoever called it. */
const passing = /\/node_modules\/rxjs\//u;

const globals: readonly (readonly [owner: string, names: readonly string[]])[] = [
  ['Math', ['random']],
  ['performance', ['now']],
  ['process', ['hrtime', 'uptime', 'cwd', 'memoryUsage', 'cpuUsage']],
  ['globalThis', ['setTimeout', 'setInterval', 'setImmediate', 'fetch']],
  ['crypto', ['getRandomValues', 'randomUUID']],
];

/** Sets the traps; returns what takes them away. */
export function setAmbientTraps({ folder, onUse }: TrapOptions): () => void {
  const undo: (() => void)[] = [];
  const told = new Set<string>();
  // What a trapped function calls itself is no call of the strategy's.
  let depth = 0;
  const note = (what: string): void => {
    const place = placeIn(folder, new Error(what).stack ?? '');
    if (place === undefined) return;
    const key = `${what} ${place.file}:${place.line}`;
    if (told.has(key)) return;
    told.add(key);
    onUse({ what, ...place });
  };
  const trap = (owner: Calls, name: string, what: string): void => {
    const original = owner[name];
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const isFixed = descriptor !== undefined && descriptor.configurable === false;
    if (typeof original !== 'function' || isFixed) return;
    // A proxy keeps what hangs on the function: constructors, promisified forms, its own members.
    const value = new Proxy(original, {
      apply: (target, self, values) => {
        if (depth === 0) note(what);
        depth++;
        try {
          return Reflect.apply(target, self, values) as unknown;
        } finally {
          depth--;
        }
      },
    });
    Object.defineProperty(owner, name, { configurable: true, writable: true, value });
    undo.push(() => {
      if (descriptor === undefined) delete owner[name];
      else Object.defineProperty(owner, name, descriptor);
    });
  };
  for (const [owner, names] of globals) {
    const object = owner === 'globalThis' ? globalThis : Reflect.get(globalThis, owner);
    for (const name of names)
      trap(object as Calls, name, owner === 'globalThis' ? name : `${owner}.${name}`);
  }
  undo.push(trapDate(note), trapEnvironment(note));
  for (const name of modules) {
    const module = process.getBuiltinModule(name) as Calls | undefined;
    if (module === undefined) continue;
    for (const member of Object.keys(module))
      if (/^[a-z]/u.test(member)) trap(module, member, `${name} ${member}`);
  }
  syncBuiltinESMExports();
  return () => {
    for (const one of undo.reverse()) one();
    syncBuiltinESMExports();
  };
}

/** A date that is given its time is a value; one that is not is the clock. */
function trapDate(note: (what: string) => void): () => void {
  const original = globalThis.Date;
  globalThis.Date = new Proxy(original, {
    apply: (target, self, values) => {
      note('Date()');
      return Reflect.apply(target, self, values) as string;
    },
    construct: (target, values, made) => {
      if (values.length === 0) note('new Date()');
      return Reflect.construct(target, values, made) as Date;
    },
    get: (target, name, self) => {
      if (name === 'now') note('Date.now');
      return Reflect.get(target, name, self) as unknown;
    },
  });
  return () => {
    globalThis.Date = original;
  };
}

function trapEnvironment(note: (what: string) => void): () => void {
  const original = process.env;
  process.env = new Proxy(original, {
    get: (target, name) => {
      note('process.env');
      return Reflect.get(target, name) as string;
    },
  });
  return () => {
    process.env = original;
  };
}

/**
 * Returns the place in `folder` that made a call, by itself or through RxJS and Node's own code.
 * What others do on behalf of such a place, as loading its modules, is not its doing.
 */
function placeIn(folder: string, stack: string): CodePlace | undefined {
  for (const frame of stack.split('\n')) {
    const place = codePlaceOf(frame);
    if (place === undefined) continue;
    const { file } = place;
    if (file.startsWith(`${folder}/`)) return place;
    if (file !== import.meta.filename && !passing.test(file)) return undefined;
  }
  return undefined;
}
