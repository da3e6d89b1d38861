import { TOKEN_PREFIX } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { ServerAccess } from "../api/api-client.ts";
import { readSavedServers, savedServersFile, type UserFolders } from "./saved-servers.ts";

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
    `This is not an API token: tokens start with ${TOKEN_PREFIX}. Create one in Settings → API Tokens.`,
  );
}
