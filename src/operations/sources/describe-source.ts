import { linkKey } from "#contract/sources/links.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import type { SourceAccess, SourceFacts, SourceHost } from "#contract/sources/source-host.ts";

/** Long enough for a check, a prefetch and a job to ask the host once; short enough to notice another version. */
const KEPT_MS = 60_000;
const MAX_FILES = 5_000;

export type FactsMemory = Map<string, { facts: SourceFacts; untilMs: number }>;

/** Returns metadata at most a minute old. Throws like the host's `describe`. */
export async function describeSource(
  memory: FactsMemory,
  host: SourceHost,
  link: SourceLink,
  access: SourceAccess,
): Promise<SourceFacts | null> {
  // Another key may see other files.
  const key = `${linkKey(link)} ${link.accessKey} ${access.googleDriveKey}`;
  const known = memory.get(key);
  if (known && performance.now() < known.untilMs) return known.facts;
  const facts = await host.describe(link, access);
  memory.delete(key);
  if (facts) memory.set(key, { facts, untilMs: performance.now() + KEPT_MS });
  for (const oldest of memory.keys()) {
    if (memory.size <= MAX_FILES) break;
    memory.delete(oldest);
  }
  return facts;
}
