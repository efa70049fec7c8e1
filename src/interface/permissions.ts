/**
 * Permissions of an API key: a key carries the bitwise OR of the values, and an operation names the
 * one that it needs. `MP_None` means authentication only; its value is not documented.
 */
export const permissions = {
  Perm_R_Balance: { value: 1, meaning: 'view balance' },
  Perm_R_Transactions: { value: 2, meaning: 'view transactions' },
  Perm_W_Send: { value: 4, meaning: 'send to any address' },
  Perm_R_Addresses: { value: 8, meaning: 'view addresses' },
  Perm_W_Addresses: { value: 16, meaning: 'create addresses' },
  Perm_R_Orders: { value: 32, meaning: 'view orders' },
  Perm_W_Orders: { value: 64, meaning: 'create orders' },
  Perm_R_Withdrawals: { value: 128, meaning: 'view withdrawals' },
  Perm_W_Withdrawals: { value: 256, meaning: 'create withdrawals' },
  Perm_R_Merchant: { value: 512, meaning: 'view merchant invoices' },
  Perm_W_Merchant: { value: 1024, meaning: 'create merchant invoices' },
  Perm_W_ClientDebit: { value: 8192, meaning: 'debit accounts' },
  Perm_W_ClientCredit: { value: 16384, meaning: 'credit accounts' },
  Perm_R_Beneficiaries: { value: 32768, meaning: 'view beneficiaries' },
  Perm_W_Beneficiaries: { value: 65536, meaning: 'create and delete beneficiaries' },
  Perm_R_Transfers: { value: 131072, meaning: 'view transfers' },
} as const;

export type Permission = keyof typeof permissions | 'MP_None';

/** What a trading bot needs, and nothing more: balance, transactions, view and create orders. */
export const botPermissions = 1 + 2 + 32 + 64;

/** Returns whether a key with `granted` may call an operation that needs `permission`. */
export function isPermitted(granted: number, permission: Permission): boolean {
  return permission === 'MP_None' || (granted & permissions[permission].value) !== 0;
}
