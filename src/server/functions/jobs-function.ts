import type { Hono } from "hono";
import { z } from "zod";
import type { CreateJobResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { createJob } from "#operations/jobs/create-job.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/list-jobs.ts";
import { readDashboard } from "#operations/jobs/read-dashboard.ts";
import { limitBody, parseInput, readJson } from "../read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** 10,000 captions of 2,000 characters, three bytes each in many scripts. */
const LARGEST_CREATE_MB = 64;

const dashboardSchema = z.object({ since: z.iso.datetime({ offset: true }).optional() });

/** The function jobs: list, dashboard, and create when no action is named. */
export function addJobsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/jobs", limitBody(LARGEST_CREATE_MB), async (c) => {
    const body = await readJson(c);
    const request = { ...body, ...c.req.query() };
    switch (request.action) {
      case undefined:
      case "create": {
        const { action: _action, ...job } = body;
        return c.json({ data: await createJob(server, job, c.get("operator").account.id) } satisfies CreateJobResponse);
      }
      case "list":
        return c.json(await listJobs(server, parseInput(listJobsSchema, request)));
      case "dashboard":
        return c.json(await readDashboard(server, sinceOf(request)));
      default:
        throw new ClipmillError("invalid", "The function jobs does not know this action.");
    }
  });

  app.get("/jobs", async (c) => {
    const action = c.req.query("action") ?? "";
    switch (action) {
      case "list":
        return c.json(await listJobs(server, parseInput(listJobsSchema, c.req.query())));
      case "dashboard":
        return c.json(await readDashboard(server, sinceOf(c.req.query())));
      default:
        throw new ClipmillError("invalid", "The function jobs does not know this action.");
    }
  });
}

/** Where today begins: the browser says so, else the server's own midnight. */
function sinceOf(request: Record<string, unknown>): Date {
  const { since } = parseInput(dashboardSchema, request);
  if (since) return new Date(since);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}
