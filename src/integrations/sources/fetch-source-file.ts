import { linkHostOf } from "#contract/sources/link-hosts.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import type { SourceAccess, SourceFacts, SourceHost } from "#contract/sources/source-host.ts";
import { saveSource, tooLarge, type SaveOptions } from "./save-source.ts";
import { createSourceGet } from "./source-http.ts";

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
