import { Hono } from "hono";
import type { AuditResponse, EmbeddedPagesResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { requireStorable } from "#contract/storable-text.ts";
import { listAuditEntries, listAuditSchema } from "#operations/audit/list-audit-entries.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { parseInput } from "#operations/parse-input.ts";
import { readPages } from "#operations/settings/page-addresses.ts";
import { requireOperator } from "../auth/require-operator.ts";
import { answerProblem } from "../requests/error-response.ts";
import { handleError } from "../requests/handle-error.ts";
import { actorContextFor } from "../actor-context.ts";
import { idempotent } from "../requests/idempotent.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { addCaptionFunctions } from "./captions/caption-functions.ts";
import { addCloakFunctions } from "./cloak-functions.ts";
import { addDeliveriesFunction } from "./jobs/deliveries-function.ts";
import { addJobTableFunction } from "./jobs/job-table-function.ts";
import { addJobsFunction } from "./jobs/jobs-function.ts";
import { addLibraryFunction } from "./library-function.ts";
import { addPreflightFunction } from "./preflight-function.ts";
import { addPreviewFunction } from "./preview-function.ts";
import { addPrefetchFunction } from "./prefetch-function.ts";
import { jobIdSchema } from "./requests.ts";
import { addSessionsFunction } from "./accounts/sessions-function.ts";
import { addTokensFunction } from "./accounts/tokens-function.ts";
import { addSetsFunctions } from "./sets-functions.ts";
import { addConnectionsFunction } from "./settings/connections-function.ts";
import { addDestinationsFunction } from "./settings/destinations-function.ts";
import { addSettingsFunction } from "./settings/settings-function.ts";
import { addSystemFunction } from "./settings/system-function.ts";
import { addTestKeyFunction } from "./settings/test-key-function.ts";
import { addWatchFoldersFunction } from "./watch-folders-function.ts";
import { addWebhooksFunction } from "./settings/webhooks-function.ts";

/** SPEC section 7. */
export function functionRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError(handleError(server.log, answerProblem));
  app.use(requireOperator(server), async (c, next) => {
    requireStorable(c.req.query());
    await next();
  });
  addJobsFunction(app, server);
  addJobTableFunction(app, server);
  addSetsFunctions(app, server);
  addSettingsFunction(app, server);
  addTestKeyFunction(app, server);
  addConnectionsFunction(app, server);
  addWebhooksFunction(app, server);
  addDestinationsFunction(app, server);
  addDeliveriesFunction(app, server);
  addSessionsFunction(app, server);
  addTokensFunction(app, server);
  addLibraryFunction(app, server);
  addPreviewFunction(app, server);
  addPrefetchFunction(app, server);
  addPreflightFunction(app, server);
  addCloakFunctions(app, server);
  addCaptionFunctions(app, server);
  addSystemFunction(app, server);
  addWatchFoldersFunction(app, server);

  app.post("/vps-integration/cancel", limitBody(1), idempotent(server), async (c) => {
    const request = jobIdSchema.safeParse(await readJson(c));
    if (!request.success) return c.json({ success: false, error: request.error.issues[0]?.message });
    return c.json(await cancelJob(actorContextFor(server, c), request.data.jobId));
  });

  app.get("/audit", async (c) => {
    const data = await listAuditEntries(server, parseInput(listAuditSchema, c.req.query()));
    return c.json({ data } satisfies AuditResponse);
  });

  app.post("/embedded-pages", limitBody(1), async (c) => {
    const { method } = await readJson(c);
    if (method !== "GET")
      throw new ClipmillError(
        "invalid",
        "This function is read-only. Use the function settings to change embedded pages.",
      );
    return c.json({ data: await readPages(server.db, server) } satisfies EmbeddedPagesResponse);
  });

  app.all("*", () => {
    throw new ClipmillError("not_found", "There is no function with this name.");
  });
  return app;
}
