/**
 * The engine's inputs and outputs.
 *
 * Invariant: an event holds everything that the engine may know of the world. Given the same start
 * and the same events at the same times, every record and effect is the same, byte for byte.
 */

import type { Notice } from '../domain/notice.ts';
import type { StoreRecord } from '../domain/records.ts';
import type { MarketMessage } from '../exchange-api/market-messages.ts';
import type { OperationName } from '../exchange-api/operations.ts';
import type { Reply } from '../exchange-api/reply.ts';
import type { UserMessage } from '../exchange-api/user-messages.ts';

/**
 * Why a connection ended. `refused-key`: the exchange named the key or its credentials;
 * `unanswered`: it closed before its first frame, which a bad key may look like too; `asked`:
 * `reconnect` was called.
 */
export type StreamEnd =
  | 'lost'
  | 'silent'
  | 'bad-frame'
  | 'error-frame'
  | 'refused-key'
  | 'session-limit'
  | 'unanswered'
  | 'asked';

/** How a stream ended, and how often so in a row since it was last healthy. */
export type StreamClosed = {
  readonly reason: string;
  readonly end?: StreamEnd;
  readonly inARow?: number;
};

export type EngineEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'market-opened'; readonly pair: string }
  | (StreamClosed & { readonly kind: 'market-closed'; readonly pair: string })
  | {
      readonly kind: 'market-frame';
      readonly pair: string;
      /** The frame as received; the journal keeps this. */
      readonly text: string;
      readonly message: MarketMessage;
    }
  | { readonly kind: 'user-opened' }
  | (StreamClosed & { readonly kind: 'user-closed' })
  | { readonly kind: 'user-frame'; readonly text: string; readonly message: UserMessage }
  | { readonly kind: 'user-malformed'; readonly reason: string }
  | { readonly kind: 'reply'; readonly request: number; readonly reply: Reply }
  | { readonly kind: 'tick' }
  | {
      /** The store keeps what it is given, but not as it should. */
      readonly kind: 'store-trouble';
      /** The code of the incident. */
      readonly code: string;
      readonly text: string;
      /** The bot must stop in order while it still can. */
      readonly mustStop: boolean;
    }
  | {
      /**
       * The process did nothing for so long, or its clock was moved forward: what came in and went
       * out of date meanwhile is not known.
       */
      readonly kind: 'paused';
      readonly forMs: number;
    }
  | {
      /**
       * How long the oldest event that waits has waited for the loop: told while that is too long,
       * and once when it is not any more.
       */
      readonly kind: 'loop-delay';
      readonly delayMs: number;
    }
  | ({ readonly kind: 'operator' } & OperatorCommand);

/** What an operator tells the bot. */
export type OperatorCommand = {
  readonly command: 'stop' | 'halt' | 'reduce' | 'resume' | 'kill' | 'approve';
  readonly reason: string;
  /**
   * For halt, reduce and resume: `bot`, `strategy:<id>` or `pair:<pair>`. A halt or reduce without
   * it is the bot's, a resume without it opens everything.
   */
  readonly scope?: string;
  /** Of an approval: from the refusal that asked for it. */
  readonly token?: string;
  /** Set if somebody waits for the answer, an `operated` effect. */
  readonly ticket?: number;
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
  | { readonly kind: 'stopped'; readonly openOrders: number }
  | {
      /** What became of an operator's command; several come while one is worked on. */
      readonly kind: 'operated';
      readonly ticket: number;
      readonly isDone: boolean;
      readonly text: string;
      /** Nothing was done; `text` says why. */
      readonly isRefused?: boolean;
      /** Of a kill that has ended: open orders of ours. */
      readonly remaining?: number;
    };

export type Step = {
  readonly records: readonly StoreRecord[];
  readonly effects: readonly Effect[];
};
