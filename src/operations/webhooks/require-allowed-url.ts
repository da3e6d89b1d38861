import { ClipmillError } from "#contract/errors.ts";
import { authorityOf } from "#contract/authority-of.ts";
import { isPrivateLiteral } from "#ground/public-address.ts";
import type { Context } from "../context.ts";

/**
 * Throws ClipmillError "invalid" for plain http or a private IP address, unless the environment allows it. Names are
 * resolved at each request.
 */
export function requireAllowedUrl({ privateWebhooks }: Pick<Context, "privateWebhooks">, address: string): void {
  const authority = authorityOf(address);
  if (privateWebhooks.includes(authority)) return;
  const { protocol, hostname } = new URL(address);
  const remedy = `To allow it, add ${authority} to ALLOW_PRIVATE_WEBHOOKS on the server.`;
  if (protocol !== "https:") throw new ClipmillError("invalid", `The address must start with https://. ${remedy}`);
  if (isPrivateLiteral(hostname)) {
    throw new ClipmillError("invalid", `The address is on a private network. ${remedy}`);
  }
}
