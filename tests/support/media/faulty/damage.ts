/** Seeded numbers in [0, 1) from the linear congruential generator of Numerical Recipes. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Flips bits between the positions `from` and `to`, given as shares (0-1) of the file. */
export function flipBits(
  bytes: Uint8Array,
  options: { seed: number; flips: number; from?: number; to?: number },
): Uint8Array {
  const { seed, flips, from = 0, to = 1 } = options;
  const random = createRandom(seed);
  const damaged = Uint8Array.from(bytes);
  for (let i = 0; i < flips; i++) {
    const at = Math.floor((from + random() * (to - from)) * damaged.length);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return damaged;
}

/** Equal seeds yield equal bytes. */
export function noise(length: number, seed: number): Uint8Array {
  const random = createRandom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}
