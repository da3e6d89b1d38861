import type { Hono } from "hono";
import type { CreateTokenResponse, ListTokensResponse } from "#contract/api-tokens.ts";
import { createToken } from "#operations/tokens/create-token.ts";
import { listTokens } from "#operations/tokens/list-tokens.ts";
import { revokeToken } from "#operations/tokens/revoke-token.ts";
import { actorContextFor } from "../../actor-context.ts";
import { clientAddress } from "../../requests/client-address.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

export function addTokensFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  const list = async (accountId: string): Promise<ListTokensResponse> => ({
    data: await listTokens(server, accountId),
  });

  app.get("/tokens", async (c) => c.json(await list(c.get("operator").account.id)));
  app.post("/tokens", limitBody(1), async (c) => {
    const body = await readJson(c);
    const { account, sessionId } = c.get("operator");
    const { id: accountId, email } = account;
    const context = actorContextFor(server, c);
    if (body.method === "GET") return c.json(await list(accountId));
    if ("revoke" in body) {
      await revokeToken(context, accountId, body);
      return c.json(await list(accountId));
    }
    const requester = { accountId, email, sessionId, address: clientAddress(c) };
    return c.json((await createToken(context, requester, body)) satisfies CreateTokenResponse);
  });
}
