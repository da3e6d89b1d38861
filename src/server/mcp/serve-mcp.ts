import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { Api } from "#client/calls.ts";
import { createToolbox } from "#client/mcp/tool-server.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Problem } from "#contract/problems.ts";
import { TABLE_LIMITS } from "#contract/table/table.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** A table of the largest size, escaped as JSON in UTF-8. */
const MAX_BODY_BYTES = 4 * TABLE_LIMITS.characters;

type Dispatch = (request: Request, env: ServerEnv["Bindings"]) => Promise<Response>;

/**
 * Serves the tools of AI assistants over streamable HTTP, without sessions. A tool is a call of the API with the
 * caller's own token: `dispatch` runs it in this process, with the same checks as any other request.
 */
export function serveMcp(
  server: Pick<ServerContext, "publicUrl" | "log">,
  dispatch: Dispatch,
): (c: Context<ServerEnv>) => Promise<Response> {
  const onBug = (err: unknown): void => server.log.error({ err }, "a tool of an assistant failed");
  return async (c) => {
    const { scopes } = c.get("operator");
    const origin = new URL(c.req.url).origin;
    const api = createApi(server.publicUrl ?? origin, (path, init) => {
      const headers = { ...init.headers, Authorization: c.req.header("authorization")! };
      return dispatch(new Request(origin + path, { ...init, headers }), c.env);
    });
    const canChange = scopes?.includes("jobs:write") ?? true;
    const handler = createMcpHandler(() => createToolbox(api, { canChange, onBug }).server, {
      maxRequestBodySize: MAX_BODY_BYTES,
      // The tools of a token never change.
      maxSubscriptions: 1,
      onerror: (err) => server.log.debug({ err }, "a request of an assistant was rejected"),
    });
    return await handler.fetch(c.req.raw);
  };
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
      const data = (await response.json().catch(() => null)) as unknown;
      if (!response.ok) throw explainProblem(data as Problem | null);
      return data as Result;
    },
  };
}

function explainProblem(problem: Partial<Problem & { message: string }> | null): ClipmillError {
  // Functions return `error`, tables `message`.
  const sentence = problem?.error ?? problem?.message;
  if (sentence === undefined) throw new Error("The API returned no sentence.");
  return new ClipmillError("invalid", sentence);
}
