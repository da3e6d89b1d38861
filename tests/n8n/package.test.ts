/** The parts of the n8n node that need no n8n. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { execa } from "execa";
import { array, assert, constantFrom, oneof, property, record, string } from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { toCsv } from "../../clients/n8n/nodes/Clipmill/to-csv.ts";
import { isFromClipmill } from "../../clients/n8n/nodes/ClipmillTrigger/verify-event.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

it("is built with the entries that n8n loads, and needs only what n8n provides", async () => {
  const folder = path.join(await makeScratchFolder(), "n8n");
  await execa("npm", ["run", "--silent", "build:n8n", "--", "--outDir", folder, "--logLevel", "warn"], { cwd: ROOT });
  const { n8n, dependencies } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    n8n: { credentials: string[]; nodes: string[] };
    dependencies?: object;
  };
  expect(dependencies).toBeUndefined();
  const files = [...n8n.credentials, ...n8n.nodes, "dist/parts/connect.js"];
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  const needed = texts.flatMap((text) => [...text.matchAll(/require\("([^./][^"]*)"\)/g)].map(([, name]) => name));
  expect(new Set(needed)).toEqual(new Set(["n8n-workflow", "node:crypto"]));
  // The typed client waits with n8n's timer.
  expect(texts.at(-1)).toContain("function setTimeout(");
  for (const [, file] of texts.join("\n").matchAll(/file:[./]+(icons\/[\w.]+)/g)) {
    await expect(readFile(path.join(folder, "dist", file!), "utf8")).resolves.toContain("<svg");
  }
});

it("writes tables that read back as the same cells", () => {
  const cell = oneof(string(), constantFrom(' "', ",", "\n", "\r\n", " padded "));
  const rows = array(record({ link: cell, name: cell, "a,b": cell }), { minLength: 1, maxLength: 5 });
  const readsBack = property(rows, (given) => {
    expect(parse(toCsv(given), { columns: true })).toEqual(given);
  });
  assert(readsBack);
  expect(
    toCsv([
      { link: "a", speed: 1.5 },
      { link: "b", captions: ["x"], name: null },
    ]),
  ).toBe('link,speed,captions,name\r\na,1.5,,\r\nb,,"[""x""]",');
});

describe("a request to the trigger", () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const sentMs = 1_800_000_000_000;
  const body = '{"type":"job.completed"}';
  const sign = (key: string): string => new Webhook(key).sign("evt_1", new Date(sentMs), body);
  const headersOf = (signature: string) => ({
    "webhook-id": "evt_1",
    "webhook-timestamp": String(sentMs / 1_000),
    "webhook-signature": signature,
  });
  const accepts = (headers: Record<string, string>, text = body, nowMs = sentMs): boolean =>
    isFromClipmill(secret, headers, Buffer.from(text), nowMs);
  const other = sign(`whsec_${Buffer.alloc(24, 8).toString("base64")}`);

  it("is accepted with the secret's signature, also beside another one", () => {
    expect(accepts(headersOf(sign(secret)))).toBe(true);
    expect(accepts(headersOf(`${other} ${sign(secret)}`))).toBe(true);
  });

  it("is rejected with another signature, body or time, or without a header", () => {
    const headers = headersOf(sign(secret));
    expect(accepts(headersOf(other))).toBe(false);
    expect(accepts(headersOf("v1,"))).toBe(false);
    expect(accepts(headers, body.replace("job", "jab"))).toBe(false);
    expect(accepts(headers, body, sentMs + 301_000)).toBe(false);
    expect(accepts({ ...headers, "webhook-timestamp": "soon" })).toBe(false);
    for (const name of Object.keys(headers)) {
      expect(accepts(Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)))).toBe(false);
    }
  });
});
