import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { Api } from "#client/calls.ts";
import { createToolbox } from "#client/mcp/tool-server.ts";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { REMEDIES } from "#contract/problems.ts";
import { readJsonValue } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

type Dispatch = (request: Request, env: ServerEnv["Bindings"]) => Promise<Response>;

/**
 * Serves the tools of AI assistants over streamable HTTP, without sessions. The tools call the API with the caller's
 * own token: `dispatch` runs a call in this process, with the same checks as any other request.
 */
export async function serveMcp(
  server: Pick<ServerContext, "publicUrl" | "log">,
  c: Context<ServerEnv>,
  dispatch: Dispatch,
): Promise<Response> {
  const { scopes } = c.get("operator");
  const mayWrite = scopes?.includes("jobs:write") ?? true;
  const { origin } = new URL(c.req.url);
  const api = createApi(server.publicUrl ?? origin, (path, init) => {
    const headers = { ...init.headers, Authorization: c.req.header("authorization")! };
    return dispatch(new Request(origin + path, { ...init, headers, signal: c.req.raw.signal }), c.env);
  });
  const handler = createMcpHandler(
    () =>
      createToolbox(api, {
        canCheck: mayWrite,
        canChange: mayWrite,
        onBug: (err) => server.log.error({ err }, "a tool of an assistant failed"),
      }).server,
    // A token's tools never change.
    { maxSubscriptions: 0 },
  );
  // The SDK would parse a body of any depth, and leave the rest of one that is too large on the connection.
  const parsedBody = c.req.method === "POST" ? await readJsonValue(c) : undefined;
  return await handler.fetch(c.req.raw, parsedBody === undefined ? {} : { parsedBody });
}

type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Response>;

function createApi(address: string, send: Send): Api {
  return {
    server: address,
    async call<Result>(path: string, options: Parameters<Api["call"]>[1] = {}) {
      const { body, headers = {}, method = body === undefined ? "GET" : "POST" } = options;
      const response = await send(path, {
        method,
        headers: { "Content-Type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const data: unknown = await response.json();
      if (!response.ok) throw explainProblem(data as ReturnedProblem);
      return data as Result;
    },
  };
}

/** Functions return `error`, tables `message`. */
type ReturnedProblem = { code?: string; error?: string; message?: string };

function explainProblem({ code = "", error, message }: ReturnedProblem): ClipmillError {
  const isKnown = Object.hasOwn(REMEDIES, code);
  return new ClipmillError(isKnown ? (code as ErrorCode) : "invalid", (error ?? message)!);
}
