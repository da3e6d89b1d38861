/** Written last, with the sizes and checksums of all other files: proves completeness. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { sha256Of } from "#ground/checksum.ts";
import { replaceFile } from "#ground/sync-files.ts";

export const MANIFEST = "manifest.json";
const FORMAT = 1;

const lineFile = z.object({
  file: z.string(),
  sizeBytes: z.number(),
  crc32: z.number(),
  rows: z.number(),
  sha256: z.string(),
});
const column = z.object({ name: z.string(), type: z.string() });

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  madeAt: z.string(),
  version: z.string(),
  migration: z.string(),
  tables: z.array(
    lineFile.extend({
      schema: z.string().nullable(),
      name: z.string(),
      columns: z.array(column),
      order: z.array(column),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  /** Null if files were excluded. */
  files: z
    .object({
      list: lineFile,
      totalBytes: z.number(),
      /** Deleted during the backup. */
      missing: z.number(),
    })
    .nullable(),
  secrets: z.object({
    /** Keys and second steps under the app secret. */
    sealed: z.number(),
    /** The app secret is in the backup, only in the environment, or left out. */
    appSecret: z.enum(["held", "environment", "left out"]),
    /** Null before the program's first start, missing in older backups. */
    fingerprint: z.string().nullable().optional(),
  }),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Call it once the other files are synced to the disk. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const digest = digestOf(manifest);
  await replaceFile(path.join(folder, MANIFEST), `${JSON.stringify({ ...manifest, digest }, null, 1)}\n`);
}

/** Throws ClipmillError "not_found" (missing), "damaged" (changed) or "invalid" (newer). */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, MANIFEST), "utf8").catch((cause: unknown) => {
    const sentence = `${folder} does not contain a complete backup: ${MANIFEST} is missing.`;
    throw new ClipmillError("not_found", sentence, { cause });
  });
  const raw = parse(text);
  if (raw["format"] !== undefined && raw["format"] !== FORMAT && isDigestRight(raw)) {
    throw new ClipmillError(
      "invalid",
      "This backup was made by a newer version of Clipmill. Restore it with that version.",
    );
  }
  const manifest = manifestSchema.safeParse(raw);
  if (!manifest.success || !isDigestRight(raw)) {
    throw new ClipmillError("damaged", `The backup is damaged: ${MANIFEST} was changed after the backup.`);
  }
  return manifest.data;
}

function isDigestRight({ digest, ...rest }: Record<string, unknown>): boolean {
  return digest === digestOf(rest);
}

function digestOf(content: object): string {
  return sha256Of(JSON.stringify(content));
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
