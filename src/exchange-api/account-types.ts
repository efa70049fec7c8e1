/** The types of accounts: which may be created, and which a balance may be filtered by. */
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
