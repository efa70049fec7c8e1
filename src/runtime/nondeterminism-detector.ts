/**
 * Finds plugin code that is not deterministic. While the traps are set, each use of a clock, a
 * random generator, a timer, the network, a file, a process or the environment by a plugin is
 * reported with its file and line. The call itself proceeds, so that later uses are found, too.
 *
 * A stack is captured only when a plugin may be running (see `running-code.ts`), never for
 * Millrace's own work, where a stack would cost more than the work.
 *
 * Invariant: other code is not affected.
 */
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { type CodePlace, codePlaceOf } from '../domain/stack-frame.ts';
import { localDate, trapLocal } from './local-traps.ts';
import { codeOwner, isPluginFile, isPluginLoading, packageOf } from './running-code.ts';
import { type Owner, TrapSet } from './trap-set.ts';

export type NondeterministicUse = CodePlace & {
  /** The function or property, for example `Date.now`. */
  readonly what: string;
  /** The package that used it, if it was not the plugin's own code. */
  readonly package?: string;
  /** Why it matters and what to use instead, where that is not obvious. */
  readonly advice?: string | undefined;
};

export type TrapOptions = {
  /** Called once for each place of a plugin's own code, and once for each package. */
  readonly onUse: (use: NondeterministicUse) => void;
};

/** Modules whose functions no strategy may call. */
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

/** The traps' own code. */
const own = `${import.meta.dirname}/`;
/** Millrace's code, which may be in node_modules itself. */
const millrace = own.replace(/[^/]+\/$/u, '');
/** Packages that both Millrace and plugins call: their calls are attributed to their caller. */
const shared = /\/node_modules\/(?:croner|decimal\.js|rxjs)\//u;
/** zod checks once whether the environment lets it compile; no result of a schema depends on it. */
const schemas = /\/node_modules\/zod\//u;
/** Found in the stack when Node calls the code because it evaluates a module. */
const evaluating = /\(node:internal\/modules\//u;
const asynchronous = /^\s+at async /u;

/** Functions by their owners; properties of a function come before the function. */
const calls: readonly (readonly [owner: string, names: readonly string[]])[] = [
  ['Math', ['random']],
  ['performance', ['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization']],
  ['process.hrtime', ['bigint']],
  ['process.memoryUsage', ['rss']],
  ['process', ['hrtime', 'uptime', 'cwd', 'memoryUsage', 'cpuUsage', 'resourceUsage']],
  ['globalThis', ['setTimeout', 'setInterval', 'setImmediate', 'fetch']],
  ['crypto', ['getRandomValues', 'randomUUID']],
  ['AbortSignal', ['timeout']],
];

/** Properties with information about this process or this machine. */
const reads: readonly (readonly [owner: string, names: readonly string[]])[] = [
  ['performance', ['timeOrigin']],
  ['Event.prototype', ['timeStamp']],
  ['process', ['pid', 'ppid', 'argv', 'execArgv', 'execPath', 'platform', 'arch']],
  ['navigator', ['hardwareConcurrency', 'language', 'languages', 'platform', 'userAgent']],
];

/**
 * Number of stacks captured per function at places that are already reported. A stack takes longer
 * than the call, and a strategy that reads the clock at each row would run for minutes.
 */
const repeatsMax = 1_000;

/** Sets the traps; returns a function that removes them. */
export function trapNondeterminism({ onUse }: TrapOptions): () => void {
  const reported = new Set<string>();
  const repeats = new Map<string, number>();
  const traps = new TrapSet((what, advice) => {
    if (codeOwner() === 'millrace') return;
    const repeated = repeats.get(what) ?? 0;
    if (repeated >= repeatsMax) return;
    const place = pluginPlace(stackNow());
    if (place === undefined) return;
    const key = `${what} ${place.package ?? `${place.file}:${place.line}`}`;
    if (reported.has(key)) {
      repeats.set(what, repeated + 1);
      return;
    }
    reported.add(key);
    onUse({ what, ...place, ...(advice === undefined ? {} : { advice }) });
  });
  for (const [path, names] of calls)
    for (const name of names) traps.call(ownerOf(path), name, nameOf(path, name));
  for (const [path, names] of reads)
    for (const name of names) traps.read(ownerOf(path), name, nameOf(path, name));
  trapLocal(traps);
  trapDate(traps);
  trapEnvironment(traps);
  const untrapModules = trapModules(traps);
  return () => {
    untrapModules();
    traps.remove();
    syncBuiltinESMExports();
  };
}

/**
 * Sets traps on the functions of {@link modules}: at once where a module is loaded, since somebody
 * may hold it, and otherwise when it is imported. To load all of them takes 20 ms. Returns a
 * function that ends the watch for imports.
 */
function trapModules(traps: TrapSet): () => void {
  const waiting = new Set<string>(modules);
  const { getBuiltinModule } = process;
  const trap = (name: string): void => {
    if (!waiting.delete(name)) return;
    // Some modules read the environment while they are loaded.
    const load = (): unknown => getBuiltinModule.call(process, name);
    const module = traps.unreported(load) as Owner | undefined;
    if (module === undefined) return;
    for (const member of Object.keys(module))
      if (/^[a-z]/u.test(member)) traps.call(module, member, `${name} ${member}`);
    syncBuiltinESMExports();
  };
  for (const name of modules) if (isLoaded(name)) trap(name);
  traps.define(process as unknown as Owner, 'getBuiltinModule', {
    writable: true,
    value: (id: string): object | undefined => {
      // Node itself refuses an id that is not a text.
      trap(`node:${String(id).replace(/^node:/u, '')}`);
      return getBuiltinModule.call(process, id);
    },
  });
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      trap(found.url);
      return found;
    },
  });
  return () => hooks.deregister();
}

