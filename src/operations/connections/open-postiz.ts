import { openPostizAccount, type PostizAccount } from "#integrations/destinations/postiz/postiz-account.ts";
import type { Context } from "../context.ts";
import { isTrustedEndpoint } from "./kinds/require-allowed-endpoint.ts";
import { openConnection, type OpenedConnection } from "./open-connection.ts";

type OpenedPostiz = { account: PostizAccount; name: string; postsPerHour: number };

/** Opens the account until `signal` aborts. Throws like openConnection. */
export async function openPostiz(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  connectionId: string,
  signal: AbortSignal,
): Promise<OpenedPostiz> {
  return openPostizOf(context, await openConnection(context, connectionId, ["postiz"]), signal);
}

export function openPostizOf(
  context: Pick<Context, "hosts">,
  { name, settings, secret }: OpenedConnection<"postiz">,
  signal: AbortSignal,
): OpenedPostiz {
  const isTrusted = isTrustedEndpoint(context, settings.endpoint);
  const account = openPostizAccount({ connection: name, settings, secret, isTrusted }, signal);
  return { account, name, postsPerHour: settings.posts_per_hour };
}
