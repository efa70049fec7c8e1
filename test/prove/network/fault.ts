/** What a fault of the network is: when it is met, what it does, and how it may end. */
import type { Socket } from 'node:net';
import type { HostileProxy } from './hostile-proxy.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { StreamLine, StreamName } from './stream-line.ts';

/**
 * What a fault decides on. Each hook returns whether it has done something: then the proxy does
 * nothing further with what it was given.
 */
export type FaultHooks = {
  readonly begin?: (proxy: HostileProxy) => void;
  readonly end?: (proxy: HostileProxy) => Promise<void> | void;
  readonly http?: (exchange: HttpExchange) => boolean;
  /** One frame from the exchange to the bot. */
  readonly frame?: (line: StreamLine, text: string, proxy: HostileProxy) => boolean;
  readonly upgrade?: (
    name: StreamName,
    asked: { readonly socket: Socket; readonly proceed: () => void },
  ) => boolean;
  /** A new connection, before anything was read from it. */
  readonly connection?: (socket: Socket) => boolean;
};

export type Fault = {
  readonly name: string;
  /** How long it goes on after it has struck for the first time; 4 s unless given. */
  readonly lastsMs?: number;
  /** Whether it loses orders on their way: the bot may then need longer to trade again. */
  readonly isLosing?: boolean;
  /** The reason of a halt that is right, because a person must decide. */
  readonly halts?: RegExp;
  /** Returns its hooks, with what they remember of this one time. */
  readonly hooks: () => FaultHooks;
};
