import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import type { CreateOptions } from "./create-job.ts";
import { readTypedSettings } from "./read-job-settings.ts";
import { type JobTable, readJobTable, tableOfLinks } from "./read-job-table.ts";

export type TypedOptions = Omit<CreateOptions, "name" | "settings"> & {
  from?: string;
  encoding?: TableEncoding;
  link?: string[];
  name?: string;
  setting?: string[];
};

/** Throws ClipmillError "invalid". */
export async function readCreateOptions({
  from,
  encoding,
  link,
  name: typedName,
  setting = [],
  ...options
}: TypedOptions): Promise<CreateOptions & { table: JobTable }> {
  if ((from === undefined) === (link === undefined)) {
    throw new ClipmillError("invalid", "Specify the videos with --from table.csv, or with --link, not both.");
  }
  if (encoding !== undefined && from === undefined) {
    throw new ClipmillError("invalid", "Add --encoding only to --from.");
  }
  const name = typedName?.trim() || (from !== undefined && from !== "-" ? path.parse(from).name : "");
  if (name === "") throw new ClipmillError("invalid", "Specify the job's name with --name.");
  const settings = readTypedSettings(setting);
  const table =
    from === undefined ? await tableOfLinks(link ?? []) : await readJobTable(from, encoding ?? null, process.stdin);
  return { ...options, name, settings, table };
}
