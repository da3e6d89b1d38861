/** Files that workers exchange through the storage. Their names are hashes of what defines them. */
import { copyFile, link, mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { EncodedStream } from "#media/render/stream-cache.ts";
import type { DrawingIdentity } from "#media/plan/stream-keys.ts";
import type { RunOrder } from "#media/plan/chunks/run-order.ts";
import { openLocally } from "#storage/open-locally.ts";
import type { Storage } from "#storage/storage.ts";

/** `links` are those of the sources. */
export type SharedOrder = RunOrder & { links: string[] };

type Transfer = { storage: Storage; folder: string; signal: AbortSignal };

const resultSchema = z.array(
  z.object({
    key: z.string(),
    seconds: z.number(),
    warnings: z.array(z.custom<Warning>()),
    sizeBytes: z.number(),
    hasThumbnail: z.boolean(),
  }),
);

export async function putOrder(
  to: Transfer,
  { order, drawings, scratch }: { order: SharedOrder; drawings: ReadonlyMap<string, string>; scratch: string },
): Promise<string> {
  for (const hash of new Set(order.drawings.flatMap(([, identity]) => hashesOf(identity)))) {
    const copy = path.join(scratch, `${hash}.png`);
    await copyFile(drawings.get(hash)!, copy);
    await to.storage.put(drawingKey(to, hash), copy, { signal: to.signal });
  }
  const json = JSON.stringify(order);
  const key = `${to.folder}/${sha256Of(json)}.order.json`;
  await putJson(to, key, json, scratch);
  return key;
}

/** Of the files that a layer is drawn from. */
export function hashesOf({ hash, blankHash }: DrawingIdentity): string[] {
  return blankHash === undefined ? [hash] : [hash, blankHash];
}

export async function readOrder(storage: Storage, key: string): Promise<SharedOrder> {
  return JSON.parse(await readText(storage, key)) as SharedOrder;
}

/** Returns paths by hash. */
export async function takeDrawings(from: Transfer, hashes: readonly string[], scratch: string) {
  const paths = new Map<string, string>();
  for (const hash of hashes) {
    const file = path.join(scratch, `${hash}.png`);
    await takeFile(from, drawingKey(from, hash), file);
    paths.set(hash, file);
  }
  return paths;
}

/** Whether the run is stored already. */
export async function hasResult(at: Transfer, order: RunOrder, place: number): Promise<boolean> {
  return (await at.storage.sizeOf(resultKey(at, order, place))) !== null;
}

/** Takes the files of the streams, which are by id. The result is written last, so that it stands for all of them. */
export async function putResult(
  to: Transfer,
  order: RunOrder,
  place: number,
  { streams, scratch }: { streams: ReadonlyMap<string, EncodedStream>; scratch: string },
): Promise<void> {
  const result: z.infer<typeof resultSchema> = [];
  for (const id of idsOf(order, place)) {
    const { path: file, thumbnailPath, seconds, warnings = [] } = streams.get(id)!;
    const key = order.keys[id]!;
    const { sizeBytes } = await to.storage.put(`${to.folder}/${key}.mp4`, file, { signal: to.signal });
    if (thumbnailPath) await to.storage.put(`${to.folder}/${key}.jpg`, thumbnailPath, { signal: to.signal });
    result.push({ key, seconds, warnings, sizeBytes, hasThumbnail: thumbnailPath !== null });
  }
  await putJson(to, resultKey(to, order, place), JSON.stringify(result), scratch);
}

/** Returns the streams by id, with files in `scratch`. Returns null unless all are stored. */
export async function takeResult(
  from: Transfer,
  order: RunOrder,
  place: number,
  scratch: string,
): Promise<Map<string, EncodedStream> | null> {
  const text = await readText(from.storage, resultKey(from, order, place)).catch(ignoreMissing);
  if (text === null) return null;
  const byKey = new Map(resultSchema.parse(JSON.parse(text)).map((stream) => [stream.key, stream]));
  const streams = new Map<string, EncodedStream>();
  for (const id of idsOf(order, place)) {
    const { key, seconds, warnings, sizeBytes, hasThumbnail } = byKey.get(order.keys[id]!)!;
    const file = path.join(scratch, `${key}.mp4`);
    await takeFile(from, `${from.folder}/${key}.mp4`, file);
    if ((await stat(file)).size !== sizeBytes) throw new Error("A stored stream is incomplete.");
    const thumbnailPath = hasThumbnail ? path.join(scratch, `${key}.jpg`) : null;
    if (thumbnailPath) await takeFile(from, `${from.folder}/${key}.jpg`, thumbnailPath);
    streams.set(id, { path: file, thumbnailPath, seconds, warnings });
  }
  return streams;
}

function idsOf({ runs }: RunOrder, place: number): string[] {
  return runs[place]!.lines.flatMap(({ ids }) => ids);
}

function drawingKey({ folder }: Pick<Transfer, "folder">, hash: string): string {
  return `${folder}/${hash}.png`;
}

function resultKey({ folder }: Pick<Transfer, "folder">, order: RunOrder, place: number): string {
  const keys = idsOf(order, place).map((id) => order.keys[id]!);
  return `${folder}/${sha256Of(keys.toSorted().join())}.json`;
}

async function putJson({ storage, signal }: Transfer, key: string, json: string, scratch: string): Promise<void> {
  await mkdir(scratch, { recursive: true });
  const file = path.join(scratch, path.posix.basename(key));
  await writeFile(file, json);
  await storage.put(key, file, { signal });
  await rm(file, { force: true });
}

async function readText(storage: Storage, key: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.read(key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Its own file, which the caller may remove. */
async function takeFile({ storage, signal }: Transfer, key: string, to: string): Promise<void> {
  const { path: file } = await openLocally(storage, key, { copy: to, signal });
  if (file === to) return;
  await rm(to, { force: true });
  await link(file, to).catch(() => copyFile(file, to));
}

function ignoreMissing(error: unknown): null {
  if (error instanceof ClipmillError && error.code === "not_found") return null;
  throw error;
}
