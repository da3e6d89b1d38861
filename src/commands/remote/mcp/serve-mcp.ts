import { realpath } from "node:fs/promises";
import path from "node:path";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import type { Toolbox } from "#client/mcp/tool-result.ts";
import { createToolbox } from "#client/mcp/tool-server.ts";
import { jobId } from "#client/mcp/tool-schemas.ts";
import { ClipmillError } from "#contract/errors.ts";
import { UPLOAD_USES } from "#contract/library.ts";
import type { ApiClient } from "../api/api-client.ts";
import { downloadJob, plainName } from "../download/download-job.ts";
import { lookAtFile } from "../jobs/local-file.ts";
import { checksumFiles, uploadFiles } from "../jobs/upload-files.ts";
import type { Session } from "../session.ts";

export type McpOptions = {
  canChange: boolean;
  /** The only folder to read and write; null allows none. */
  folder: string | null;
};

/** Serves until the client disconnects. Throws ClipmillError "invalid" for a missing folder. */
export async function serveMcp(api: ApiClient, options: McpOptions): Promise<void> {
  const folder =
    options.folder === null
      ? null
      : await realpath(options.folder).catch((cause: unknown) => {
          throw new ClipmillError("invalid", `The folder ${options.folder} does not exist.`, { cause });
        });
  const closed = Promise.withResolvers<void>();
  const handle = serveStdio(() => {
    const toolbox = createToolbox(api, { canCheck: true, canChange: options.canChange, onBug });
    if (options.canChange && folder !== null) addFileTools(toolbox, api, folder);
    return toolbox.server;
  });
  process.stdin.once("close", closed.resolve).once("end", closed.resolve);
  api.signal.addEventListener("abort", () => closed.resolve());
  await closed.promise;
  await handle.close();
}

/** Standard output belongs to the protocol. */
function onBug(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

const ADDS = {
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false, idempotentHint: true },
} as const;

function addFileTools({ server, asResult }: Toolbox, api: ApiClient, folder: string): void {
  server.registerTool(
    "upload_file",
    {
      ...ADDS,
      description: "Upload a file of the allowed folder to the library, and return its link.",
      inputSchema: z.strictObject({ file: z.string().describe("Relative to the folder."), use: z.enum(UPLOAD_USES) }),
    },
    ({ file, use }) =>
      asResult(async () => {
        const found = await lookAtFile(await insideOf(folder, file), use);
        if ("problem" in found) throw new ClipmillError("invalid", `${file} ${found.problem}.`);
        const recorder = createRecorder(api);
        const links = await uploadFiles(recorder.session, await checksumFiles([found]));
        return [...links.values()][0];
      }),
  );

  server.registerTool(
    "download_job",
    {
      ...ADDS,
      description:
        "Download the finished files of a job into a folder below the allowed one. Never replaces existing files.",
      inputSchema: z.strictObject({ job_id: jobId, folder: z.string().describe("The name of the folder.") }),
    },
    ({ job_id: id, folder: name }) =>
      asResult(async () => {
        const target = path.join(folder, plainName(name));
        if ((await realpath(target).catch(() => target)) !== target) throw outside(name);
        const recorder = createRecorder(api);
        return { folder: name, ...(await downloadJob(recorder.session, id, { folder: target, overwrites: false })) };
      }),
  );
}

const ignore = (): void => {};

/** Collects messages for the result: standard output belongs to the protocol. */
function createRecorder(api: ApiClient): { session: Session; events: unknown[] } {
  const events: unknown[] = [];
  const terminal: Session["terminal"] = {
    isJson: true,
    data: ignore,
    progress: ignore,
    clear: ignore,
    fail: ignore,
    note: (message) => void events.push({ event: "note", message }),
    event: (event) => void events.push(event),
  };
  return { session: { api, terminal, whenStopped: ignore }, events };
}

/** Throws ClipmillError "forbidden" for a file elsewhere, even by symbolic link. */
async function insideOf(folder: string, file: string): Promise<string> {
  const found = await realpath(path.resolve(folder, file)).catch(() => null);
  if (found === null) throw new ClipmillError("invalid", `${file} does not exist.`);
  if (!found.startsWith(folder + path.sep)) throw outside(file);
  return found;
}

function outside(name: string): ClipmillError {
  return new ClipmillError("forbidden", `${name} is outside the folder that was allowed with --files.`);
}
