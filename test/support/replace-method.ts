/** How a fault is built into a method of the code under test, and taken out again. */

/** Replaces `owner[name]` by what `replacement` makes of it; the returned function undoes it. */
export function replaceMethod<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  replacement: (real: Owner[Name]) => Owner[Name],
): () => void {
  const real = owner[name];
  owner[name] = replacement(real);
  return () => {
    owner[name] = real;
  };
}
