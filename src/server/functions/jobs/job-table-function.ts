import type { Hono } from "hono";
import { ClipmillError } from "#contract/errors.ts";
import { type JobTableRefusal, type JobTableResponse, jobTableSchema } from "#contract/table/job-table.ts";
import type { TableProblem } from "#contract/table/table.ts";
import { checkJobCaptions } from "#operations/captions/check-captions.ts";
import { readJobTable } from "#operations/jobs/table/read-job-table.ts";
import { parseInput } from "#operations/parse-input.ts";
import { toFault, toProblem } from "../../requests/error-response.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { createCheckedJob } from "./create-checked-job.ts";

const MAX_MB = 20;

export function addJobTableFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/job-table", limitBody(MAX_MB), async (c) => {
    const { idempotency_key: key, ...body } = await readJson(c);
    const request = parseInput(jobTableSchema, body);
    const { signal } = c.req.raw;
    const table = await readJobTable(server, request, signal);
    const job = { ...request.settings, rows: table.rows };
    if (request.dry_run) {
      const named = { ...job, job_name: "Table" };
      const { problem, warnings } = await checkJobCaptions(server, server.captionMeasure, named, signal);
      const problems = problem
        ? [{ row: 0, column: "", message: `${problem.description}.` }, ...table.problems]
        : table.problems;
      return c.json({ ...table, problems, warnings } satisfies JobTableResponse);
    }
    if (table.problems.length > 0) {
      const fault = toFault(new ClipmillError("invalid", describe(table.problems)));
      return c.json({ ...toProblem(fault), problems: table.problems } satisfies JobTableRefusal, fault.status);
    }
    return await createCheckedJob(server, c, job, key);
  });
}

function describe(problems: readonly TableProblem[]): string {
  const { row, column, message } = problems[0]!;
  const place = [row > 0 && `row ${row}`, column !== "" && `column "${column}"`].filter((part) => part !== false);
  const first = place.length > 0 ? `${place.join(", ")}: ${message}` : message;
  return problems.length === 1
    ? `The table has a problem: ${first}`
    : `The table has ${problems.length.toLocaleString("en")} problems. The first: ${first}`;
}
