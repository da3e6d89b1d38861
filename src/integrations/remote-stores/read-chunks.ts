/** Yields chunks of exactly `size` bytes; the last may be shorter. */
export async function* readChunks(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of stream) {
    for (let start = 0; start < bytes.length;) {
      const part = bytes.subarray(start, start + size - length);
      parts.push(part);
      start += part.length;
      length += part.length;
      if (length < size) continue;
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(parts);
}
