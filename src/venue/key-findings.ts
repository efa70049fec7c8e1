/** What an API key may do at a venue, as far as its answers show. */

/** What a venue's answer shows about one permission. */
export type KeyFinding = {
  /** The venue's name of the permission. */
  readonly permission: string;
  /** The venue's number of the permission. */
  readonly value: number;
  readonly meaning: string;
  /**
   * `needed`: without it no bot starts, or `toTrade` none that trades; `dangerous`: no bot needs
   * it, and it endangers the owner's money; `why` says for what, or what it can do. Undefined:
   * neither.
   */
  readonly use:
    | { readonly kind: 'needed' | 'dangerous'; readonly why: string; readonly toTrade?: boolean }
    | undefined;
  /** `unknown`: no answer shows it; `untestable`: no operation needs the permission. */
  readonly state: 'granted' | 'missing' | 'unknown' | 'untestable';
  /** The call and its answer, in words. Also a key of the command's JSON output. */
  readonly answer: string;
};

export type KeyFindings = {
  /** The call and the answer that refuses the key altogether; every permission is then unknown. */
  readonly refused: string | undefined;
  readonly findings: readonly KeyFinding[];
};