/**
 * Whether a module of Node is loaded. `process.moduleLoadList` is undocumented; without it, every
 * module counts as loaded.
 */
function isLoaded(name: string): boolean {
  const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };
  return moduleLoadList?.includes(`NativeModule ${name.slice('node:'.length)}`) ?? true;
}

/** Returns a stack deep enough for the operators of a stream, whatever limit a plugin has set. */
function stackNow(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack = '' } = new Error('use');
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

function ownerOf(path: string): Owner {
  const from = globalThis as unknown as Owner;
  if (path === 'globalThis') return from;
  return path.split('.').reduce((owner, name) => owner[name] as Owner, from);
}

function nameOf(path: string, name: string): string {
  return path === 'globalThis' ? name : `${path.replace('.prototype', '')}.${name}`;
}

/** A date made from arguments is a value; a date made without arguments reads the clock. */
function trapDate(traps: TrapSet): void {
  const original = Date;
  const noteLocal = (what: string, values: readonly unknown[]): void => {
    const advice = localDate(values);
    if (advice !== undefined) traps.report(what, advice);
  };
  const value = new Proxy(original, {
    apply: (target, self, values) => {
      traps.report('Date()');
      return Reflect.apply(target, self, values) as string;
    },
    construct: (target, values, made) => {
      if (values.length === 0) traps.report('new Date()');
      else noteLocal('new Date', values);
      return Reflect.construct(target, values, made) as Date;
    },
  });
  traps.call(original as unknown as Owner, 'now', 'Date.now');
  const { parse } = original;
  traps.define(original as unknown as Owner, 'parse', {
    writable: true,
    value: (text: string): number => {
      noteLocal('Date.parse', [text]);
      return parse(text);
    },
  });
  traps.define(globalThis as unknown as Owner, 'Date', { writable: true, value });
}

function trapEnvironment(traps: TrapSet): void {
  const reporting =
    <Values extends readonly unknown[], Value>(work: (...values: Values) => Value) =>
    (...values: Values): Value => {
      traps.report('process.env');
      return work(...values);
    };
  const value = new Proxy(process.env, {
    // Without the proxy as receiver, because process.env accepts no values through a proxy.
    get: reporting((target, name) => Reflect.get(target, name) as string),
    set: reporting((target, name, text) => Reflect.set(target, name, text)),
    has: reporting(Reflect.has),
    ownKeys: reporting(Reflect.ownKeys),
    getOwnPropertyDescriptor: reporting(Reflect.getOwnPropertyDescriptor),
    deleteProperty: reporting(Reflect.deleteProperty),
  });
  traps.define(process as unknown as Owner, 'env', { writable: true, value });
}

type Caller = CodePlace & Pick<NondeterministicUse, 'package'>;

/**
 * Returns the place that made the call of this stack: in a file of a plugin, or in a package that a
 * plugin called or is known to run. Undefined if Millrace made the call, for example to read the
 * files of a plugin.
 */
function pluginPlace(stack: string): Caller | undefined {
  const isLoading = isPluginLoading();
  let inPackage: Caller | undefined;
  for (const frame of stack.split('\n')) {
    const place = codePlaceOf(frame);
    if (place === undefined) continue;
    const { file } = place;
    // A module that waits for its imports did not make the call while they are loaded.
    if (isLoading && inPackage !== undefined && asynchronous.test(frame)) break;
    if (isPluginFile(file)) return inPackage ?? place;
    if (shared.test(file) || file.startsWith(own)) continue;
    const name = file.startsWith(millrace) || schemas.test(file) ? undefined : packageOf(file);
    if (name === undefined) break;
    inPackage ??= { ...place, package: name };
  }
  const isPluginRunning = codeOwner() === 'plugin' || (isLoading && evaluating.test(stack));
  return isPluginRunning ? inPackage : undefined;
}
