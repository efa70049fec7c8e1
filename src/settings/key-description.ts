/** The meaning of one key of a settings file, for the reference page and `config explain`. */
export type KeyDescription = {
  /** One or two sentences, with the unit if the value has none. */
  readonly meaning: string;
  readonly example: string;
  /** What applies when an optional key is left out, unless its default says it. */
  readonly absent?: string;
};

/** By the path of the key, such as `limits.account.ordersOpenMax`. */
export type Descriptions = Readonly<Record<string, KeyDescription>>;
