import type { JobTableRequest, JobTableResponse } from "#contract/table/job-table.ts";
import type { Context } from "../../context.ts";
import { readAcceptedSources } from "../../sources/prepare-sources.ts";
import { runPure } from "../../thread/run-pure.ts";
import { fetchTable } from "./read-table-rows.ts";

/** Also returns a plan and problems. Throws like fetchTable and runPure. */
export async function readJobTable(
  context: Pick<Context, "db" | "hosts">,
  { csv, url, encoding, mapping, settings }: JobTableRequest,
  signal: AbortSignal,
): Promise<Omit<JobTableResponse, "warnings">> {
  const text = url ? await fetchTable(context, { url, encoding: encoding ?? null }, signal) : (csv ?? "");
  const accepted = await readAcceptedSources(context);
  return { ...(await runPure("readTableRows", text, { mapping, settings }, accepted)), ...(url && { csv: text }) };
}
