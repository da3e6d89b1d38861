import type { PublishedHeader } from "#contract/cloak/published-config.ts";

/** A row of published_versions. */
export type VersionContent = { version: number; digest: string; routes: number; content: string; createdAt: string };

/** Returns the document that the redirector receives: a header, then a line per route. */
export function writeDocument({ version, digest, routes, content, createdAt }: VersionContent): string {
  const header: PublishedHeader = {
    type: "clipmill.config",
    format: 1,
    version,
    publishedAt: createdAt,
    routes,
    digest,
  };
  return `${JSON.stringify(header)}\n${content}`;
}
