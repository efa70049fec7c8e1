/** What reaches the engine in one step. */
import type { Ticks } from '../../domain/money.ts';
import type { DelayedMessages } from '../../market/feed/delayed-messages.ts';
import type { RestingBlock } from '../../market/flow/flow-block.ts';
import type { EngineMarket } from '../engine-market.ts';
import type { EngineEvent } from '../event.ts';

export type ReplyEvent = Extract<EngineEvent, { kind: 'reply' }>;

/** A message of recorded order flow. A backtest steps by them and has no journal. */
export type FlowInput = { readonly market: EngineMarket } & (
  | {
      /** The oldest message that has not reached us. */
      readonly kind: 'flow';
      readonly flow: DelayedMessages;
    }
  | {
      /** The book with which the flow begins; `halfSpread` for trades and candles. */
      readonly kind: 'flow-start';
      readonly resting: RestingBlock;
      readonly halfSpread: Ticks | undefined;
    }
);

export type StepInput =
  | EngineEvent
  | FlowInput
  | {
      /** Replies that arrive at the same time. */
      readonly kind: 'replies';
      readonly replies: readonly ReplyEvent[];
    };
