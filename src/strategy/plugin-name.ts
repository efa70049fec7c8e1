/** The form of a plugin's name, which is also that of its folder if it is a shipped one. */

const namePattern = /^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/u;

/**
 * Returns whether `name` is a valid name of a plugin: at most 32 lower-case letters, digits and
 * dashes, starting with a letter and not ending with a dash.
 */
export function isPluginName(name: string): boolean {
  return namePattern.test(name);
}
