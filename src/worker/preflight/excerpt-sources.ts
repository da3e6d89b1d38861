import type { FileHandle } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { startOf, totalBytesOf } from "#contract/sources/ranges.ts";
import type { OpenedSource } from "#contract/sources/source-host.ts";
import { incomplete, receiveRange } from "#integrations/sources/receive-range.ts";
import { HEAD_BYTES, type ExcerptSource } from "#media/excerpt/take-excerpt.ts";
import type { Storage } from "#storage/storage.ts";

/** `opened` is the response for the first 512 KiB; a host without ranges sends the complete file. */
export function excerptOf(link: SourceLink, opened: OpenedSource, signal: AbortSignal): ExcerptSource {
  const { answer } = opened;
  const host = linkHostOf(link.host);
  const service = host.partOf?.(link) ?? host.label;
  const sizeBytes = opened.facts.sizeBytes ?? totalBytesOf(answer);
  return {
    sizeBytes,
    async writeHead(file) {
      const expected = Math.min(HEAD_BYTES, sizeBytes ?? 0);
      const receiving = { service, signal, position: 0, atMostBytes: HEAD_BYTES };
      const received = startOf(answer) === 0 ? await receiveRange(answer, file, receiving) : 0;
      if (received < expected) throw incomplete(service);
      return received;
    },
    async writeRange({ start, end }, file, position) {
      if (answer.status !== 206) return false;
      const range = await opened.reopen({ start, end: end - 1 });
      const isOther = range.headers.etag !== answer.headers.etag;
      if (isOther || range.status !== 206 || startOf(range) !== start) {
        range.body.destroy();
        if (isOther) throw changed(service);
        return false;
      }
      const atMostBytes = end - start;
      if ((await receiveRange(range, file, { service, signal, position, atMostBytes })) < atMostBytes) {
        throw incomplete(service);
      }
      return true;
    },
  };
}

/** Throws like `storage.read`. */
export function excerptOfStored(storage: Storage, key: string, sizeBytes: number): ExcerptSource {
  const write = async (start: number, end: number, file: FileHandle, position: number): Promise<number> => {
    let written = 0;
    for await (const chunk of (await storage.read(key, { start, end: end - 1 })) as AsyncIterable<Buffer>) {
      await file.write(chunk, 0, chunk.length, position + written);
      written += chunk.length;
    }
    return written;
  };
  return {
    sizeBytes,
    writeHead: (file) => write(0, Math.min(HEAD_BYTES, sizeBytes), file, 0),
    writeRange: async ({ start, end }, file, position) => (await write(start, end, file, position)) === end - start,
  };
}

function changed(service: string): ClipmillError {
  return new ClipmillError("incomplete", `This file changed on ${service} during the check. Check it again.`);
}
