/** Builds a fault into the code under test for as long as a scenario runs. */

/** Runs `run`, with `target[member]` replaced while it runs if `isOn`. */
export async function withPlant<T extends object, R>(
  isOn: boolean,
  target: T,
  planted: Partial<T>,
  run: () => R | Promise<R>,
): Promise<R> {
  if (!isOn) return run();
  const before = Object.getOwnPropertyDescriptors(target);
  Object.assign(target, planted);
  try {
    return await run();
  } finally {
    for (const member of Object.keys(planted)) {
      const descriptor = before[member as keyof typeof before];
      if (descriptor !== undefined) Object.defineProperty(target, member, descriptor);
    }
  }
}
