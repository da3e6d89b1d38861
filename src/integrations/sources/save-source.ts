import { type FileHandle, open, rm } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { startOf } from "#contract/sources/ranges.ts";
import type {
  OpenedSource,
  SourceAccess,
  SourceResponse,
  SourceFacts,
  SourceHost,
} from "#contract/sources/source-host.ts";
import { explainFullDisk } from "#ground/disk-space.ts";
import { hasCode } from "#ground/error-code.ts";
import { explainNetworkError } from "../guarded-fetch.ts";
import { createSourceGet } from "./source-http.ts";

const MAX_RESUMES = 3;

type SaveOptions = {
  service: string;
  signal: AbortSignal;
  /** Removed on failure. */
  toPath: string;
  maxBytes: number;
  onProgress?(receivedBytes: number, totalBytes: number | null): void;
};

class CutShort extends Error {}

/** Resumes interrupted downloads. Throws too_large, incomplete, network, no_space and cancelled. */
async function saveSource(opened: OpenedSource, options: SaveOptions): Promise<number> {
  try {
    await using handle = await open(options.toPath, "w");
    return await receive(opened, handle, options);
  } catch (error) {
    opened.response.body.destroy();
    await rm(options.toPath, { force: true });
    throw explainFullDisk(error);
  }
}

async function receive(opened: OpenedSource, handle: FileHandle, options: SaveOptions): Promise<number> {
  const totalBytes = opened.facts.sizeBytes;
  if (totalBytes !== null && totalBytes > options.maxBytes) throw tooLarge(options.maxBytes);
  let { response } = opened;
  let received = 0;
  for (let resumes = 0; ; resumes += 1) {
    let wasCut = false;
    try {
      for await (const chunk of chunksOf(response, options)) {
        if (received + chunk.length > options.maxBytes) throw tooLarge(options.maxBytes);
        await handle.write(chunk, 0, chunk.length, received);
        received += chunk.length;
        options.onProgress?.(received, totalBytes);
      }
    } catch (error) {
      if (!(error instanceof CutShort)) throw error;
      wasCut = true;
    }
    if (!wasCut && (totalBytes === null || received === totalBytes)) return received;
    if (resumes === MAX_RESUMES) throw incomplete(options, { received, totalBytes });
    response = await opened.reopen({ start: received, end: null });
    received = startOfResumed(response, opened.response, received, options);
    await handle.truncate(received);
  }
}

/** Returns `asked`, or 0 if the server ignored the range. */
function startOfResumed(response: SourceResponse, first: SourceResponse, asked: number, options: SaveOptions): number {
  const isOther = response.headers.etag !== first.headers.etag;
  const start = startOf(response);
  if (!isOther && (start === asked || start === 0)) return start;
  response.body.destroy();
  throw isOther ? changed(options, { asked }) : incomplete(options, { asked, start });
}

/** Throws CutShort if the connection breaks, ClipmillError if it stalls or on abort. */
async function* chunksOf(response: SourceResponse, options: SaveOptions): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body;
  } catch (error) {
    const isSilent = hasCode(error, "UND_ERR_BODY_TIMEOUT");
    if (options.signal.aborted || isSilent) throw explainNetworkError(error, options);
    throw new CutShort();
  }
}

export function tooLarge(maxBytes: number): ClipmillError {
  const megabytes = (maxBytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 });
  const sentence = `This file is larger than ${megabytes} MB, the maximum that Clipmill accepts.`;
  return new ClipmillError("too_large", sentence, { facts: { maxBytes } });
}

function incomplete({ service }: SaveOptions, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("incomplete", `${service} sent only part of this file. Retry later.`, { facts });
}

function changed({ service }: SaveOptions, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("incomplete", `This file changed on ${service} during the download. Retry.`, { facts });
}

const MAX_DOWNLOAD_HOURS = 6;

export type FetchOptions = Omit<SaveOptions, "service"> & {
  access: Omit<SourceAccess, "get">;
  /** The result of `describe`. */
  facts: SourceFacts | null;
  stallSeconds?: number;
};

/** Resumes interrupted downloads. Throws what the host's `open` and `saveSource` throw. */
export async function fetchSourceFile(
  host: SourceHost,
  link: SourceLink,
  { access, facts, stallSeconds, ...options }: FetchOptions,
): Promise<SourceFacts & { sizeBytes: number }> {
  const limit = AbortSignal.timeout(MAX_DOWNLOAD_HOURS * 3_600_000);
  const signal = AbortSignal.any([options.signal, limit]);
  const get = createSourceGet({ signal, ...(stallSeconds !== undefined && { stallSeconds }) });
  if (facts?.sizeBytes && facts.sizeBytes > options.maxBytes) throw tooLarge(options.maxBytes);
  const opened = await host.open(link, { ...access, get }, { facts });
  const { label } = linkHostOf(link.host);
  return { ...opened.facts, sizeBytes: await saveSource(opened, { ...options, signal, service: label }) };
}
