/** A message for people; the bot prints, logs or sends it. */
export type Notice = {
  readonly level: 'info' | 'warn' | 'alarm';
  readonly topic: NoticeTopic;
  readonly text: string;
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
  | 'incident'
  | 'state';
