/**
 * Permissions of an API key. A key has the bitwise OR of its permission values; an operation names
 * the permission that it needs.
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
  Perm_R_Merchant: { value: 512, meaning: 'view merchant invoices (earlier revision)' },
  Perm_W_Merchant: { value: 1024, meaning: 'create merchant invoices (earlier revision)' },
  Perm_W_ClientDebit: { value: 8192, meaning: 'debit accounts' },
  Perm_W_ClientCredit: { value: 16384, meaning: 'credit accounts' },
  Perm_R_Beneficiaries: { value: 32768, meaning: 'view beneficiaries' },
  Perm_W_Beneficiaries: { value: 65536, meaning: 'create and delete beneficiaries' },
  Perm_R_Transfers: { value: 131072, meaning: 'view transfers' },
} as const;

/**
 * Permissions with undocumented values. `MP_None` needs only authentication; so do the others,
 * unless the settings give them a value.
 */
export const undocumentedPermissions = {
  MP_None: 'any valid key',
  MP_None_Write: 'any valid key, to change something',
  MP_Transfers: 'move money between own accounts',
} as const;

/** `none` is our name for market data, which needs no key. */
export type Permission = keyof typeof permissions | keyof typeof undocumentedPermissions | 'none';

/** Values for the undocumented permissions; without one, or with 0, any valid key has them. */
export type PermissionValues = Readonly<
  Partial<Record<Exclude<keyof typeof undocumentedPermissions, 'MP_None'>, number>>
>;

const documentedNames = Object.keys(permissions) as (keyof typeof permissions)[];

/** Returns the bitwise OR of the named permissions. */
export function permissionBits(names: readonly (keyof typeof permissions)[]): number {
  return names.reduce((bits, name) => bits | permissions[name].value, 0);
}

/** The permissions that a trading bot needs. */
export const botPermissions = permissionBits([
  'Perm_R_Balance',
  'Perm_R_Transactions',
  'Perm_R_Orders',
  'Perm_W_Orders',
]);

/**
 * The permission sets offered when a key is created, and two of our own: `bot` and `all`.
 *
 * By the documents, even a read-only key can send to any address.
 */
export const keyTemplates = {
  'read-only': permissionBits([
    'Perm_R_Balance',
    'Perm_R_Transactions',
    'Perm_R_Orders',
    'Perm_R_Withdrawals',
    'Perm_R_Beneficiaries',
    'Perm_R_Transfers',
    'Perm_W_Send',
  ]),
  trading: permissionBits([
    'Perm_R_Balance',
    'Perm_R_Transactions',
    'Perm_R_Orders',
    'Perm_R_Withdrawals',
    'Perm_R_Beneficiaries',
    'Perm_W_Send',
    'Perm_W_Orders',
  ]),
  bot: botPermissions,
  all: permissionBits(documentedNames),
} as const;
export type KeyTemplate = keyof typeof keyTemplates;

/** Returns whether a key with `granted` may call an operation that needs `permission`. */
export function isPermitted(
  granted: number,
  permission: Permission,
  values: PermissionValues = {},
): boolean {
  if (permission === 'none' || permission === 'MP_None') return true;
  if (permission === 'MP_None_Write' || permission === 'MP_Transfers') {
    const value = values[permission] ?? 0;
    return value === 0 || (granted & value) !== 0;
  }
  return (granted & permissions[permission].value) !== 0;
}
