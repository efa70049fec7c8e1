/**
 * Puts RxJS's default schedulers, its clock and its handling of unhandled errors on a strategy's
 * virtual time while that strategy's code runs, and `console` on its lines.
 *
 * Invariants: a strategy never reaches a real timer or the machine's clock through RxJS. Outside a
 * strategy the default schedulers throw, because a plugin that continues in a promise would
 * otherwise get a real timer. Millrace's own code takes its timers from `runtime/`.
 */
import { createRequire } from 'node:module';
import {
  animationFrameScheduler,
  asapScheduler,
  asyncScheduler,
  isObservable,
  queueScheduler,
  type SchedulerAction,
  type SchedulerLike,
  type Subscription,
} from 'rxjs';
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
import { InvariantError } from '../domain/errors.ts';
import { divertConsole } from '../runtime/line-console.ts';
import { type CodeOwner, enterCode } from '../runtime/running-code.ts';
import type { VirtualScheduler } from './virtual-scheduler.ts';

/** The virtual time of one strategy. */
export type VirtualScope = {
  readonly scheduler: VirtualScheduler;
  /** Receives an error that RxJS would throw from a timer, which would end the process. */
  readonly reportError: (error: unknown) => void;
  /** A stream of the strategy waits for a promise, whose value comes outside of its events. */
  readonly reportPromise: () => void;
  /** Takes what the strategy prints. */
  readonly console: Console;
};

let current: VirtualScope | undefined;
/** The owner of the code that ran before a strategy was entered. */
let ownerOutside: CodeOwner = 'unknown';
let installed = false;

function divert(original: SchedulerLike, chosen: (scope: VirtualScope) => SchedulerLike): void {
  original.schedule = <T>(
    work: (this: SchedulerAction<T>, state?: T) => void,
    delayMs?: number,
    state?: T,
  ): Subscription => {
    if (current === undefined) {
      throw new InvariantError(
        "RxJS's default schedulers work only inside an event of a strategy; pass a scheduler",
      );
    }
    return chosen(current).schedule(work, delayMs, state);
  };
}

/** Diverts RxJS's default schedulers and the global console, once and for this process. */
export function installVirtualTime(): void {
  if (installed) return;
  installed = true;
  for (const original of [asyncScheduler, asapScheduler, animationFrameScheduler]) {
    divert(original, (scope) => scope.scheduler);
  }
  divert(queueScheduler, (scope) => scope.scheduler.queue);
  divertConsole(() => current?.console);
  watchPromises();
  // Read when RxJS needs them: a strategy is entered far more often.
  delegate(dateTimestampProvider, () => current?.scheduler);
  delegate(timeoutProvider, () => reporting);
}

/**
 * Reports promises and asynchronous generators that a strategy's stream subscribes to. All of RxJS's
 * operators call `innerFrom` by its module, of which no import of ours could replace a function.
 */
function watchPromises(): void {
  const inner = createRequire(import.meta.url)('rxjs/internal/observable/innerFrom') as {
    innerFrom: (input: unknown) => unknown;
  };
  const { innerFrom } = inner;
  inner.innerFrom = (input) => {
    if (current !== undefined && isLater(input)) current.reportPromise();
    return innerFrom(input);
  };
}

function isLater(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || isObservable(input)) return false;
  return 'then' in input || Symbol.asyncIterator in input;
}

/**
 * Makes a provider of RxJS ask `get` what it delegates to. Outside a strategy it delegates to what
 * was assigned to it, as by RxJS's TestScheduler in a test of a plugin.
 */
function delegate<Delegate>(provider: { delegate: Delegate }, get: () => Delegate): void {
  let assigned = provider.delegate;
  Object.defineProperty(provider, 'delegate', {
    get: () => (current === undefined ? assigned : get()),
    set: (value: Delegate) => {
      assigned = value;
    },
  });
}

/** Runs `body`, the code of a plugin, with RxJS on the virtual time of `scope`. */
export function runInVirtualTime(scope: VirtualScope, body: () => void): void {
  const before = enterVirtualTime(scope);
  try {
    body();
  } finally {
    leaveVirtualTime(before);
  }
}

/**
 * Puts RxJS on the virtual time of `scope`, for code of a plugin. Returns the scope to pass to
 * {@link leaveVirtualTime}.
 */
export function enterVirtualTime(scope: VirtualScope): VirtualScope | undefined {
  const before = current;
  const owner = enterCode('plugin');
  if (before === undefined) ownerOutside = owner;
  current = scope;
  return before;
}

/** Restores the scope that {@link enterVirtualTime} returned. */
export function leaveVirtualTime(before: VirtualScope | undefined): void {
  current = before;
  if (before === undefined) enterCode(ownerOutside);
}

/** RxJS uses its timeouts only to throw unhandled errors later. */
const reporting = {
  setTimeout: (handler: () => void): number => {
    const scope = current;
    try {
      handler();
    } catch (error) {
      scope?.reportError(error);
    }
    return 0;
  },
  clearTimeout: (): void => undefined,
};
