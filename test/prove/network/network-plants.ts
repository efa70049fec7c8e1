/** placeholder */
export function installNetworkPlant(name: string): void {
  throw new RangeError(`no plant ${name}`);
}
