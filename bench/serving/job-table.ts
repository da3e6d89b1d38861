/**
 * Tables: 1,000 rows with 20 problems, all reported within 1 s; and 10,000 rows, from their text to a job in the list.
 */
import type { ListJobsResponse } from "#contract/calls.ts";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { mapColumns, readTable } from "#contract/table/read-table.ts";
import { readRows } from "#contract/table/read-rows.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { describeTimes } from "../support/times.ts";

const RUNS = Number(process.argv[2] ?? 10);
const MAX_PROBLEMS_MS = 1_000;

function tableOf(rows: number, problemEvery = Infinity): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const format = index % problemEvery === problemEvery - 1 ? "square" : "9:16";
    return `https://drive.google.com/file/d/clip${index}/view,clip ${index},"New, no. ${index}",Second,0:01,0:08,${format},SKU-${index}`;
  });
  return ["link,name,caption,caption_2,start,end,format,sku", ...lines].join("\n");
}

function timeReading(text: string): { ms: number; problems: number } {
  const from = performance.now();
  const table = readTable(text);
  const { problems } = readRows(table, mapColumns(table.columns), { accepted: SPECIFIED_SOURCES });
  return { ms: performance.now() - from, problems: problems.length };
}

const invalid = tableOf(1_000, 50);
const first = timeReading(invalid);
const verdict = first.problems === 20 && first.ms <= MAX_PROBLEMS_MS ? "within" : "OVER";
console.log(
  `1,000 rows with 20 problems: ${first.problems} named in ${Math.round(first.ms)} ms at first, ${verdict} 1 s`,
);
console.log(`  again: ${describeTimes(repeat(() => timeReading(invalid).ms))}`);
const large = tableOf(10_000);
console.log(`10,000 rows read: ${describeTimes(repeat(() => timeReading(large).ms))}`);

const server = await startTestServer();
await timeCall(server, { csv: large, dry_run: true });
const dry = await timeCall(server, { csv: large, dry_run: true });
const created = await timeCall(server, { csv: large, settings: { job_name: "Table" } });
const from = performance.now();
const list = await server.client.functions.invoke<ListJobsResponse>("jobs?action=list", {
  body: { page: "1", limit: "10" },
});
const listed = Math.round(performance.now() - from);
console.log(`10,000 rows: dry run ${dry} ms, created in ${created} ms, listed in ${listed} ms`);
if (list.data?.total !== 1) throw new Error("The job is not in the list.");
await server.close();
// PostgreSQL keeps the process alive.
process.exit();

function repeat(measure: () => number): number[] {
  return Array.from({ length: RUNS }, measure);
}

async function timeCall(server: TestServer, body: Record<string, unknown>): Promise<number> {
  const from = performance.now();
  const { error } = await server.client.functions.invoke("job-table", { body });
  if (error) throw error;
  return Math.round(performance.now() - from);
}
