import type { PublishedHeader } from "#contract/cloak/published-config.ts";

export type VersionContent = { version: number; digest: string; routes: number; content: string; createdAt: string };

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
