import { type Context, Hono } from "hono";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import {
  claimRefSchema,
  endSchema,
  fileSchema,
  librarySchema,
  RECORD_SCHEMAS,
  type RecordName,
  SHA256_HEADER,
  sourceSchema,
  storeSchema,
} from "#contract/workers/worker-protocol.ts";
import { HostCoolsDown } from "#operations/hosts/contact-host.ts";
import { openLibraryFile } from "#operations/downloads/open-stored.ts";
import { readDatabaseTime } from "#operations/hosts/wake-waiting.ts";
import { createVideoRecords, type VideoRecords } from "#operations/jobs/videos/video-records.ts";
import { parseInput } from "#operations/parse-input.ts";
import { guardRecords, requireWritable } from "#operations/workers/guard-records.ts";
import {
  describeForWorker,
  findLibraryFileForWorker,
  openForWorker,
  readAcceptedForWorker,
} from "#operations/workers/open-worker-source.ts";
import { receiveFile } from "#operations/workers/receive-file.ts";
import { endTokenClaim, readTokenTask, type TokenTask } from "#operations/workers/token-claims.ts";
import { requireLibraryFile } from "#operations/workers/video-uses.ts";
import { attachment, respondWithDownload, toStream } from "../downloads/download-response.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readPieces } from "../uploads/read-pieces.ts";
import { createTurns } from "./take-turns.ts";

/** docs/operations/workers-by-token.md states these limits. */
const LIMIT_MB = 1;
const LIMITS_MB: Partial<Record<RecordName, number>> = {
  // 10,000 outputs with long captions, or with their failures.
  plan: 64,
  end: 64,
  // The words of a large subtitle file, with their times.
  recordSubtitles: 8,
  keepFileTranscript: 8,
  // All captions of a job, or the lines of its transcripts.
  translate: 8,
};
/** As long as the worker waits. */
const MODEL_MS = 300_000;
/** For an upload to the storage that starts now; a clock may differ. The address could replace a completed file. */
const ADDRESS_SECONDS = 300;

type Requests = { [Name in RecordName]: z.output<(typeof RECORD_SCHEMAS)[Name]> };
type Runs = {
  [Name in Exclude<RecordName, "translate">]: (records: VideoRecords, request: Requests[Name]) => Promise<unknown>;
};

/** What each request does with the same records that a worker with the database uses. */
const RUNS: Runs = {
  readNow: (records) => records.readNow(),
  readHost: (records, { host }) => records.readHost(host),
  recordHostResponse: (records, { host }) => records.recordHostResponse(host),
  releaseProbe: (records, { host }) => records.releaseProbe(host),
  recordHostFailure: (records, { failure }) => records.recordHostFailure(failure),
  claim: (records) => records.claim(),
  plan: (records, { facts, outputs, costMinutes }) => records.plan(facts, outputs, costMinutes),
  findStored: (records, { contentKey }) => records.findStored(contentKey),
  findKept: (records, { contentKey }) => records.findKept(contentKey),
  recordSubtitles: (records, { contentKey, srt }) => records.recordSubtitles(contentKey, srt),
  removeFile: (records, { key }) => records.removeFile(key),
  complete: (records, output) => records.complete(output),
  report: (records, { outputs, ...progress }) => records.report({ ...progress, outputs: new Map(outputs) }),
  end(records, end) {
    if (end.status !== "Failed") return records.end(end);
    const { reasons, outputFailures, ...failed } = end;
    const entries = outputFailures.flatMap(([id, place]) => (reasons[place] ? [[id, reasons[place]] as const] : []));
    return records.end({ ...failed, outputFailures: new Map(entries) });
  },
  postpone: (records, { failure, wait }) => records.postpone(failure, wait),
  canTranscribe: (records) => records.canTranscribe(),
  obtainTranscript: (records, of) => records.obtainTranscript(of),
  keepFileTranscript: (records, { of, lines }) => records.keepFileTranscript(of, async () => lines),
  hasOtherWorkers: (records) => records.hasOtherWorkers(),
};

/** Goes on without the worker, so that what the model made is kept: the next request does not ask it again. */
async function translate(records: VideoRecords, wanted: Requests["translate"]): Promise<object> {
  const limit = AbortSignal.timeout(MODEL_MS);
  try {
    return { made: [...(await records.translate(wanted, limit))] };
  } catch (error) {
    if (error instanceof HostCoolsDown) return { cooldown: { host: error.host, reason: error.message } };
    if (!limit.aborted) throw error;
    throw new ClipmillError("unavailable", "The model did not translate the captions in time. Retry later.");
  }
}

