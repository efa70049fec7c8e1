/** What one key of a settings file means, in the form that its explanation is made of. */
export type KeyDescription = {
  /** A sentence or two, with the unit where the value itself has none. */
  readonly meaning: string;
  readonly example: string;
  /** What stands or happens when an optional key is left out, where its default does not say so. */
  readonly absent?: string;
};

/** By the path of the key, such as `limits.account.ordersOpenMax`. */
export type Descriptions = Readonly<Record<string, KeyDescription>>;
