/** What real clients send although the documents do not describe it, and what becomes of it. */
export type Leniency = {
  readonly form: string;
  readonly reason: string;
  readonly strictly: string;
};

const invalid = 'refused like any wrong value';

export const leniencies: readonly Leniency[] = [
  {
    form: 'Empty text, or 0 for a number, in an optional parameter, also `limit=0` and `ttl=0`: as if it were left out',
    reason: 'luno-go sends every optional parameter of a call, those without a value as empty or 0',
    strictly: `${invalid}: \`limit\` is 1 to 1000, \`ttl\` 1 to 10000`,
  },
  {
    form: 'sendNetworks without `currency`: all networks',
    reason: 'ccxt calls it so before anything else',
    strictly: 'refused: `currency` is required',
  },
  {
    form: 'Lists as `pair[0]=…` or `pair[]=…`',
    reason: 'luno-php',
    strictly: 'such a name is ignored, as any unknown one',
  },
  {
    form: '`True`, `1` and the like for true; integers with leading zeros; times before 1970 or after 2099',
    reason: 'luno-python and luno-php; timestamps are 64-bit integers in the documents',
    strictly: invalid,
  },
  {
    form: 'Addresses that the list of versions calls deprecated',
    reason: 'old clients; the simulator names each once in its output',
    strictly: '404',
  },
  {
    form: '`{}` as the first frame of the market stream',
    reason: 'seen to be accepted',
    strictly: 'invalid_credentials',
  },
];
