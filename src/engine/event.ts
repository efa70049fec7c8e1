/**
 * The engine's inputs and outputs.
 *
 * Invariant: an event holds everything that the engine may know of the world. Given the same start
 * and the same events at the same times, every record and effect is the same, byte for byte.
 */

import type { Notice } from '../domain/notice.ts';
import type { StoreRecord } from '../domain/records.ts';
import type { MarketMessage } from '../interface/market-stream.ts';
import type { OperationName } from '../interface/operations.ts';
import type { Reply } from '../interface/reply.ts';
import type { UserMessage } from '../interface/user-stream.ts';

export type EngineEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'market-opened'; readonly pair: string }
  | { readonly kind: 'market-closed'; readonly pair: string; readonly reason: string }
  | {
      readonly kind: 'market-frame';
      readonly pair: string;
      /** The frame as received; the journal keeps this. */
      readonly text: string;
      readonly message: MarketMessage;
    }
  | { readonly kind: 'user-opened' }
  | { readonly kind: 'user-closed'; readonly reason: string }
  | { readonly kind: 'user-frame'; readonly text: string; readonly message: UserMessage }
  | { readonly kind: 'user-malformed'; readonly reason: string }
  | { readonly kind: 'reply'; readonly request: number; readonly reply: Reply }
  | { readonly kind: 'tick' }
  | {
      /**
       * The process did nothing for so long, or its clock was moved forward: what came in and went
       * out of date meanwhile is not known.
       */
      readonly kind: 'paused';
      readonly forMs: number;
    }
  | {
      readonly kind: 'operator';
      readonly command: 'stop' | 'halt' | 'resume';
      readonly reason: string;
    }
  | {
      /** A person approves one order above the soft limit. */
      readonly kind: 'approval';
      /** From the refusal that asked for it. */
      readonly token: string;
      readonly reason: string;
    };

/** What to do in the world, once the records of the same batch are stored. */
export type Effect =
  | {
      readonly kind: 'request';
      readonly request: number;
      readonly operation: OperationName;
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly deadlineMs: number;
    }
  | {
      readonly kind: 'reconnect';
      readonly stream: 'market' | 'user';
      readonly pair: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'notice';
      readonly notice: Notice;
    }
  | { readonly kind: 'stopped'; readonly openOrders: number };

export type Step = {
  readonly records: readonly StoreRecord[];
  readonly effects: readonly Effect[];
};
