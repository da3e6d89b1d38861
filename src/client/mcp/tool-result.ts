import type { McpServer } from "@modelcontextprotocol/server";
import { ClipmillError } from "#contract/errors.ts";
import { TOKEN_PREFIX } from "#contract/api-tokens.ts";
import { publicLink } from "#contract/manifest/public-link.ts";
import type { JobTableResponse } from "#contract/table/job-table.ts";
import type { Api } from "../calls.ts";

export type Toolbox = {
  server: McpServer;
  api: Api;
  /** Runs a tool. */
  asResult: (run: () => Promise<unknown>) => Promise<ToolResult>;
};

type ToolResult = { content: { type: "text"; text: string }[]; isError?: true };

/** Errors are results too: the assistant can react to them. `onBug` receives those that Clipmill does not expect. */
export async function asToolResult(run: () => Promise<unknown>, onBug: (error: unknown) => void): Promise<ToolResult> {
  try {
    return textOf(JSON.stringify(withoutSecrets(await run()), null, 1));
  } catch (error) {
    if (!(error instanceof ClipmillError)) onBug(error);
    const sentence = error instanceof ClipmillError ? error.message : "Something unexpected went wrong.";
    return { ...textOf(sentence), isError: true };
  }
}

/** Long results would fill the assistant's context. */
export const MOST_ROWS = 200;

export function describeCheck({ rows, problems, ...checked }: JobTableResponse) {
  return { ...checked, rows: rows.length, problems: problems.slice(0, MOST_ROWS), problem_count: problems.length };
}

/** Signed links open files without a session. */
const SIGNED = new Set([
  "download_url",
  "manifest_url",
  "media_url",
  "thumbnail_url",
  "cover_url",
  "subtitles_url",
  "mediaUrl",
  "thumbnailUrl",
]);
const LINK = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
const TOKEN = new RegExp(`${TOKEN_PREFIX}[\\w-]{8,}`, "g");

/** Removes signed links, tokens, and parts of links that grant access. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return value.replace(LINK, publicLink).replace(TOKEN, `${TOKEN_PREFIX}…`);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !SIGNED.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutSecrets(each)]));
}

function textOf(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}
