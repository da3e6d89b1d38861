import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { TOKEN_PREFIX } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { isMissing } from "#ground/error-code.ts";
import { replaceFile } from "#ground/sync-files.ts";
import type { ServerAccess } from "../api/api-client.ts";

const schema = z.object({
  default: z.string().nullable(),
  servers: z.record(z.string(), z.object({ token: z.string() })),
});

type SavedServers = z.output<typeof schema>;

type UserFolders = { XDG_CONFIG_HOME?: string | undefined; HOME?: string | undefined };

export function savedServersFile({ XDG_CONFIG_HOME, HOME }: UserFolders): string {
  // The XDG specification ignores relative paths.
  const isUsable = XDG_CONFIG_HOME !== undefined && path.isAbsolute(XDG_CONFIG_HOME);
  const config = isUsable ? XDG_CONFIG_HOME : path.join(HOME ?? os.homedir(), ".config");
  return path.join(config, "clipmill", "servers.json");
}

/** Empty without a file. Removes others' permissions. Throws ClipmillError "internal" if the file cannot be read. */
export async function readSavedServers(file: string): Promise<SavedServers> {
  try {
    const text = await readFile(file, "utf8");
    // Copied or restored by another program.
    if (process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    if (isMissing(cause)) return { default: null, servers: {} };
    throw new ClipmillError("internal", `${file} cannot be read. Delete it, then run \`clipmill login\` again.`, {
      cause,
    });
  }
}

/** Throws ClipmillError "internal" if the file cannot be written. */
export async function changeSavedServers(file: string, change: (saved: SavedServers) => SavedServers): Promise<void> {
  const saved = change(await readSavedServers(file));
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, `${JSON.stringify(saved, null, 2)}\n`);
  } catch (cause) {
    throw new ClipmillError("internal", `${file} cannot be written. The token was not saved.`, { cause });
  }
}

export type ServerEnvironment = UserFolders & {
  CLIPMILL_SERVER?: string | undefined;
  CLIPMILL_TOKEN?: string | undefined;
};

/**
 * Prefers the option, then the environment, then the last login. A saved token is sent only to its own server. Throws
 * ClipmillError "invalid" without a server.
 */
export async function chooseServer(environment: ServerEnvironment, option: string | undefined): Promise<ServerAccess> {
  const saved = await readSavedServers(savedServersFile(environment));
  const typed = option ?? (environment.CLIPMILL_SERVER || undefined);
  const server = typed === undefined ? saved.default : readServer(typed);
  if (server === null) {
    throw new ClipmillError(
      "unauthorized",
      "Which server? Run `clipmill login`, or specify its address with --server or CLIPMILL_SERVER.",
    );
  }
  const given = environment.CLIPMILL_TOKEN?.trim();
  return { server, token: given ? readToken(given) : (saved.servers[server]?.token ?? null) };
}

/** Removes a trailing slash. Throws ClipmillError "invalid". */
export function readServer(text: string): string {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || !["http:", "https:"].includes(url.protocol) || url.hostname === "") {
    throw new ClipmillError("invalid", "The address of a server looks like https://clipmill.example.com.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ClipmillError("invalid", "Specify the address of the server without a username or password.");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Throws ClipmillError "invalid" without repeating the text, which may be another secret. */
export function readToken(text: string): string {
  const token = text.trim();
  if (token.startsWith(TOKEN_PREFIX) && /^[\w-]+$/.test(token)) return token;
  throw new ClipmillError(
    "invalid",
    `This is not an API token: tokens start with ${TOKEN_PREFIX}. Create one in Settings → Automation → API Tokens.`,
  );
}
