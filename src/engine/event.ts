/**
 * The engine's inputs and outputs.
 *
 * Invariant: events are the engine's only input. The same start and the same events at the same
 * times give the same records and effects, byte for byte.
 */

import type { BookMessage } from '../domain/book-message.ts';
import type { Notice } from '../domain/notice.ts';
import type { ParameterTexts } from '../domain/parameter-texts.ts';
import type { StoreRecord } from '../domain/records.ts';
import type { SeriesPoint } from '../domain/strategy-output.ts';
import type { VenueReply } from '../venue/venue-reply.ts';
import type { VenueReport } from '../venue/venue-report.ts';
import type { VenueRequest } from '../venue/venue-request.ts';
import type { StreamEnd } from '../venue/venue-streams.ts';
import type { FeedEvent } from './feeds/feed-event.ts';

/** How a stream ended; `inARow` is the number of equal ends since it was last healthy. */
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
      readonly message: BookMessage;
    }
  | { readonly kind: 'user-opened' }
  | (StreamClosed & { readonly kind: 'user-closed' })
  | { readonly kind: 'report'; readonly report: VenueReport }
  | { readonly kind: 'user-malformed'; readonly reason: string }
  | { readonly kind: 'reply'; readonly request: number; readonly reply: VenueReply }
  | FeedEvent
  | { readonly kind: 'tick' }
  | {
      /** The store still stores its records, but not as it should. */
      readonly kind: 'store-trouble';
      /** Code of the incident. */
      readonly code: string;
      readonly text: string;
      /** The bot must shut down while it still can. */
      readonly mustStop: boolean;
    }
  | {
      /**
       * The process did nothing for this long, or its clock was moved forward by as much: it may
       * have missed messages, and its data may be out of date.
       */
      readonly kind: 'paused';
      readonly forMs: number;
    }
  | {
      /**
       * How long the oldest queued event has waited for the loop. Sent while that is too long, and
       * once more when it no longer is.
       */
      readonly kind: 'loop-delay';
      readonly delayMs: number;
    }
  | ({ readonly kind: 'operator' } & OperatorCommand);

/** A command from the operator. */
export type OperatorCommand = {
  readonly command: 'stop' | 'halt' | 'reduce' | 'resume' | 'kill' | 'approve' | 'set';
  readonly reason: string;
  /**
   * For halt, reduce and resume: `bot`, `strategy:<id>` or `pair:<pair>`. Without it, a halt or
   * reduce applies to the bot, and a resume to every scope. For set: `strategy:<id>`.
   */
  readonly scope?: string;
  /** For approve: the token from the refusal that asked for approval. */
  readonly token?: string;
  /** For set: parameters of the strategy and their new values. */
  readonly values?: ParameterTexts;
  /** For set: who asks, which is stored with the values. */
  readonly by?: string;
  /** Set if someone waits for the answer, an `operated` effect. */
  readonly ticket?: number;
};

/** An action outside the engine, taken once the records of the same batch are stored. */
export type Effect =
  | {
      readonly kind: 'request';
      readonly request: number;
      readonly call: VenueRequest;
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
  /** A value of a strategy's metric or plot, for people. */
  | { readonly kind: 'point'; readonly point: SeriesPoint }
  | { readonly kind: 'stopped'; readonly openOrders: number }
  | {
      /** No strategy runs any more. */
      readonly kind: 'ended';
      readonly reason: string;
    }
  | {
      /** Result of an operator's command; several report the progress of a long command. */
      readonly kind: 'operated';
      readonly ticket: number;
      readonly isDone: boolean;
      readonly text: string;
      /** True if nothing was done; `text` says why. */
      readonly isRefused?: boolean;
      /** After a kill: how many orders of ours are still open. */
      readonly remaining?: number;
    };

export type Step = {
  readonly records: readonly StoreRecord[];
  readonly effects: readonly Effect[];
};
