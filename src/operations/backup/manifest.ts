/** The proof that a backup is complete: written last, it names all other files with their sizes and checksums. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { sha256Of } from "#ground/checksum.ts";
import { replaceFile } from "#ground/replace-file.ts";

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
  /** The version of Clipmill that made the backup. */
  version: z.string(),
  /** The last migration of the schema. */
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
  /** Finished files and the library; null in a backup of only the database. */
  files: z
    .object({
      list: lineFile,
      totalBytes: z.number(),
      /** Deleted while the backup was made. */
      missing: z.number(),
    })
    .nullable(),
  secrets: z.object({
    /** Number of keys and second steps in the database that only the app secret opens. */
    sealed: z.number(),
    /** Location of the app secret: in the backup, only in the environment, or left out. */
    appSecret: z.enum(["held", "environment", "left out"]),
    /** Fingerprint of the app secret; null before the first program start, missing in older backups. */
    fingerprint: z.string().nullable().optional(),
  }),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Completes a backup by writing its manifest. All other files must be on the disk already. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const digest = digestOf(manifest);
  await replaceFile(path.join(folder, MANIFEST), `${JSON.stringify({ ...manifest, digest }, null, 1)}\n`);
}

/** Reads the manifest. Throws ClipmillError "not_found" if there is none, "damaged" if it was changed. */
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
