import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { lendBuffer } from "./lend-buffer.ts";

export type Checked = { sizeBytes: number; crc32: number };
/** `sha256` is in hex. */
export type Measured = Checked & { sha256: string };

export function sha256Of(content: string | Uint8Array, encoding: "hex" | "base64url" = "hex"): string {
  return createHash("sha256").update(content).digest(encoding);
}

/** Throws the system's error. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await readPieces(file, (piece) => hash.update(piece));
  return hash.digest("hex");
}

/** Measures content as it passes, to read it only once. */
export type Meter<Result> = {
  add(piece: Uint8Array): void;
  /** Call it once, at the end. */
  read(): Result;
};

/** Takes a quarter of the time of `createMeter`. */
export function createChecker(): Meter<Checked> {
  const checked = { sizeBytes: 0, crc32: 0 };
  return {
    add(piece) {
      checked.sizeBytes += piece.length;
      checked.crc32 = crc32(piece, checked.crc32);
    },
    read: () => checked,
  };
}

export function createMeter(): Meter<Measured> {
  const checker = createChecker();
  const hash = createHash("sha256");
  return {
    add(piece) {
      checker.add(piece);
      hash.update(piece);
    },
    read: () => ({ ...checker.read(), sha256: hash.digest("hex") }),
  };
}

export async function* metering(
  source: AsyncIterable<Uint8Array>,
  meter: Pick<Meter<unknown>, "add">,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    meter.add(piece);
    yield piece;
  }
}

/** Throws the source's error. */
export async function measure(source: AsyncIterable<Uint8Array>): Promise<Measured> {
  const meter = createMeter();
  for await (const piece of source) meter.add(piece);
  return meter.read();
}

/** Omits the SHA-256. */
export async function check(source: AsyncIterable<Uint8Array>): Promise<Checked> {
  const checker = createChecker();
  for await (const piece of source) checker.add(piece);
  return checker.read();
}

/** Throws the system's error. */
export async function checkFile(file: string): Promise<Checked> {
  const checker = createChecker();
  await readPieces(file, (piece) => checker.add(piece));
  return checker.read();
}

/** Pieces are valid until `use` returns. */
async function readPieces(file: string, use: (piece: Uint8Array) => void): Promise<void> {
  await using handle = await open(file);
  using lent = lendBuffer();
  for (;;) {
    const { bytesRead } = await handle.read(lent.buffer, 0, lent.buffer.length);
    if (bytesRead === 0) return;
    use(lent.buffer.subarray(0, bytesRead));
  }
}

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
