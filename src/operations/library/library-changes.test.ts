/** The function `library`: names, tags, uses and deletion of several files. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HeldFile, LibraryFile } from "#contract/calls.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { library } from "#database/migrations/0020-second-edition.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

type Received = { status: number; body: { data?: LibraryFile[] & LibraryFile; held?: HeldFile[]; error?: string } };

const ALPHABET = ["beach", "street", "song", "logo", "unused", "free"];

describe("the library", () => {
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    token = (await server.client.auth.getSession()).data.session!.access_token;
    for (const [place, id] of ALPHABET.entries()) {
      const kind = id === "logo" ? "image" : id === "song" ? "audio" : "video";
      const facts = { size_bytes: 1, duration_seconds: 1, is_sample: false, storage_key: `library/${id}` };
      const created_at = new Date(Date.UTC(2026, 0, 1, 0, place)).toISOString();
      await server.context.db
        .insertInto("library_files")
        .values({ id, name: `${id}.x`, kind, created_at, ...facts })
        .execute();
    }
  });
  afterAll(() => server.close());

  async function call(body: object): Promise<Received> {
    const response = await fetch(`${server.url}/functions/v1/library`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Received["body"] };
  }
  const change = (id: string, changes: object) => call({ method: "PATCH", id, ...changes });
  const uses = async () => {
    const { body } = await call({ method: "GET" });
    return Object.fromEntries(body.data!.map(({ id, usage }) => [id, Object.values(usage)]));
  };

  it("changes a file's name and tags, trimmed and unique", async () => {
    const { body } = await change("beach", { name: "  Strand 🌊.mp4 ", tags: [" Summer ", "summer", "", "B  roll"] });
    expect(body.data).toMatchObject({ id: "beach", name: "Strand 🌊.mp4", tags: ["Summer", "B roll"] });
    expect((await change("beach", { tags: [] })).body.data).toMatchObject({ name: "Strand 🌊.mp4", tags: [] });
    expect((await change("beach", { name: "beach.x" })).body.data).toMatchObject({ name: "beach.x", tags: [] });
    expect((await call({ method: "GET" })).body.data!.map(({ createdAt }) => createdAt)[0]).toMatch(
      /^2026-01-01T00:00/,
    );
  });

  it.each([
    [{ name: " " }, 400, "Enter a name for the file."],
    [{ name: 7 }, 400, "Enter a name for the file."],
    [{ name: "x".repeat(201) }, 400, "The name of a file can have at most 200 characters."],
    [{ name: "clip\u202Egpj.mp4" }, 400, "The name contains characters that cannot be displayed."],
    [{ tags: "summer" }, 400, "Tags must be a list of strings."],
    [{ tags: [1] }, 400, "Tags must be a list of strings."],
    [{ tags: ["x".repeat(41)] }, 400, "A tag can have at most 40 characters."],
    [{ tags: Array.from({ length: 21 }, (_unused, i) => `${i}`) }, 400, "A file can have at most 20 tags."],
    [{ tags: ["a\u0000b"] }, 400, "tags.0: Remove character 2 (U+0000, NUL). It cannot be stored."],
    [{ tags: ["a\u0007b"] }, 400, "A tag contains characters that cannot be displayed."],
    [{}, 400, "Enter a name or tags to change."],
    [{ id: "gone", tags: [] }, 404, "This file is no longer in the library."],
    [{ method: "DELETE", ids: [] }, 400, "Select at least one file."],
    [{ method: "DELETE", ids: "beach" }, 400, "The file IDs are missing or not valid."],
    [{ method: "PUT" }, 400, "method: must be GET, PATCH or DELETE"],
  ])("rejects %j", async (request, status, error) => {
    expect(await call({ method: "PATCH", id: "beach", ...request })).toMatchObject({ status, body: { error } });
  });

  it("counts the jobs that use a file, and deletes the files that no unfinished one needs", async () => {
    const beach = libraryLink("beach");
    const first = await server.create({
      job_name: "First",
      input_videos: [beach, `${beach}/view`, libraryLink("gone")],
      ...{ audio_enabled: true, custom_audio_links: [libraryLink("song")] },
      ...{ watermark_enabled: true, watermark_image: libraryLink("logo") },
    });
    const second = await server.create({ job_name: "Second", input_videos: [beach] });
    await server.create({ input_videos: [libraryLink("unused")], watermark_image: libraryLink("logo") });
    await server.context.db.updateTable("jobs").set({ status: "Completed" }).where("id", "<>", first.id).execute();
    const { id: batch_id } = await server.context.db
      .insertInto("caption_batches")
      .values({ links_digest: "x" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await server.context.db
      .insertInto("caption_tasks")
      .values([{ batch_id, position: 0, link: libraryLink("street") }])
      .execute();
    const set = { name: "Calm", audio_links: [libraryLink("free")] };
    await server.context.db.insertInto("audio_sets").values(set).execute();
    const expected = {
      ...{ beach: [2, 1, 0, false], street: [0, 0, 0, true], song: [1, 1, 0, false], logo: [1, 1, 0, false] },
      ...{ unused: [1, 0, 0, false], free: [0, 0, 1, false] },
    };
    expect(await uses()).toEqual(expected);
    // The migration finds the same uses in jobs from before it.
    await sql`drop table library_uses`.execute(server.context.db);
    await sql`alter table library_files drop column tags`.execute(server.context.db);
    for (const statement of library) await sql.raw(statement).execute(server.context.db);
    expect(await uses()).toEqual(expected);

    const { body } = await call({ method: "DELETE", ids: [...ALPHABET, "missing"] });
    const unheld = { jobs: [], jobCount: 0, savedIn: [], isInCaptionLab: false };
    const byJob = { jobs: [{ id: first.id, job_name: "First" }], jobCount: 1 };
    expect(body.held).toEqual([
      { ...unheld, id: "beach", name: "beach.x", ...byJob },
      { ...unheld, id: "free", name: "free.x", savedIn: [{ kind: "audio set", name: "Calm" }] },
      { ...unheld, id: "logo", name: "logo.x", ...byJob },
      { ...unheld, id: "song", name: "song.x", ...byJob },
      { ...unheld, id: "street", name: "street.x", isInCaptionLab: true },
    ]);
    expect(body.data!.map(({ id }) => id)).toEqual(["beach", "street", "song", "logo", "free"]);
    await server.context.db.updateTable("jobs").set({ status: "Queued" }).where("id", "=", second.id).execute();
    const sentence = "2 running or waiting jobs need this file: First, Second. Cancel the jobs or wait until they end.";
    expect(await call({ method: "DELETE", id: "beach" })).toMatchObject({ status: 409, body: { error: sentence } });
    // Deleting a job ends its uses.
    await server.context.db.updateTable("jobs").set({ status: "Failed" }).execute();
    await server.context.db.deleteFrom("jobs").where("id", "=", first.id).execute();
    expect(await uses()).toMatchObject({ beach: [1, 0, 0, false], logo: [0, 0, 0, false] });
    expect((await call({ method: "DELETE", id: "beach" })).body.data!.map(({ id }) => id)).not.toContain("beach");
  });
});
