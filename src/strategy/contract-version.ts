/**
 * The version of the contract between strategies and Millrace, which each plugin carries. The mark
 * is the same in every installed copy of Millrace, since another copy may have defined a plugin.
 */

/** It grows only when plugins that work would stop working. */
export const contractVersion = 1;

const mark = Symbol.for('millrace.strategy');

/** Returns `plugin`, marked as defined for this version. */
export function withContractVersion<Plugin extends object>(plugin: Plugin): Plugin {
  return Object.defineProperty(plugin, mark, { value: contractVersion });
}

/** Returns the version that `value` was defined for; undefined if it is no plugin. */
export function contractVersionOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, mark) : undefined;
}

/** Returns why a plugin of another version is refused; undefined if it has none, or ours. */
export function otherContract(value: unknown): string | undefined {
  const version = contractVersionOf(value);
  if (version === undefined || version === contractVersion) return undefined;
  return (
    `it was defined for version ${version} of the strategy contract, and this Millrace has ` +
    `version ${contractVersion}: let both use the same version of the package millrace`
  );
}
