import { type Context, Hono } from "hono";
import { ClipmillError } from "#contract/errors.ts";
import { requireStorable } from "#contract/storable-text.ts";
import { parseInput } from "#operations/parse-input.ts";
import { requireScope } from "#operations/tokens/find-token.ts";
import { actorContextFor } from "../actor-context.ts";
import { requireOperator } from "../auth/require-operator.ts";
import { respondWithProblem, handleError } from "../requests/error-response.ts";
import { runOnce } from "../requests/idempotent.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { type Call, type CallContext, type CallFunction, type Fields, PRESENT, type Scope } from "./define-call.ts";
import { FUNCTIONS } from "./functions.ts";

const DEFAULT_LIMIT_MB = 1;

/** SPEC section 7. */
export function functionRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError(handleError(server.log, respondWithProblem));
  // Each call checks its own scope.
  app.use(
    requireOperator(server, () => {}),
    async (c, next) => {
      requireStorable(c.req.query());
      await next();
    },
  );
  for (const one of FUNCTIONS) addFunction(app, server, one);
  app.all("*", (c) => {
    const known = FUNCTIONS.find(({ path }) => c.req.path === `/functions/v1/${path}`);
    requireScopes(c, known?.scope ?? "session", c.req.query());
    throw new ClipmillError("not_found", "There is no function with this name.");
  });
  return app;
}

function addFunction(app: Hono<ServerEnv>, server: ServerContext, one: CallFunction): void {
  const { path, calls, scope, query, get } = one;
  const posted = calls.filter(({ isGet }) => !isGet);
  if (posted.length > 0) {
    const limitMb = Math.max(...posted.map((call) => call.limitMb ?? DEFAULT_LIMIT_MB));
    const isSameScope = posted.every((call) => call.scope === undefined) && typeof scope !== "function";
    app.post(`/${path}`, limitBody(limitMb), async (c) => {
      // Before reading the body.
      if (isSameScope) requireScopes(c, scope, {});
      const body = one.ignoresBody ? {} : await readJson(c);
      const all = query ? { ...body, ...c.req.query() } : body;
      const call = posted.find((each) => fits(each, all));
      return await runCall(server, c, one, call, query === "all" && !call?.ignoresQuery ? all : body);
    });
  }
  const [first, ...others] = calls.filter((call) => (get ? call.isRead : call.isGet));
  if (first) {
    app.get(`/${path}`, async (c) => {
      const request = get?.(c.req.query()) ?? c.req.query();
      const call = [first, ...others].find((each) => fits(each, request));
      return await runCall(server, c, { ...one, scope: first.scope ?? scope }, call, request);
    });
  }
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
  { scope, unknown, calls }: CallFunction,
  call: Call | undefined,
  request: Fields,
): Promise<Response> {
  requireScopes(c, call?.scope ?? scope, request);
  if (!call) {
    const actions = calls.map(({ name, when = { action: name } }) => when["action"]);
    const known = new Set(actions.filter((action) => typeof action === "string"));
    const sentence = typeof unknown === "function" ? unknown([...known]) : unknown;
    throw new ClipmillError("invalid", sentence ?? "The request is not valid.");
  }
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
