import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { TERMINAL } from "../audit/write-audit.ts";
import { createAccount } from "../accounts/create-account.ts";
import { enrollFactor, sealName } from "../accounts/second-step/enroll-factor.ts";
import { createCodeHasher } from "../accounts/mail/mail-token.ts";
import { createThrottles } from "../accounts/sign-in/throttle.ts";
import { readSealingVersion, resealSecrets } from "./reseal-secrets.ts";
import { openConnectionSecret, sealConnectionSecret, selectConnections } from "../connections/select-connections.ts";
import { addWebhook } from "../webhooks/add-webhook.ts";
import { listWebhooks } from "../webhooks/select-webhooks.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";
import { readKeyState, readServiceKey, saveServiceKey } from "./service-key.ts";

const OLD = "an old secret for tests, long enough";
const NEW = "a new secret for tests, long enough too";

let database: Database;
let factorId: string;
let factorSecret: string;
const CONNECTION = "33333333-3333-4333-8333-333333333333";

/** Returns true if the box opens all sealed values. */
async function opens(secrets: SecretBox): Promise<boolean> {
  const { sealed_secret: sealed } = await database.db
    .selectFrom("factors")
    .select("sealed_secret")
    .executeTakeFirstOrThrow();
  try {
    const key = await readServiceKey({ db: database.db, secrets }, "openai_key");
    const [connection] = await selectConnections(database.db).execute();
    const secret = openConnectionSecret({ secrets }, connection!);
    const [webhook] = await listWebhooks({ db: database.db, secrets });
    return (
      key === "sk-0123456789abcdef" &&
      secrets.open(sealName(factorId), sealed) === factorSecret &&
      secret?.secret_access_key === "s3-secret" &&
      !webhook!.needs_secret
    );
  } catch {
    return false;
  }
}

