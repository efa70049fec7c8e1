/** Something that a person should read; the wiring prints it, logs it or sends it. */
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
