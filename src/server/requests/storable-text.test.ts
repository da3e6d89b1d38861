import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isFullRun } from "#tests/support/faults/fault-rounds.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { FUNCTIONS } from "../functions/functions.ts";
import { TABLES } from "../rest/rest-tables.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Field = { request: string; path: string[] };

const ID = "3f0c8a1e-9b1d-4c52-8a3e-2f1f8d1f7c11";
const SIGN_IN: Field[] = [
  ...["email", "password"].flatMap((name) => ["signup", "token?grant_type=password"].map((call) => ({ call, name }))),
  ...["email", "password", "current_password", "nonce", "data.name"].map((name) => ({ call: "user", name })),
  ...["friendly_name", "issuer", "factor_type"].map((name) => ({ call: "factors", name })),
].map(({ call, name }) => ({
  request: `${call === "user" ? "PUT" : "POST"} auth/v1/${call}`,
  path: name.split("."),
}));

/** Lists have one item, records one field. */
function textFields(schema: JsonSchema, root = schema): string[][] {
  const within = (name: string, inner: unknown) =>
    textFields(inner as JsonSchema, root).map((path) => [name].concat(path));
  const { $ref, type, properties, items, additionalProperties } = schema;
  if ($ref) return textFields(root.$defs![$ref.replace("#/$defs/", "")] as JsonSchema, root);
  return [
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => all ?? []).flatMap((one) => textFields(one, root)),
    ...(type === "string" && !("const" in schema) ? [[]] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => within(name, inner)),
    ...(items ? within("0", items) : []),
    ...(typeof additionalProperties === "object" ? [...within("x", additionalProperties), ["x"]] : []),
  ];
}

const OF_FUNCTIONS: Field[] = FUNCTIONS.flatMap(({ path, calls }) =>
  calls
    .filter(({ isGet }) => !isGet)
    .flatMap(({ takes }) => textFields(z.toJSONSchema(takes, { io: "input", unrepresentable: "any" })))
    .map((field) => ({ request: `POST functions/v1/${path}`, path: field })),
);
const OF_TABLES: Field[] = Object.values(TABLES).flatMap(({ name, write }) =>
  (write?.columns ?? []).flatMap((column) =>
    [[column], [column, "0"], [column, "x"]].flatMap((path) => [
      { request: `POST rest/v1/${name}`, path },
      { request: `PATCH rest/v1/${name}?id=eq.${ID}`, path },
    ]),
  ),
);

/** Nests `text` at the path. */
function bodyWith(path: readonly string[], text: string): unknown {
  return path.reduceRight<unknown>((inner, name) => (name === "0" ? [inner] : { [name]: inner }), text);
}

describe("text that cannot be stored", () => {
  let server: TestServer;
  let authorization: string;

  beforeAll(async () => {
    server = await startTestServer(undefined, { allowSignup: true, checksResponses: false });
    authorization = `Bearer ${(await server.client.auth.getSession()).data.session!.access_token}`;
  });
  afterAll(() => server.close());

  async function send(request: string, body: unknown): Promise<{ status: number; sentence: string }> {
    const [method, path] = request.split(" ") as [string, string];
    const response = await fetch(`${server.url}/${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { error, msg, message } = (await response.json()) as Record<string, string>;
    return { status: response.status, sentence: error ?? msg ?? message ?? "" };
  }

  it("is rejected in every text field of every call, naming the field and the character", async () => {
    const fields = [...OF_FUNCTIONS, ...OF_TABLES, ...SIGN_IN];
    const names = new Set(fields.map(({ path }) => path[0]));
    expect(["name_pattern", "proof_rows", "link_target", "link_slug_pattern", "link_utm", "settings"]).toSatisfy(
      (wanted: string[]) => wanted.every((name) => names.has(name)),
    );
    const property = fc.asyncProperty(
      fc.constantFrom(...fields),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom(["\0", "U+0000, NUL"], ["\ud83d", "U+D83D, half"], ["\udc00", "U+DC00, half"]),
      async ({ request, path }, before, [character, named]) => {
        const { status, sentence } = await send(request, bodyWith(path, `${before}${character} after`));
        expect([status, sentence]).toEqual([
          400,
          expect.stringContaining(`${path.join(".")}: Remove character ${before.length + 1} (${named}`) as string,
        ]);
      },
    );
    await fc.assert(property, { numRuns: isFullRun ? 5_000 : 250, endOnFailure: true });
  });

  it.each([
    [
      "POST functions/v1/jobs",
      { job_name: "A", input_videos: ["x"], name_pattern: "{video}\0" },
      "name_pattern: Remove",
    ],
    ["POST functions/v1/jobs", { rows: [{ link: "x", pass: { "a\0b": "" } }] }, "rows.0.pass: Remove character 2 from"],
    ["POST functions/v1/jobs", { ["\u0001"]: "\ud800" }, "…: Remove character 1 (U+D800"],
    ["POST functions/v1/jobs", "\0", "The request: Remove character 1"],
    ["POST functions/v1/jobs?action=list&search=a%00", {}, "search: Remove character 2 (U+0000, NUL)."],
  ])("is rejected: %s %j", async (request, body, sentence) => {
    expect(await send(request, body)).toEqual({ status: 400, sentence: expect.stringContaining(sentence) as string });
  });

  it.each([
    "downloads/%00",
    "downloads/outputs/%00",
    "guest/%00/view",
    "rest/v1/jobs?job_name=eq.%00",
    "auth/v1/verify?token=%00",
  ])("never causes a server error in an address: %s", async (path) => {
    const { status } = await fetch(`${server.url}/${path}`, { headers: { authorization }, redirect: "manual" });
    expect(status).toBeLessThan(500);
  });

  it("does not include pairs of surrogates and other control characters", async () => {
    const { sentence } = await send("POST functions/v1/jobs", { job_name: "😀\u0007", input_videos: [] });
    expect(sentence).toBe("Please add at least one video link");
  });
});