/** Below the address of a claim. Throws ClipmillError "cancelled" unless the claim still has its video. */
export function claimRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const { costLimits, storage } = server;
  const taskOf = (c: Context<ServerEnv>): Promise<TokenTask> =>
    readTokenTask(server, c.get("worker").tokenId, claimOf(c));
  const recordsOf = (task: TokenTask): VideoRecords => {
    const drawer = server.captionMeasure;
    const worker = { context: server, drawer, readNow: () => readDatabaseTime(server), costLimits };
    return guardRecords(server, task, createVideoRecords(worker, task));
  };
  const post = <Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    run: (task: TokenTask, request: z.output<Schema>, c: Context<ServerEnv>) => Promise<unknown>,
  ): void =>
    void app.post(`/:videoId/:retryCount/${name}`, limitBody(LIMITS_MB[name as RecordName] ?? LIMIT_MB), async (c) => {
      const task = await taskOf(c);
      const request = parseInput(schema, await readJson(c));
      return c.json({ answer: (await run(task, request, c)) ?? null });
    });

  for (const name of Object.keys(RUNS) as (keyof Runs)[]) {
    const run = RUNS[name] as (records: VideoRecords, request: unknown) => Promise<unknown>;
    post(name, RECORD_SCHEMAS[name], (task, request) => run(recordsOf(task), request));
  }
  const inTurn = createTurns();
  post("translate", RECORD_SCHEMAS.translate, (task, wanted, c) =>
    inTurn(`${task.videoId} ${wanted.language}`, async () => {
      if (c.req.raw.signal.aborted) throw new ClipmillError("cancelled", "The worker has disconnected.");
      return await translate(recordsOf(task), wanted);
    }),
  );
  post("accepted", z.object({}), (task) => readAcceptedForWorker(server, task));
  post("describe", sourceSchema, (task, { link }, c) => describeForWorker(server, task, link, c.req.raw.signal));
  post("library", librarySchema, (task, { id }) => findLibraryFileForWorker(server, task, id));
  post("store", storeSchema, async (task, { key, ...file }) => {
    if (!(await requireWritable(server, task, key))) return { isStored: true, address: null };
    const address = (await storage.addresses?.toPut(key, { ...file, seconds: ADDRESS_SECONDS })) ?? null;
    return { isStored: false, address };
  });
  app.post("/:videoId/:retryCount/settle", limitBody(LIMIT_MB), async (c) => {
    const end = parseInput(endSchema, await readJson(c));
    await endTokenClaim(server, c.get("worker").tokenId, claimOf(c), end);
    return c.json({ answer: null });
  });
  app.put("/:videoId/:retryCount/files", async (c) => {
    // The rest of a rejected file is not read.
    c.header("Connection", "close");
    const { key, sizeBytes, sha256 } = parseInput(storeSchema, {
      ...parseInput(fileSchema, c.req.query()),
      sizeBytes: Number(c.req.header("content-length")),
      sha256: c.req.header(SHA256_HEADER),
    });
    await requireWritable(server, await taskOf(c), key);
    await receiveFile(server.uploads, readPieces(c.env.incoming), { sizeBytes, sha256 }, async (file, measured) => {
      // Checked again: the upload may have taken long.
      const records = recordsOf(await taskOf(c));
      await records.storeFile(key, file, { signal: c.req.raw.signal, measured });
    });
    c.header("Connection", undefined);
    return c.json({ answer: null });
  });
  app.get("/:videoId/:retryCount/library/:id", async (c) => {
    const { id } = parseInput(librarySchema, { id: c.req.param("id") });
    await requireLibraryFile(server.db, await taskOf(c), id);
    const download = await openLibraryFile(server, id);
    return respondWithDownload(c, download, { isAttachment: false, cacheControl: "private, no-store" });
  });
  app.get("/:videoId/:retryCount/source", async (c) => {
    const { link } = parseInput(sourceSchema, c.req.query());
    const startByte = startOf(c.req.header("range"));
    const opening = { text: link, startByte, signal: c.req.raw.signal };
    const { facts, response: source } = await openForWorker(server, await taskOf(c), opening);
    c.header("content-disposition", attachment(facts.name));
    for (const name of ["content-length", "content-range", "etag"]) {
      const value = source.headers[name];
      if (value !== undefined) c.header(name, value);
    }
    c.status(source.status === 206 ? 206 : 200);
    return c.body(toStream(source.body));
  });
  return app;
}

function claimOf(c: Context<ServerEnv>): z.output<typeof claimRefSchema> {
  return parseInput(claimRefSchema, c.req.param());
}

/** Returns the start of a range to the end of the file; 0 without a range. */
function startOf(range: string | undefined): number {
  if (range === undefined) return 0;
  const [, start] = /^bytes=(\d{1,15})-$/.exec(range.trim()) ?? [];
  if (start === undefined) throw new ClipmillError("invalid", "Only ranges to the end of the file are supported.");
  return Number(start);
}