describe("resealing", () => {
  beforeEach(async () => {
    database = await openPostgresDatabase();
    const context = { db: database.db, secrets: createSecretBox(OLD), actor: TERMINAL };
    await saveServiceKey(context, "openai_key", "sk-0123456789abcdef");
    const settings = { endpoint: null, region: "auto", access_key_id: "AKIA", buckets: [], path_style: false };
    const sealed_secret = sealConnectionSecret(context, CONNECTION, { secret_access_key: "s3-secret" });
    await database.db
      .insertInto("connections")
      .values({ id: CONNECTION, kind: "s3", name: "Archive", settings: JSON.stringify(settings), sealed_secret })
      .execute();
    await addWebhook(
      { ...context, privateWebhooks: [] },
      { url: "https://hooks.example/clipmill", events: ["job.completed"] },
    );
    const account = await createAccount(context, { email: "ada@clipmill.local", password: "correct horse" });
    const asking = { accountId: account.id, email: account.email, sessionId: account.id, address: "127.0.0.1" };
    const factor = await enrollFactor(
      { ...context, throttles: createThrottles(), hashCode: createCodeHasher(OLD) },
      asking,
      { friendlyName: "Phone", issuer: "Clipmill", currentPassword: "correct horse" },
    );
    factorId = factor.id;
    factorSecret = factor.secret;
  });
  afterEach(() => database.close());

  it("moves all keys and second steps to the new secret, and keeps their dates", async () => {
    const context = { db: database.db, secrets: createSecretBox(OLD), actor: TERMINAL };
    const before = await readKeyState(context, "openai_key");
    expect(await readSealingVersion(database)).toBe(1);
    const from = createSecretBox(NEW, { previous: [OLD] });
    const to = createSecretBox(NEW, { version: 2 });
    expect(await resealSecrets({ db: database.db, actor: TERMINAL }, { from, to })).toMatchObject({
      keys: 1,
      secondSteps: 1,
      connections: 1,
      webhooks: 1,
    });
    expect(await readSealingVersion(database)).toBe(2);
    expect(await opens(createSecretBox(NEW))).toBe(true);
    expect(await opens(createSecretBox(OLD))).toBe(false);
    expect(await readKeyState({ ...context, secrets: createSecretBox(NEW) }, "openai_key")).toEqual(before);
  });

  it("changes nothing if one of them cannot be decrypted", async () => {
    await sql`update factors set sealed_secret = 'v1.AAAA.AAAA.AAAA'`.execute(database.db);
    const { value } = await database.db.selectFrom("settings").select("value").executeTakeFirstOrThrow();
    const to = createSecretBox(NEW, { version: 2 });
    await expect(
      resealSecrets({ db: database.db, actor: TERMINAL }, { from: createSecretBox(OLD), to }),
    ).rejects.toThrow("cannot be decrypted");
    expect(await database.db.selectFrom("settings").select("value").executeTakeFirstOrThrow()).toEqual({ value });
  });

  it("removes only undecryptable values, and only on request", async () => {
    await sql`update factors set sealed_secret = 'v1.AAAA.AAAA.AAAA'`.execute(database.db);
    await sql`update connections set sealed_secret = 'v1.AAAA.AAAA.AAAA'`.execute(database.db);
    await sql`update webhooks set sealed_secret = 'v1.AAAA.AAAA.AAAA'`.execute(database.db);
    const to = createSecretBox(NEW, { version: 2 });
    const resealed = await resealSecrets(
      { db: database.db, actor: TERMINAL },
      { from: createSecretBox(OLD), to, removesLost: true },
    );
    const removed = { keys: 0, secondSteps: 1, connections: 1, webhooks: 1 };
    expect(resealed).toEqual({ keys: 1, secondSteps: 0, connections: 0, webhooks: 0, removed });
    // It keeps its other fields and needs its secret again.
    expect(await selectConnections(database.db).execute()).toMatchObject([{ name: "Archive", sealed_secret: null }]);
    expect(await readServiceKey({ db: database.db, secrets: to }, "openai_key")).toBe("sk-0123456789abcdef");
    expect(await database.db.selectFrom("factors").select("id").execute()).toEqual([]);
  });

  it("leaves everything under one of the two secrets if interrupted", async () => {
    let sealed = 0;
    const to = createSecretBox(NEW, { version: 2 });
    const dying: SecretBox = {
      ...to,
      seal(name, plain) {
        sealed += 1;
        if (sealed === 2) throw new Error("killed");
        return to.seal(name, plain);
      },
    };
    await expect(
      resealSecrets({ db: database.db, actor: TERMINAL }, { from: createSecretBox(OLD), to: dying }),
    ).rejects.toThrow("killed");
    expect(await opens(createSecretBox(OLD))).toBe(true);
  });
});

describe("a sealed text", () => {
  const box = createSecretBox(OLD);

  it("opens only under its own name, and not after a change to any part", () => {
    const sealed = box.seal("openai_key", "sk-secret");
    expect(sealed).toMatch(/^v1\./);
    expect(sealed).not.toContain("sk-secret");
    expect(box.open("openai_key", sealed)).toBe("sk-secret");
    expect(() => box.open("google_drive_key", sealed)).toThrow("cannot be decrypted");
    const parts = sealed.split(".");
    for (const [at, part] of parts.entries()) {
      const flipped = part.startsWith("A") ? `B${part.slice(1)}` : `A${part.slice(1)}`;
      const changed = parts.with(at, at === 0 ? "v2" : flipped).join(".");
      expect(() => box.open("openai_key", changed)).toThrow("cannot be decrypted");
    }
    for (const odd of ["", "sk-secret", "v1", "v1...", `${sealed}.x`]) {
      expect(() => box.open("openai_key", odd)).toThrow("cannot be decrypted");
    }
  });

  it("differs each time, and also opens for another version", () => {
    expect(box.seal("openai_key", "sk-secret")).not.toBe(box.seal("openai_key", "sk-secret"));
    const newer = createSecretBox(OLD, { version: 7 }).seal("openai_key", "sk-secret");
    expect(newer).toMatch(/^v7\./);
    expect(box.open("openai_key", newer)).toBe("sk-secret");
  });
});
