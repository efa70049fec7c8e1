/** What reaches the engine in one step. */
import type { DelayedMessages } from '../../market/feed/delayed-messages.ts';
import type { RestingBlock } from '../../market/flow/flow-block.ts';
import type { MarketData } from '../../market/flow/market-data.ts';
import type { EngineMarket } from '../engine-market.ts';
import type { EngineEvent } from '../event.ts';

export type ReplyEvent = Extract<EngineEvent, { kind: 'reply' }>;

/** A message of recorded order flow. A backtest steps by them and has no journal. */
type FlowInput = { readonly market: EngineMarket } & (
  | {
      /** The oldest message that has not reached us. */
      readonly kind: 'flow';
      readonly flow: DelayedMessages;
    }
  | {
      /** The book with which the flow begins, and what is recorded. */
      readonly kind: 'flow-start';
      readonly resting: RestingBlock;
      readonly data: MarketData;
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
