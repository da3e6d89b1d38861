import { callFunction } from "./call-function.ts";

/** Returns the text of a published sheet. Throws a CallError with what to do. */
export async function loadSheet(address: string): Promise<string> {
  const { csv } = await callFunction<{ csv: string }>("job-table", { address, dry_run: true });
  return csv;
}
