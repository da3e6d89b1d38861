import { constants } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal, type JobOutput } from "#contract/jobs/jobs.ts";
import { utf8Bytes } from "#contract/storable-text.ts";
import { isDiskFull } from "#ground/disk-space.ts";
import { hasCode, isMissing } from "#ground/error-code.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { readJob, readOutputs } from "#client/calls.ts";
import type { Session } from "../session.ts";
import { addressOf, downloadFile, type RemoteFile } from "./download-file.ts";

const AT_ONCE = 4;
/** Follows no link out of the folder. */
const REPLACES = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

export type Downloaded = { fetched: number; kept: number; bytes: number };

/**
 * Fetches missing files, four at a time, and an ended job's manifest. Throws ClipmillError "not_found" if there are no
 * files, "no_space", and like `downloadFile`.
 */
export async function downloadJob(
  { api, terminal }: Session,
  jobId: string,
  { folder, overwrites }: { folder: string; overwrites: boolean },
): Promise<Downloaded> {
  const job = await readJob(api, jobId);
  const files = (await readOutputs(api, jobId)).flatMap(toRemoteFile);
  if (files.length === 0) throw noFiles(job);
  const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const done: Downloaded = { fetched: 0, kept: 0, bytes: 0 };
  let seenBytes = 0;
  const show = (): void => {
    const detail = `${done.fetched + done.kept} of ${count(files.length, "file")}, ${inMegabytes(seenBytes)} of ${inMegabytes(totalBytes)}`;
    terminal.progress({ label: "Downloading", share: totalBytes === 0 ? 1 : seenBytes / totalBytes, detail });
  };
  const renewUrl = async (id: string): Promise<string> => {
    const output = (await readOutputs(api, jobId)).find((each) => each.id === id);
    if (!output?.media_url)
      throw new ClipmillError("not_found", "The file was deleted on the server, or is being made again.");
    return output.media_url;
  };
  await inFolder(folder, async () => {
    await mkdir(folder, { recursive: true });
    await forEachAtOnce(files, AT_ONCE, async (file) => {
      api.signal.throwIfAborted();
      let fetchedBytes = 0;
      const onBytes = (bytes: number): void => {
        fetchedBytes += bytes;
        seenBytes += bytes;
        show();
      };
      const result = await downloadFile(api, file, { folder, overwrites, renewUrl, onBytes });
      seenBytes += file.sizeBytes - fetchedBytes;
      done[result === "new" ? "fetched" : "kept"] += 1;
      done.bytes += fetchedBytes;
      show();
      const { name, sizeBytes: bytes, sha256 } = file;
      terminal.event({ event: "file", name, path: path.join(folder, name), bytes, sha256, was: result });
    });
    if (isFinal(job.status) && job.manifest_url) await downloadManifest(api, job.id, job.manifest_url, folder);
  });
  terminal.clear();
  terminal.note(describe(done, folder));
  return done;
}

function toRemoteFile(output: JobOutput): RemoteFile[] {
  const { id, name, status, media_url: url, size_bytes: sizeBytes, sha256 } = output;
  if (status !== "Completed" || url === null || sizeBytes === null) return [];
  return [{ id, name: plainName(name), sizeBytes, sha256, url }];
}

/** Named after the job: a folder can have files of several. */
async function downloadManifest(api: Session["api"], jobId: string, url: string, folder: string): Promise<void> {
  for (const format of ["json", "csv"]) {
    const response = await api.send(
      async (signal) => {
        const fetched = await fetch(`${addressOf(api, url)}&format=${format}`, { signal });
        return new Response(await fetched.arrayBuffer(), { status: fetched.status, headers: fetched.headers });
      },
      { isRepeatable: true, timeoutMs: 120_000 },
    );
    if (!response.ok)
      throw new ClipmillError("unavailable", `The server could not make the manifest (status ${response.status}).`);
    const file = path.join(folder, `${plainName(`${jobId}-manifest`)}.${format}`);
    // The next run replaces what a killed one left. Concurrent runs write the same bytes.
    const part = path.join(folder, `.${jobId}-${format}.clipmill-part`);
    await writeFile(part, new Uint8Array(await response.arrayBuffer()), { flag: REPLACES });
    await rename(part, file).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
}

function noFiles(job: { status: Parameters<typeof isFinal>[0]; files_deleted_at?: string | null }): ClipmillError {
  if (job.files_deleted_at) {
    return new ClipmillError(
      "not_found",
      `The files of this job were deleted on ${job.files_deleted_at.slice(0, 10)}, when their retention period ended.`,
    );
  }
  return new ClipmillError("not_found", isFinal(job.status) ? "This job has no files." : "This job has no files yet.");
}

async function inFolder(folder: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (isDiskFull(cause)) {
      throw new ClipmillError(
        "no_space",
        `The disk of ${folder} is full. Free some space, then run the same command again: finished files are kept.`,
        { cause },
      );
    }
    if (hasCode(cause, "EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EISDIR")) {
      throw new ClipmillError(
        "internal",
        `Files cannot be written to ${folder} (${cause.code}). Check its permissions, or choose another folder.`,
        { cause },
      );
    }
    throw cause;
  }
}

function describe({ fetched, kept }: Downloaded, folder: string): string {
  const there = kept === 0 ? "" : `, ${fetched === 0 ? "all" : kept} of them already there`;
  return `${count(fetched + kept, "file")} in ${folder}${there}.`;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}

const MAX_BYTES = 255;
// oxlint-disable-next-line no-control-regex -- no file of a job has them
const FORBIDDEN = /[/\\:*?"<>|\u0000-\u001F\u007F]|^\.|[. ]$/;
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(?:\.|$)/i;

/** Throws ClipmillError "invalid" for anything but a plain file name: a server must not choose the folder. */
export function plainName(name: string): string {
  const isPlain =
    name !== "" && utf8Bytes([name]) <= MAX_BYTES && !FORBIDDEN.test(name) && !RESERVED_ON_WINDOWS.test(name);
  if (isPlain) return name;
  throw new ClipmillError(
    "unavailable",
    `The server names a file ${JSON.stringify(name)}, which is not allowed. It was not downloaded.`,
  );
}
