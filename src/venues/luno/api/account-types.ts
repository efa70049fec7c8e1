/** Account types: those that can be created, and all that can filter balances. */
export const creatableAccountTypes = ['TRANSACTIONAL', 'SPOT'] as const;

export const accountTypes = [
  ...creatableAccountTypes,
  'SPOT_MARGIN',
  'SAVINGS',
  'BUNDLE',
  'STAKING',
  'EARN',
  'PREDICTION',
  'EXTERNAL_TOKENISING',
] as const;
export type AccountType = (typeof accountTypes)[number];
