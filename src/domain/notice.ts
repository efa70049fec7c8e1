/** A message for people; the bot prints, logs or sends it. */
import type { LineFields } from './strategy-output.ts';
import type { Remedy } from './trading-block.ts';

export type Notice = {
  readonly level: 'info' | 'warn' | 'alarm';
  readonly topic: NoticeTopic;
  readonly text: string;
  /** What only the log has besides: ids of an order, why a quote is wanted. */
  readonly detail?: string;
  /** What a person can do about it; the display shows the whole command. */
  readonly remedy?: Remedy;
  /** Of a line of a strategy's `log`: whose it is, and its fields, which the text has too. */
  readonly logged?: { readonly strategyId: string; readonly fields: LineFields };
};

export type NoticeTopic =
  | 'quote'
  | 'order'
  | 'fill'
  | 'refusal'
  | 'idle'
  | 'stream'
  | 'reconcile'
  | 'strategy'
  | 'print'
  | 'log'
  | 'incident'
  | 'state';
