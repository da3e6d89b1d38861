import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type DatabaseLine, openDatabaseLine } from "#tests/support/servers/databases/database-line.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { type Database, openDatabase } from "../open-database.ts";

let server: Awaited<ReturnType<typeof startPostgres>>;
let line: DatabaseLine;
let database: Database;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  line = await openDatabaseLine(server.urlOf("postgres"));
  database = await openDatabase({ databaseUrl: line.url, dataDir: null });
});
afterEach(async () => {
  await database.close();
  await line.close();
});

const ask = async (): Promise<unknown> => (await sql`select 1 as one`.execute(database.db)).rows;
const notify = (payload: string) => sql`select pg_notify('news', ${payload})`.execute(database.db);

it("reports an unreachable database and recovers when it is back", async () => {
  expect(await ask()).toEqual([{ one: 1 }]);
  line.set("cut");
  await expect(ask()).rejects.toMatchObject({ code: "unavailable", isRetryable: true });
  line.set("open");
  expect(await ask()).toEqual([{ one: 1 }]);
});

it("survives a connection that breaks in the middle of a transaction", async () => {
  const transaction = database.db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    line.set("cut");
    // The break must arrive while no query is pending; a round trip elsewhere takes long enough.
    const direct = await openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null });
    await sql`select 1`.execute(direct.db);
    await direct.close();
    await sql`select 2`.execute(trx);
  });
  await expect(transaction).rejects.toMatchObject({ code: "unavailable" });
  line.set("open");
  expect(await ask()).toEqual([{ one: 1 }]);
});

it.each(["cut", "silent"] as const)(
  "receives notices again after its connection was %s, and reports a gap",
  async (fault) => {
    const received: string[] = [];
    let gaps = 0;
    await database.listen(
      "news",
      (payload) => received.push(payload),
      () => (gaps += 1),
    );
    await notify("first");
    await expect.poll(() => received).toEqual(["first"]);
    line.set(fault);
    // Otherwise it would wait for 15 minutes.
    await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
    line.set("open");
    await expect.poll(() => gaps, { timeout: 15_000 }).toBe(1);
    await notify("second");
    await expect.poll(() => received).toEqual(["first", "second"]);
  },
  30_000,
);

it("fails pending queries when the connection goes silent again before LISTEN resumes", async () => {
  let gaps = 0;
  await database.listen(
    "news",
    () => {},
    () => (gaps += 1),
  );
  line.set("cut");
  await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
  line.set("open");
  // This connection works, half a second before LISTEN resumes.
  expect(await ask()).toEqual([{ one: 1 }]);
  line.set("silent");
  await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
  line.set("open");
  expect(await ask()).toEqual([{ one: 1 }]);
  await expect.poll(() => gaps, { timeout: 15_000 }).toBeGreaterThan(0);
}, 40_000);

it("releases the locks of a transaction on a silent connection, although the server gets no disconnect", async () => {
  const direct = await openDatabase({ databaseUrl: server.urlOf("postgres"), dataDir: null });
  const lock = sql`select pg_advisory_xact_lock(77)`;
  await database.listen("news", () => {});
  const transaction = database.db.transaction().execute(async (trx) => {
    await lock.execute(trx);
    line.set("silent");
    await sql`select 1`.execute(trx);
  });
  await expect(transaction).rejects.toMatchObject({ code: "unavailable" });
  await lock.execute(direct.db);
  await direct.close();
  line.set("open");
}, 40_000);

it("adds its settings to the options in the URL, which take precedence", async () => {
  const address = new URL(line.url);
  address.searchParams.set("options", "-c statement_timeout=4321 -c tcp_keepalives_idle=17");
  const own = await openDatabase({ databaseUrl: address.href, dataDir: null });
  const { rows } = await sql`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'tcp_keepalives_idle', 'idle_in_transaction_session_timeout')
    order by name`.execute(own.db);
  await own.close();
  expect(rows).toEqual([
    { name: "idle_in_transaction_session_timeout", setting: "15000" },
    { name: "statement_timeout", setting: "4321" },
    { name: "tcp_keepalives_idle", setting: "17" },
  ]);
});
