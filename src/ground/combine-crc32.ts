/** The highest power is in the lowest bit. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
/** x to the power of 1, 2, 4, 8 and so on; then they repeat. */
const POWERS_OF_X = [0x40000000];
while (POWERS_OF_X.length < 32) POWERS_OF_X.push(multiply(POWERS_OF_X.at(-1)!, POWERS_OF_X.at(-1)!));

/** Returns the CRC-32 of two consecutive parts, like zlib's `crc32_combine`, which Node.js lacks. */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  // Each byte of the second part multiplies the first one's by x to the power of 8.
  let power = ONE;
  for (let [left, bit] = [secondBytes, 3]; left > 0; [left, bit] = [Math.floor(left / 2), bit + 1]) {
    if (left % 2 === 1) power = multiply(POWERS_OF_X[bit % 32]!, power);
  }
  return (multiply(power, first) ^ second) >>> 0;
}

/** Multiplies polynomials modulo CRC-32's. */
function multiply(a: number, b: number): number {
  let [product, shifted] = [0, b];
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= shifted;
    shifted = (shifted >>> 1) ^ (shifted & 1 ? POLYNOMIAL : 0);
  }
  return product >>> 0;
}
