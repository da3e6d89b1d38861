import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { signEvent } from "#operations/outgoing/send-event.ts";
import { makeWebhookSecret } from "#operations/webhooks/webhook-secret.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const BODY = JSON.stringify({ type: "test", timestamp: "2026-01-01T00:00:00.000Z", data: { name: "Frühling" } });

const secret = makeWebhookSecret();
const headers = signEvent({ id: "a", body: BODY, at: new Date() }, [makeWebhookSecret(), secret]);
const old = signEvent({ id: "a", body: BODY, at: new Date(Date.now() - 400_000) }, [secret]);

const LANGUAGES = {
  ts: {
    file: "verify.mts",
    program: process.execPath,
    call: `const [secret, headers, body] = JSON.parse(process.argv[2]!);
console.log(JSON.stringify(verify(secret, headers, body)));`,
  },
  python: {
    file: "verify.py",
    program: "python3",
    call: `import sys
secret, headers, body = json.loads(sys.argv[1])
print(json.dumps(verify(secret, headers, body.encode())))`,
  },
};

describe.each(["ts", "python"] as const)("the %s example of the webhooks page", (language) => {
  it("accepts requests of Clipmill, and no others", async () => {
    const { file, program, call } = LANGUAGES[language];
    const page = await readFile(path.join(ROOT, "docs/operations/webhooks.md"), "utf8");
    const example = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)![1]!;
    const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-webhooks-"));
    const run = (...given: [string, Record<string, string>, string]) =>
      execa(program, [path.join(folder, file), JSON.stringify(given)], { reject: false });
    try {
      await writeFile(path.join(folder, file), `${example}\n${call}\n`);
      const [valid, changed, otherSecret, late] = await Promise.all([
        run(secret, headers, BODY),
        run(secret, headers, `${BODY} `),
        run(makeWebhookSecret(), headers, BODY),
        run(secret, old, BODY),
      ]);
      expect([valid.stderr, JSON.parse(valid.stdout)]).toEqual(["", JSON.parse(BODY)]);
      expect(changed.stderr).toContain("wrong signature");
      expect(otherSecret.stderr).toContain("wrong signature");
      expect(late.stderr).toContain("too old");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
