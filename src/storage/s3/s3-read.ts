import { Readable } from "node:stream";
import { GetObjectCommand, type GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { isSdkError, unreachable } from "./s3-errors.ts";
import { fullKeyOf, type S3Store, withinLimit } from "./s3-store.ts";
import type { ByteRange } from "../storage.ts";

/** Consecutive breaks without a byte between them. */
const MAX_BREAKS = 4;

/** Resumes after broken connections. Throws "not_found" and "unavailable" before the first byte. */
export async function readObject(store: S3Store, key: string, range: ByteRange | undefined): Promise<Readable> {
  const start = range?.start ?? 0;
  const first = await openAt(store, key, { start, end: range?.end });
  if (first === null) return Readable.from([]);
  const end = start + (first.ContentLength ?? 0) - 1;
  let body = bodyOf(first);

  async function* readOn(): AsyncGenerator<Buffer> {
    let at = start;
    let breaks = 0;
    while (at <= end) {
      try {
        for await (const piece of body as AsyncIterable<Buffer>) {
          at += piece.length;
          breaks = 0;
          yield piece;
        }
      } catch {
        // Also breaks if the reader was slow or has stopped.
      }
      if (at > end || stream.destroyed) return;
      breaks += 1;
      if (breaks > MAX_BREAKS) throw unreachable(store.location, { key, at });
      const next = await openAt(store, key, { start: at, end, etag: first?.ETag });
      if (next === null) throw unreachable(store.location, { key, at });
      body = bodyOf(next);
      // The reader may have stopped meanwhile.
      if (stream.destroyed) body.destroy();
    }
  }

  const pieces = readOn();
  // Readable.from waits for the next piece before it closes, and never closes if reading has not started.
  const stream = new Readable({
    read() {
      pieces.next().then(
        ({ done, value }) => this.push(done === true ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      body.destroy();
      done(error);
    },
  });
  return stream;
}

async function openAt(
  store: S3Store,
  key: string,
  { start, end, etag }: { start: number; end: number | undefined; etag?: string | undefined },
): Promise<GetObjectCommandOutput | null> {
  const command = new GetObjectCommand({
    Bucket: store.location.bucket,
    Key: fullKeyOf(store, key),
    ...((start > 0 || end !== undefined) && { Range: `bytes=${start}-${end ?? ""}` }),
    IfMatch: etag,
  });
  return await withinLimit(store, { key, limitMs: store.limits.callMs }, async (abortSignal) => {
    try {
      return await store.client.send(command, { abortSignal });
    } catch (error) {
      if (isSdkError(error) && error.name === "InvalidRange") return null;
      throw error;
    }
  });
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  if (!(Body instanceof Readable)) throw new Error("The response has no body.");
  // Ignores a break before the first read; readers still get the error.
  Body.on("error", () => {});
  return Body;
}
