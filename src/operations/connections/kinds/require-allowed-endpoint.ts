import { ClipmillError } from "#contract/errors.ts";
import { authorityOf } from "#contract/authority-of.ts";
import { isPrivateLiteral } from "#ground/public-address.ts";
import type { Context } from "../../context.ts";

/**
 * Throws ClipmillError "invalid" for plain http or a private IP address, unless the environment allows it. Names are
 * resolved at each request.
 */
export function requireAllowedEndpoint({ hosts }: Pick<Context, "hosts">, endpoint: string | null): void {
  if (endpoint === null) return;
  const authority = authorityOf(endpoint);
  if (hosts.privateSources.includes(authority)) return;
  const { protocol, hostname } = new URL(endpoint);
  const remedy = `To allow it, add ${authority} to ALLOW_PRIVATE_SOURCES on the server.`;
  if (protocol !== "https:") throw new ClipmillError("invalid", `The endpoint must start with https://. ${remedy}`);
  if (isPrivateLiteral(hostname)) {
    throw new ClipmillError("invalid", `The endpoint is on a private network. ${remedy}`);
  }
}

export function isTrustedEndpoint({ hosts }: Pick<Context, "hosts">, endpoint: string | null): boolean {
  return endpoint !== null && hosts.privateSources.includes(authorityOf(endpoint));
}
