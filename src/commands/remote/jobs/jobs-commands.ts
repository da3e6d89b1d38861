import { InvalidArgumentError, type Command } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal, JOB_STATUSES, jobTitle, type Job } from "#contract/jobs/jobs.ts";
import { onServer, type Session } from "../session.ts";
import { alignColumns, oneLine } from "../terminal/open-terminal.ts";
import { ENCODING_OPTION, readEncoding } from "./local-file.ts";
import type { FollowOptions } from "./create-job.ts";
import type { TypedOptions } from "./read-create-options.ts";

const JOB_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const PAGE = 20;

export function addJobsCommands(program: Command): void {
  const jobs = program.command("jobs").description("Create, follow and download jobs on a server.");

  onServer<TypedOptions>(
    jobs
      .command("create")
      .summary("Create a job from a table or links.")
      .description(
        "Create a job from a table or links, and print its ID.\n\nLocal files in the table are uploaded to the library, unless it has them already. The same command returns the same job: after a crash or Ctrl-C, run it again to continue.",
      )
      .option("--from <file>", "a CSV table with a row per video and a column link; - reads standard input")
      .option(...ENCODING_OPTION, readEncoding)
      .option("--link <link>", "a video's link or file; can be repeated, instead of --from", collect)
      .option("--name <name>", "the job's name (default: the name of the table's file)")
      .option("--preset <name>", "start from the settings of this preset; its name or ID")
      .option("--setting <name=value>", "change a setting, such as quality=high; can be repeated", collect)
      .option("--dry-run", "print the plan and the problems of each row, and create nothing")
      .option("--again", "create another job, even if the same command created one")
      .option("--watch", "wait until the job ends")
      .option("--download <folder>", "wait, then download the files into this folder")
      .option("--overwrite", "replace files in the folder that have different content")
      .addHelpText(
        "after",
        `
Examples:
  clipmill jobs create --from rows.csv --preset Shorts --watch --download out/
  clipmill jobs create --name Test --link clip.mp4 --setting custom_captions=Hello --dry-run`,
      ),
    async (session, options) => {
      const [{ createJobFrom }, { readCreateOptions }] = await Promise.all([
        import("./create-job.ts"),
        import("./read-create-options.ts"),
      ]);
      const { table, ...rest } = await readCreateOptions(options);
      return await createJobFrom(session, table, rest);
    },
  );

  onServer<{ page: number; limit: number; search?: string; status?: string }>(
    jobs
      .command("list")
      .description("List jobs, newest first.")
      .option("--search <text>", "jobs whose name, captions or links contain this")
      .option("--status <status>", `one of ${JOB_STATUSES.join(", ")}`, readStatus)
      .option("--limit <number>", "jobs per page, at most 100", readNumber, PAGE)
      .option("--page <number>", "the page", readNumber, 1),
    async ({ api, terminal }, { page, limit, search, status }) => {
      const { listJobs } = await import("#client/calls.ts");
      const filter = { page, limit, ...(search && { search }), ...(status && { status }) };
      const found = await listJobs(api, filter);
      for (const job of found.jobs) terminal.event({ event: "job", ...job });
      const lines = found.jobs.map((job) => [
        job.id,
        job.created_at.slice(0, 16).replace("T", " "),
        describe(job),
        oneLine(jobTitle(job)),
      ]);
      for (const line of alignColumns(lines)) terminal.data(line);
      const shown = (page - 1) * limit + found.jobs.length;
      if (found.total > shown) terminal.note(`${found.total - shown} more: --page ${page + 1}`);
    },
  );

  onServer<{ json?: boolean }>(
    jobs.command("show <id>").description("Show a job, and what failed in it."),
    async ({ api, terminal }, _options, [id]) => {
      const { pageOf, readJob, readVideos } = await import("#client/calls.ts");
      const job = await readJob(api, readId(id));
      terminal.event({ event: "job", ...job });
      const facts: [string, string | null][] = [
        ["Name", jobTitle(job)],
        ["Status", describe(job)],
        ["Videos", String(job.total_videos)],
        ["Created", job.created_at],
        ["Files kept until", job.files_kept_until],
        ["Page", pageOf(api.server, job.id)],
        ["Message", job.error_message],
      ];
      for (const [name, value] of facts) if (value) terminal.data(`${name}: ${oneLine(value)}`);
      if (job.error_message === null) return;
      for (const video of await readVideos(api, job.id)) {
        if (video.status !== "Failed") continue;
        terminal.event({ event: "video", ...video });
        terminal.data(
          `Video ${video.position + 1}, ${oneLine(video.name ?? video.link)}: ${oneLine(video.error_message ?? "")}`,
        );
      }
    },
  );

  onServer<FollowOptions>(
    jobs
      .command("watch <id>")
      .description("Wait until a job ends.")
      .option("--download <folder>", "then download the files into this folder")
      .option("--overwrite", "replace files in the folder that have different content"),
    async (session, options, [id]) => (await import("./create-job.ts")).followJob(session, readId(id), options),
  );

  onServer<{ overwrite?: boolean }>(
    jobs
      .command("download <id> <folder>")
      .summary("Download a job's files into a folder.")
      .description(
        "Download a job's finished files into a folder, with its manifest. Files that are there already are kept, and interrupted downloads continue. Every file is checked with its SHA-256.",
      )
      .option("--overwrite", "replace files that have different content"),
    async (session, { overwrite = false }, [id, folder]) => {
      const { downloadJob } = await import("../download/download-job.ts");
      session.whenStopped("Stopped. Run the same command again to continue.");
      await downloadJob(session, readId(id), { folder: folder!, overwrites: overwrite });
    },
  );

  onServer(jobs.command("cancel <ids...>").description("Cancel jobs."), async (session, _options, ids) => {
    const { cancelJob } = await import("#client/calls.ts");
    await forEachId(session, ids, "is canceled", (id) => cancelJob(session.api, id));
  });

  onServer(
    jobs.command("retry <ids...>").description("Retry the failed videos of ended jobs."),
    async (session, _options, ids) => {
      const { retryJob } = await import("#client/calls.ts");
      await forEachId(session, ids, "is in the queue again", async (id) => void (await retryJob(session.api, id)));
    },
  );
}

async function forEachId(
  { terminal }: Session,
  ids: readonly string[],
  outcome: string,
  act: (id: string) => Promise<void>,
): Promise<void> {
  for (const id of ids.map(readId)) {
    await act(id);
    terminal.event({ event: "done", id });
    terminal.note(`${id} ${outcome}.`);
  }
}

/** Throws ClipmillError "invalid". Also keeps arguments out of URLs. */
function readId(id: string | undefined): string {
  if (id !== undefined && JOB_ID.test(id)) return id.toLowerCase();
  throw new ClipmillError("invalid", `${id} is not the ID of a job. \`clipmill jobs list\` shows the IDs.`);
}

function describe(job: Job): string {
  if (job.awaiting_approval) return "Awaits approval";
  if (job.status === "Processing") return `Processing ${Math.floor(job.progress)}%`;
  return isFinal(job.status) && job.status === "Completed" && job.error_message !== null
    ? "Completed with failures"
    : job.status;
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function readNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 1_000_000) return number;
  throw new InvalidArgumentError("Enter a whole number of at least 1.");
}

function readStatus(text: string): string {
  const status = JOB_STATUSES.find((each) => each.toLowerCase() === text.toLowerCase());
  if (status) return status;
  throw new InvalidArgumentError(`Enter one of ${JOB_STATUSES.join(", ")}.`);
}
