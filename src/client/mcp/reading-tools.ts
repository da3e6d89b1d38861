import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { JobSettings, SettingName } from "#contract/job-settings/job-settings.ts";
import { isDefault, JOB_DEFAULTS } from "#contract/job-settings/setting-values.ts";
import { isFinal, JOB_STATUSES } from "#contract/jobs/jobs.ts";
import {
  forecastTable,
  choosePreset,
  listJobs,
  listLibrary,
  listPresets,
  listSets,
  pageOf,
  readJob,
  readOutputs,
  readVideos,
} from "../calls.ts";
import { describeCheck, MOST_ROWS, type Toolbox } from "./tool-result.ts";
import { FORECAST, jobId, newJob } from "./tool-schemas.ts";
import { resolveSettings } from "./tool-settings.ts";

const READS = { annotations: { readOnlyHint: true, openWorldHint: false } } as const;
/** Between two looks at a job. */
const WAIT_MS = 2_000;

export function addReadingTools({ server, api, asResult }: Toolbox): void {
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
      asResult(async () => {
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
      description: "Show a job: progress, failed videos and files, and the settings that differ from the defaults.",
      inputSchema: z.strictObject({ job_id: jobId }),
    },
    ({ job_id: id }) =>
      asResult(async () => {
        const job = await readJob(api, id);
        const [videos, outputs] = await Promise.all([readVideos(api, id), readOutputs(api, id)]);
        const failed = videos.filter(({ status }) => status === "Failed");
        return {
          job: { ...withoutDefaults(job), page: pageOf(api.server, id), has_ended: isFinal(job.status) },
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
    "wait_for_job",
    {
      ...READS,
      description:
        "Wait until a job ends or waits for approval, at most for the given seconds, and report its progress. Call it again while has_ended is false.",
      inputSchema: z.strictObject({ job_id: jobId, seconds: z.int().min(1).max(300).default(45) }),
    },
    ({ job_id: id, seconds }, { mcpReq: { _meta: meta, signal, notify } }) =>
      asResult(async () => {
        const untilMs = performance.now() + seconds * 1_000;
        for (;;) {
          const job = await readJob(api, id);
          const { status, progress, error_message, awaiting_approval } = job;
          const hasEnded = isFinal(status);
          if (hasEnded || awaiting_approval || performance.now() >= untilMs) {
            const { total_videos, failed_videos } = job;
            const counts = { total_videos, failed_videos, page: pageOf(api.server, id) };
            return { id, status, progress, error_message, awaiting_approval, has_ended: hasEnded, ...counts };
          }
          const progressToken = meta?.progressToken;
          if (progressToken !== undefined) {
            const params = { progressToken, progress, total: 100, message: status };
            await notify({ method: "notifications/progress", params }).catch(() => {});
          }
          await delay(WAIT_MS, undefined, { signal }).catch((cause: unknown) => {
            throw new ClipmillError("cancelled", "The assistant stopped waiting.", { cause });
          });
        }
      }),
  );

  server.registerTool(
    "list_presets",
    { ...READS, description: "List the presets: saved settings of jobs, by name.", inputSchema: z.strictObject({}) },
    () =>
      asResult(async () =>
        (await listPresets(api)).map(({ id, name, is_default, updated_at }) => ({ id, name, is_default, updated_at })),
      ),
  );

  server.registerTool(
    "show_preset",
    {
      ...READS,
      description: "Show the settings of a preset that differ from the defaults.",
      inputSchema: z.strictObject({ preset: z.string().describe("Name or ID.") }),
    },
    ({ preset: wanted }) =>
      asResult(async () => {
        const preset = choosePreset(await listPresets(api), wanted);
        return { ...preset, settings: withoutDefaults(preset.settings) };
      }),
  );

  server.registerTool(
    "list_sets",
    {
      ...READS,
      description: "List the caption sets and audio sets, with their texts or links.",
      inputSchema: z.strictObject({}),
    },
    () =>
      asResult(async () =>
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
      inputSchema: z.strictObject({ search: z.string().max(200).default("").describe("In names.") }),
    },
    ({ search }) =>
      asResult(async () => {
        const wanted = search.toLowerCase();
        const files = (await listLibrary(api)).filter(({ name }) => name.toLowerCase().includes(wanted));
        const facts = files.slice(0, MOST_ROWS).map(({ name, kind, link, durationSeconds, sizeBytes, tags }) => {
          return { name, kind, link, durationSeconds, sizeBytes, tags };
        });
        return { files: facts, count: files.length };
      }),
  );
}

/** The settings are more than everything else. */
function withoutDefaults(job: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(job).filter(([name, value]) => !isDefaultSetting(name, value)));
}

function isDefaultSetting(name: string, value: unknown): boolean {
  return name in JOB_DEFAULTS && isDefault(name as SettingName, value as JobSettings[SettingName]);
}

/** Needs the scope of creating jobs. */
export function addCheckTool({ server, api, asResult }: Toolbox): void {
  server.registerTool(
    "check_job",
    {
      ...READS,
      description: `Check a table of videos and settings, and return the plan, the captions of the first videos by variant, and the problems of each row. Creates nothing. ${FORECAST}`,
      inputSchema: newJob,
    },
    ({ csv, preset, settings }) =>
      asResult(async () => {
        const resolved = await resolveSettings(api, preset, settings);
        return describeCheck(await forecastTable(api, { csv, settings: resolved.settings }));
      }),
  );
}
