/** Which of Luno's permissions a bot needs, and which endanger money. */
import type { KeyFinding } from '../../../venue/key-findings.ts';
import { permissions } from '../api/permissions.ts';

export type PermissionName = keyof typeof permissions;

/** The permissions that a bot needs, with the reason; without any of them it does not start. */
const needed = {
  Perm_R_Balance: 'to know the available funds',
  Perm_R_Transactions: 'to prove every fill by the ledger',
  Perm_R_Orders: 'to read fees, orders and trades, and to look up lost answers',
  Perm_W_Orders: 'to place and cancel orders',
} as const satisfies Partial<Record<PermissionName, string>>;

/** Permissions that endanger the owner's money and that no bot needs. */
const dangerous = {
  Perm_W_Send: 'can send coins to any address',
  Perm_W_Withdrawals: 'can withdraw money to a bank account',
  Perm_W_Beneficiaries: 'can add a bank account to withdraw to',
  Perm_W_Addresses: 'can open accounts and receive addresses',
} as const satisfies Partial<Record<PermissionName, string>>;

export const startPermissions = [
  ...Object.keys(needed),
  ...Object.keys(dangerous),
] as readonly PermissionName[];

/** Every documented permission, beginning with those that a start looks at. */
export const allPermissions: readonly PermissionName[] = [
  ...startPermissions,
  ...(Object.keys(permissions) as PermissionName[]).filter(
    (name) => !startPermissions.includes(name),
  ),
];

export function useOf(name: PermissionName): KeyFinding['use'] {
  const needs: Partial<Record<PermissionName, string>> = needed;
  const risks: Partial<Record<PermissionName, string>> = dangerous;
  if (needs[name] !== undefined)
    return { kind: 'needed', why: needs[name], toTrade: name === 'Perm_W_Orders' };
  return risks[name] === undefined ? undefined : { kind: 'dangerous', why: risks[name] };
}
