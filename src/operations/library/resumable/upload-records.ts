/** Received bytes are in `<id>`, metadata in `<id>.json`. */
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { UPLOAD_USES } from "#contract/library.ts";
import { isMissing } from "#ground/error-code.ts";

const recordSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  use: z.enum(UPLOAD_USES),
  sizeBytes: z.number(),
  /** Identifies the content for the sender. */
  fingerprint: z.string().nullable(),
  screen: z.string().nullable(),
  /** Set once the file is in the library. */
  result: z.object({ fileId: z.string(), isDuplicate: z.boolean() }).nullable(),
});

export type ResumableUpload = z.infer<typeof recordSchema>;

/** 128 random bits, as a file name. */
const RECORD_NAME = /^([\w-]{22})\.json$/;

export const partOf = (folder: string, id: string): string => path.join(folder, id);
export const recordOf = (folder: string, id: string): string => path.join(folder, `${id}.json`);

/** Also returns the time of each upload's last byte. Removes everything else from `folder`. */
export async function loadRecords(folder: string): Promise<{ upload: ResumableUpload; touchedMs: number }[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  const loaded = [];
  const kept = new Set<string>();
  for (const name of names) {
    const id = RECORD_NAME.exec(name)?.[1];
    const entry = id === undefined ? null : await loadRecord(folder, id);
    if (!entry) continue;
    loaded.push(entry);
    kept.add(name).add(entry.upload.id);
  }
  for (const name of names) if (!kept.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  return loaded;
}

/** Null for a record that is damaged or has lost its bytes. */
async function loadRecord(folder: string, id: string): Promise<{ upload: ResumableUpload; touchedMs: number } | null> {
  const record = recordOf(folder, id);
  const { data: upload } = recordSchema.safeParse(parseJson(await readFile(record, "utf8")));
  if (upload?.id !== id) return null;
  if (upload.result) return { upload, touchedMs: (await stat(record)).mtimeMs };
  const part = await statOrNull(partOf(folder, id));
  return part && part.size <= upload.sizeBytes ? { upload, touchedMs: part.mtimeMs } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function statOrNull(file: string): Promise<{ size: number; mtimeMs: number } | null> {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
