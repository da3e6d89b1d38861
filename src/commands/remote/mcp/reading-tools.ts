import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isFinal, JOB_STATUSES } from "#contract/jobs/jobs.ts";
import {
  checkTable,
  listJobs,
  listLibrary,
  listPresets,
  listSets,
  readJob,
  readOutputs,
  readVideos,
} from "../api/calls.ts";
import type { ApiClient } from "../api/api-client.ts";
import { choosePreset } from "../jobs/read-job-settings.ts";
import { pageOf } from "../jobs/watch-job.ts";
import { asToolResult } from "./tool-result.ts";
import { jobId, newJob } from "./tool-schemas.ts";

const READS = { annotations: { readOnlyHint: true, openWorldHint: false } } as const;
/** Long results would fill the assistant's context. */
const MOST_ROWS = 200;

export function addReadingTools(server: McpServer, api: ApiClient): void {
  server.registerTool(
    "list_jobs",
    {
      ...READS,
      description: "List jobs, newest first.",
      inputSchema: z.strictObject({
        search: z.string().max(200).optional().describe("In names, captions and links."),
        status: z.enum(JOB_STATUSES).optional(),
        page: z.int().min(1).max(10_000).default(1),
        limit: z.int().min(1).max(100).default(20),
      }),
    },
    ({ page, limit, search, status }) =>
      asToolResult(async () => {
        const { jobs, total } = await listJobs(api, {
          page,
          limit,
          ...(search && { search }),
          ...(status && { status }),
        });
        const facts = jobs.map(
          ({ id, job_name, status, progress, total_videos, error_message, awaiting_approval, created_at }) => {
            return { id, job_name, status, progress, total_videos, error_message, awaiting_approval, created_at };
          },
        );
        return { total, jobs: facts };
      }),
  );

  server.registerTool(
    "show_job",
    {
      ...READS,
      description: "Show a job: settings, progress, failed videos and files.",
      inputSchema: z.strictObject({ job_id: jobId }),
    },
    ({ job_id: id }) =>
      asToolResult(async () => {
        const [job, videos, outputs] = await Promise.all([readJob(api, id), readVideos(api, id), readOutputs(api, id)]);
        const failed = videos.filter(({ status }) => status === "Failed");
        return {
          job: { ...job, page: pageOf(api.server, id), has_ended: isFinal(job.status) },
          failed_videos: failed.slice(0, MOST_ROWS).map(({ position, link, name, error_message, error_code }) => {
            return { row: position + 1, link, name, error_message, error_code };
          }),
          outputs: outputs
            .slice(0, MOST_ROWS)
            .map(({ name, status, caption, track, size_bytes, sha256, warnings, verdict, error_message }) => {
              return { name, status, caption, track, size_bytes, sha256, warnings, verdict, error_message };
            }),
          not_listed: {
            failed_videos: Math.max(0, failed.length - MOST_ROWS),
            outputs: Math.max(0, outputs.length - MOST_ROWS),
          },
        };
      }),
  );

  server.registerTool(
    "list_presets",
    { ...READS, description: "List the presets: saved settings of jobs, by name.", inputSchema: z.strictObject({}) },
    () =>
      asToolResult(async () =>
        (await listPresets(api)).map(({ id, name, is_default, updated_at }) => ({ id, name, is_default, updated_at })),
      ),
  );

  server.registerTool(
    "show_preset",
    {
      ...READS,
      description: "Show the settings of a preset.",
      inputSchema: z.strictObject({ preset: z.string().describe("Name or ID.") }),
    },
    ({ preset }) => asToolResult(async () => choosePreset(await listPresets(api), preset)),
  );

  server.registerTool(
    "list_sets",
    {
      ...READS,
      description: "List the caption sets and audio sets, with their texts or links.",
      inputSchema: z.strictObject({}),
    },
    () =>
      asToolResult(async () =>
        (await listSets(api)).map(({ id, kind, name, items }) => {
          return { id, kind, name, items: items.slice(0, MOST_ROWS), count: items.length };
        }),
      ),
  );

  server.registerTool(
    "list_library",
    {
      ...READS,
      description: "List the library: videos, music and images that jobs can use by their link.",
      inputSchema: z.strictObject({}),
    },
    () => asToolResult(async () => await listLibrary(api)),
  );

  server.registerTool(
    "check_job",
    {
      ...READS,
      description:
        "Check a table of videos and settings, and return the plan and the problems of each row. Creates nothing.",
      inputSchema: newJob,
    },
    ({ csv, preset, settings }) =>
      asToolResult(async () => {
        const start = preset === undefined ? {} : choosePreset(await listPresets(api), preset).settings;
        const { rows, ...checked } = await checkTable(api, { csv, settings: { ...start, ...settings } });
        return { ...checked, rows: rows.length, problems: checked.problems.slice(0, MOST_ROWS) };
      }),
  );
}
