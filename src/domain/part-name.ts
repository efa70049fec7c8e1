/**
 * The names of a strategy's parts. An order of a part is stored under the part's name, with a slash
 * between them: level `b1` of part `exit` is `exit/b1`, and of its nested part `near` it is
 * `exit/near/b1`. A strategy writes no slash itself, so the last one always ends the part's name.
 */

/** Returns the part that a stored key or level belongs to; empty for the strategy itself. */
export function partOf(stored: string): string {
  const end = stored.lastIndexOf('/');
  return end === -1 ? '' : stored.slice(0, end);
}

/** Returns the name under which `name` of `part` is stored; the part is empty for none. */
export function storedName(part: string, name: string): string {
  return part === '' ? name : `${part}/${name}`;
}

/** Returns whether a stored name belongs to `part` or to a part in it. */
export function isUnderPart(stored: string, part: string): boolean {
  return stored.length > part.length && stored[part.length] === '/' && stored.startsWith(part);
}
