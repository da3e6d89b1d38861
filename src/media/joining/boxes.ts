/** Builds a box of ISO/IEC 14496-12. */
export function box(name: string, ...contents: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + contents.reduce((bytes, { length }) => bytes + length, 0), 0);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, ...contents]);
}

export function numbers(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (let i = 0; i < values.length; i++) bytes.writeInt32BE(values[i]! | 0, i * 4);
  return bytes;
}

export function largeNumbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, i) => bytes.writeBigUInt64BE(BigInt(value), i * 8));
  return bytes;
}

/** `changes` is keyed by byte offset. */
export function withNumbers(content: Buffer, changes: Readonly<Record<number, number>>): Buffer {
  const changed = Buffer.from(content);
  for (const [at, value] of Object.entries(changes)) changed.writeUInt32BE(value, Number(at));
  return changed;
}
