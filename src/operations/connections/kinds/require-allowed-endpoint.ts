import { ClipmillError } from "#contract/errors.ts";
import { isPublicAddress } from "#ground/public-address.ts";
import type { Context } from "../../context.ts";

/** Returns an endpoint's `host:port`, with the scheme's port if it names none. */
export function authorityOf(endpoint: string): string {
  const { hostname, port, protocol } = new URL(endpoint);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/**
 * Throws ClipmillError "invalid" for an endpoint that could never be reached: plain http or a private IP address that
 * the environment does not allow. Names are looked up only when a request is sent.
 */
export function requireAllowedEndpoint({ hosts }: Pick<Context, "hosts">, endpoint: string | null): void {
  if (endpoint === null) return;
  const authority = authorityOf(endpoint);
  if (hosts.privateSources.includes(authority)) return;
  const { protocol, hostname } = new URL(endpoint);
  const remedy = `To allow it, add ${authority} to ALLOW_PRIVATE_SOURCES on the server.`;
  if (protocol !== "https:") throw new ClipmillError("invalid", `The endpoint must start with https://. ${remedy}`);
  if (isAddress(hostname) && !isPublicAddress(hostname.replaceAll(/[[\]]/g, ""))) {
    throw new ClipmillError("invalid", `The endpoint is on a private network. ${remedy}`);
  }
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
}
