import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isFullRun } from "#tests/support/faults/fault-rounds.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const COLUMNS = ["id", "job_name", "status", "progress", "total_videos", "created_at", "captions_enabled", "name", "x"];
const OPERATORS = ["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "in", "is", "cs", "not.eq"];
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "null",
    "true",
    "1e400",
    "-0",
    "99999999999",
    "2026-02-30",
    "9999-99-99",
    "a\\",
    "%\\",
    "(a,b)",
    "(1,2)",
  ),
  fc.constantFrom("0", "1.5", "2026-01-01", "2026-01-01T00:00:00Z", "275760-09-13", "0000-01-01", "NaN", "infinity"),
  fc.uuid(),
);
const parameters = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom(...COLUMNS),
      fc.tuple(fc.constantFrom(...OPERATORS), text).map(([operator, value]) => `${operator}.${value}`),
    ),
    fc.tuple(fc.constantFrom("limit", "offset", "order", "select"), text),
  ),
  { maxLength: 3 },
);

it("returns rows or an error for any query, never a server error", async () => {
  const server: TestServer = await startTestServer();
  try {
    await server.create();
    const { data } = await server.client.auth.getSession();
    const headers = { authorization: `Bearer ${data.session!.access_token}` };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("jobs", "job_videos", "domains"), parameters, async (table, query) => {
        const response = await fetch(`${server.url}/rest/v1/${table}?${new URLSearchParams(query)}`, { headers });
        const body = (await response.json()) as { code?: string };
        const isRows = response.status === 200 && Array.isArray(body);
        const isRejected = response.status >= 400 && response.status < 500 && /^\w{5,8}$/.test(body.code ?? "");
        expect({ status: response.status, body, isFine: isRows || isRejected }).toMatchObject({ isFine: true });
      }),
      { numRuns: isFullRun ? 300 : 60 },
    );
  } finally {
    await server.close();
  }
});
