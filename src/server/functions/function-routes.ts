import { type Context, Hono } from "hono";
import { ClipmillError } from "#contract/errors.ts";
import { requireStorable } from "#contract/storable-text.ts";
import { parseInput } from "#operations/parse-input.ts";
import { requireScope } from "#operations/tokens/require-scope.ts";
import { actorContextFor } from "../actor-context.ts";
import { requireOperator } from "../auth/require-operator.ts";
import { answerProblem } from "../requests/error-response.ts";
import { handleError } from "../requests/handle-error.ts";
import { runOnce } from "../requests/idempotent.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { type Call, type CallContext, type CallFunction, type Fields, PRESENT, type Scope } from "./define-call.ts";
import { FUNCTIONS } from "./functions.ts";

const DEFAULT_LIMIT_MB = 1;

/** SPEC section 7. */
export function functionRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError(handleError(server.log, answerProblem));
  // Each call checks its own scope.
  app.use(
    requireOperator(server, () => {}),
    async (c, next) => {
      requireStorable(c.req.query());
      await next();
    },
  );
  for (const one of FUNCTIONS) {
    const path = `/${one.path}`;
    const posted = one.calls.filter(({ isGet }) => !isGet);
    const queried = one.get ? one.calls.filter(({ isRead }) => isRead) : one.calls.filter(({ isGet }) => isGet);
    const isSameScope = one.calls.every(({ scope }) => scope === undefined) && typeof one.scope !== "function";
    if (posted.length > 0) {
      const limitMb = Math.max(...posted.map((call) => call.limitMb ?? DEFAULT_LIMIT_MB));
      app.post(path, limitBody(limitMb), async (c) => {
        if (isSameScope) requireScopes(c, one.scope, {});
        const body = one.ignoresBody ? {} : await readJson(c);
        const all = one.query ? { ...body, ...c.req.query() } : body;
        const call = posted.find((each) => fits(each, all));
        return await runCall(server, c, one, call, one.query === "all" && !call?.ignoresQuery ? all : body);
      });
    }
    if (queried.length > 0) {
      app.get(path, async (c) => {
        const request = one.get?.(c.req.query()) ?? c.req.query();
        const call = queried.find((each) => fits(each, request));
        return await runCall(server, c, { ...one, scope: queried[0]!.scope ?? one.scope }, call, request);
      });
    }
  }
  app.all("*", (c) => {
    const known = FUNCTIONS.find(({ path }) => c.req.path === `/functions/v1/${path}`);
    requireScopes(c, known?.scope ?? "session", c.req.query());
    throw new ClipmillError("not_found", "There is no function with this name.");
  });
  return app;
}

function fits({ name, when = { action: name } }: Call, request: Fields): boolean {
  return Object.entries(when).every(([field, wanted]) => {
    const value = request[field];
    return wanted === PRESENT ? field in request : Array.isArray(wanted) ? wanted.includes(value) : value === wanted;
  });
}

async function runCall(
  server: ServerContext,
  c: Context<ServerEnv>,
  { scope, unknown }: CallFunction,
  call: Call | undefined,
  request: Fields,
): Promise<Response> {
  requireScopes(c, call?.scope ?? scope, request);
  if (!call) throw new ClipmillError("invalid", unknown ?? "The request is not valid.");
  const run = async (): Promise<Response> => {
    const context: CallContext = {
      ...actorContextFor(server, c),
      c,
      operator: c.get("operator"),
      get signal() {
        return c.req.raw.signal;
      },
    };
    const result = await (call.run
      ? call.run(context, parseInput(call.takes, request) as never)
      : call.runUnchecked!(context, request));
    return result instanceof Response ? result : c.json(result as object);
  };
  return call.isRepeatable === true ? await runOnce(server, c, await readJson(c), run) : await run();
}

/** Throws ClipmillError "forbidden" for an API token without the scopes. */
function requireScopes(c: Context<ServerEnv>, scope: Scope, request: Fields): void {
  const { scopes } = c.get("operator");
  if (!scopes) return;
  if (scope === "session") throw new ClipmillError("forbidden", "API tokens cannot do this. Sign in instead.");
  for (const one of [typeof scope === "function" ? scope(request) : scope].flat()) requireScope({ scopes }, one);
}
