/**
 * Keccak-256 as Ethereum uses it. Its padding differs from SHA3-256, so `node:crypto` cannot
 * compute it. Used for addresses only: simple rather than fast.
 */
const rateBytes = 136;
const laneMask = (1n << 64n) - 1n;

// The round constants of Keccak-f[1600], each a 64-bit lane.
const roundConstants: readonly bigint[] = [
  ...[0x0000000000000001n, 0x0000000000008082n, 0x800000000000808an, 0x8000000080008000n],
  ...[0x000000000000808bn, 0x0000000080000001n, 0x8000000080008081n, 0x8000000000008009n],
  ...[0x000000000000008an, 0x0000000000000088n, 0x0000000080008009n, 0x000000008000000an],
  ...[0x000000008000808bn, 0x800000000000008bn, 0x8000000000008089n, 0x8000000000008003n],
  ...[0x8000000000008002n, 0x8000000000000080n, 0x000000000000800an, 0x800000008000000an],
  ...[0x8000000080008081n, 0x8000000000008080n, 0x0000000080000001n, 0x8000000080008008n],
];

/** Returns the 32-byte digest. `padding` selects the variant: 1 is Keccak-256, 6 is SHA3-256. */
export function keccak256(bytes: Uint8Array, padding = 0x01): Uint8Array {
  const padded = new Uint8Array((Math.floor(bytes.length / rateBytes) + 1) * rateBytes);
  padded.set(bytes);
  padded[bytes.length] = padding;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const lanes = new BigUint64Array(25);
  const view = new DataView(padded.buffer);
  for (let start = 0; start < padded.length; start += rateBytes) {
    for (let i = 0; i < rateBytes / 8; i++)
      lanes[i] = laneOf(lanes, i) ^ view.getBigUint64(start + i * 8, true);
    permute(lanes);
  }
  const digest = new Uint8Array(32);
  const digestView = new DataView(digest.buffer);
  for (let i = 0; i < 4; i++) digestView.setBigUint64(i * 8, laneOf(lanes, i), true);
  return digest;
}

/** Lane (x, y) is at `x + 5 * y`. */
function permute(lanes: BigUint64Array): void {
  for (const constant of roundConstants) {
    theta(lanes);
    const moved = rhoAndPi(lanes);
    for (let i = 0; i < 25; i++) {
      const row = i - (i % 5);
      const [next, afterNext] = [row + ((i + 1) % 5), row + ((i + 2) % 5)];
      lanes[i] = laneOf(moved, i) ^ (~laneOf(moved, next) & laneMask & laneOf(moved, afterNext));
    }
    lanes[0] = laneOf(lanes, 0) ^ constant;
  }
}

function theta(lanes: BigUint64Array): void {
  const parity = [0, 1, 2, 3, 4].map((x) =>
    [0, 5, 10, 15, 20].reduce((all, row) => all ^ laneOf(lanes, row + x), 0n),
  );
  for (let i = 0; i < 25; i++) {
    const [left, right] = [parity[(i + 4) % 5] ?? 0n, parity[(i + 1) % 5] ?? 0n];
    lanes[i] = laneOf(lanes, i) ^ left ^ rotate(right, 1n);
  }
}

/** Rotates each lane by its offset while moving it to its new place. */
function rhoAndPi(lanes: BigUint64Array): BigUint64Array {
  const moved = new BigUint64Array(25);
  moved[0] = laneOf(lanes, 0);
  let [x, y] = [1, 0];
  for (let step = 0; step < 24; step++) {
    const offset = BigInt((((step + 1) * (step + 2)) / 2) % 64);
    const lane = laneOf(lanes, x + 5 * y);
    [x, y] = [y, (2 * x + 3 * y) % 5];
    moved[x + 5 * y] = rotate(lane, offset);
  }
  return moved;
}

function rotate(lane: bigint, bits: bigint): bigint {
  return ((lane << bits) | (lane >> (64n - bits))) & laneMask;
}

function laneOf(lanes: BigUint64Array, index: number): bigint {
  return lanes[index] ?? 0n;
}
