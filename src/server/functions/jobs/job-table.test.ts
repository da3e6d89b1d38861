import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateJobResponse } from "#contract/calls.ts";
import type { JobTableError, JobTableResponse } from "#contract/table/job-table.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { startWebTwin, type WebTwin } from "#tests/support/twins/web-twin.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const TABLE = `link;caption;end;sku\n${LINK};Hello;0:09;1\n${LINK};;;2\n`;

describe("job-table", () => {
  let server: TestServer;
  let web: WebTwin;
  beforeAll(async () => {
    web = await startWebTwin();
    server = await startTestServer(undefined, { hosts: { privateSources: [web.authority] } });
  });
  afterAll(async () => {
    await server.close();
    await web.close();
  });

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its response
  async function call<T>(body: object): Promise<{ status: number; data: T }> {
    const { data, error } = await server.client.functions.invoke<T>("job-table", { body: { ...body } });
    if (!error) return { status: 200, data: data as T };
    if (!(error instanceof FunctionsHttpError)) throw error;
    const response = error.context as Response;
    return { status: response.status, data: (await response.json()) as T };
  }

  it("shows the rows, their problems and the plan without creating a job", async () => {
    const settings = { variants_per_video: 3 };
    const csv = `${TABLE}${LINK};;soon;3\n`;
    const { data } = await call<JobTableResponse>({ csv, settings, dry_run: true });
    expect(data).toEqual({
      rows: [
        { link: LINK, settings: { custom_captions: ["Hello"], end_seconds: 9 }, pass: { sku: "1" } },
        { link: LINK, pass: { sku: "2" } },
      ],
      problems: [{ row: 3, column: "end", message: expect.stringContaining("Enter a time") as string }],
      plan: { videos: 2, files: 6 },
      warnings: [],
    });
    const rest = { settings: { ...settings, captions_enabled: true }, dry_run: true };
    const whole = await call<JobTableResponse>({ csv: `link\n${LINK}`, ...rest });
    expect(whole.data.problems).toMatchObject([{ row: 0, message: expect.stringContaining("no captions") as string }]);
  });

  it("shows the captions of the first videos by variant, from the set and the rows, with a forecast", async () => {
    const { data: set } = await server.client
      .from("caption_sets")
      .insert({ name: "Greetings", captions: ["Hi", "Ahoy", "Hello"] })
      .select()
      .single<{ id: string }>();
    const settings = { variants_per_video: 2, captions_enabled: true, caption_set_id: set!.id };
    const request = { csv: `link,caption\n${LINK},\n${LINK},Own\n${LINK},\n`, settings, dry_run: true };
    const { data } = await call<JobTableResponse>({ ...request, forecast: true });
    expect(data.captions).toEqual([
      { row: 1, captions: ["Hi", "Ahoy"] },
      { row: 2, captions: ["Own", "Own"] },
      { row: 3, captions: ["Ahoy", "Hello"] },
    ]);
    expect((await call<JobTableResponse>(request)).data).not.toHaveProperty("captions");
  });

  it("creates the job once per idempotency key, with a mapping of its columns", async () => {
    const request = {
      csv: TABLE.replace("caption;", "Text;"),
      mapping: { Text: "caption", sku: "ignore" },
      settings: { job_name: "Shoes" },
      idempotency_key: "table-1",
    };
    const { data } = await call<CreateJobResponse>(request);
    expect(data.data).toMatchObject({ job_name: "Shoes", total_videos: 2, input_videos: [LINK, LINK] });
    expect(data.data.rows).toEqual([
      { link: LINK, settings: { captions_enabled: true, custom_captions: ["Hello"], end_seconds: 9 } },
      { link: LINK },
    ]);
    expect((await call<CreateJobResponse>(request)).data.data.id).toBe(data.data.id);
  });

  it("rejects a table with problems, and lists them", async () => {
    const { status, data } = await call<JobTableError>({ csv: `link,loop_audio\n${LINK},maybe\nx,` });
    expect(status).toBe(400);
    expect(data.error).toBe('The table has 2 problems. The first: row 1, column "loop_audio": Enter yes or no.');
    expect(data.problems.map(({ row, column }) => [row, column])).toEqual([
      [1, "loop_audio"],
      [2, "link"],
    ]);
  });

  it.each([
    [{}, 400, "Send the table as csv, or the address of a published sheet as url."],
    [{ csv: "a", url: "b" }, 400, "Send either csv or url, not both."],
    [{ csv: TABLE, mapping: { sku: "price" } }, 400, 'mapping: "price" is not the name of a setting.'],
    [
      { url: "https://example.com/a.csv", encoding: "klingon" },
      400,
      'encoding: "klingon" is not an encoding of tables.',
    ],
    [{ csv: TABLE, encoding: 1251 }, 400, "encoding: "],
    [{ csv: TABLE }, 400, "Please enter a name for your job"],
    [{ url: "sheet.csv" }, 422, "The address of the sheet must start with https://."],
    [{ url: "https://example.com/a.csv" }, 422, 'Turn on "Web addresses" in Settings'],
    [{ url: "http://docs.google.com/spreadsheets/d/a" }, 422, "must start with https://."],
  ])("rejects %j", async (body, status, sentence) => {
    const response = await call<JobTableError>(body);
    expect(response).toMatchObject({ status, data: { error: expect.stringContaining(sentence) as string } });
  });

  it("reads a published sheet, and says what is wrong with an address", async () => {
    const bytes = Buffer.from(TABLE);
    const url = web.add("/sheet.csv", { bytes, mimeType: "text/csv; charset=utf-8" });
    const { data } = await call<JobTableResponse>({ url, dry_run: true });
    expect(data).toMatchObject({ csv: TABLE, problems: [], plan: { videos: 2, files: 2 } });

    const russian = Buffer.from([...Buffer.from("SEP=;\r\nlink;caption\r\n"), ...Buffer.from(`${LINK};`), 0xcf, 0xf0]);
    const unmarked = web.add("/russian.csv", { bytes: russian, mimeType: "text/csv" });
    const rejected = await call<JobTableError>({ url: unmarked, dry_run: true });
    expect(rejected).toMatchObject({ status: 422, data: { code: "unknown_encoding" } });
    expect(rejected.data.error).toBe("This file is not in UTF-8. Send its encoding, for example windows-1251.");
    const read = await call<JobTableResponse>({ url: unmarked, encoding: "CP1251", dry_run: true });
    expect(read.data).toMatchObject({ problems: [], rows: [{ settings: { custom_captions: ["Пр"] } }] });

    const large = web.add("/large.csv", { bytes: Buffer.alloc(8 * 1024 ** 2 + 1), mimeType: "text/csv" });
    const page = web.add("/page", { bytes, behaviour: { kind: "page" } });
    const secret = web.add("/secret", { bytes, behaviour: { kind: "status", status: 403 } });
    const away = web.add("/away", { bytes, behaviour: { kind: "redirect", to: "http://127.0.0.1:9/" } });
    for (const [address, status, sentence] of [
      [large, 413, "larger than 8 MB"],
      [page, 422, "leads to a page or another file"],
      [secret, 422, "The sheet is not shared."],
      [`${web.url}/none`, 422, "has no sheet at this address"],
      [away, 422, "so it was not followed"],
    ] as const) {
      const response = await call<JobTableError>({ url: address, dry_run: true });
      expect(response).toMatchObject({ status, data: { error: expect.stringContaining(sentence) as string } });
    }
  });
});
