import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { MODEL_KINDS, modelSettings } from "#contract/settings/models.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { TEST_HOSTS } from "#tests/support/test-context.ts";
import type { Context } from "../context.ts";
import { canUseModel, readModelAccess, readModelHost, saveModelSettings } from "./model-access.ts";
import { createSecretBox } from "./secret-box.ts";
import { saveServiceKey } from "./service-key.ts";

const OPENAI = "https://api.openai.example/v1";
let context: Pick<Context, "db" | "secrets" | "openAi" | "hosts">;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase();
  const secrets = createSecretBox("a secret for tests that is long enough");
  context = { db: database.db, secrets, openAi: { baseUrl: OPENAI, model: "a-model" }, hosts: TEST_HOSTS };
  close = () => database.close();
});
beforeEach(async () => {
  await context.db.deleteFrom("settings").execute();
  context.hosts = TEST_HOSTS;
});
afterAll(() => close());

it.each(MODEL_KINDS)("uses OpenAI and its key for %s without settings, and nothing without a key", async (kind) => {
  expect(await readModelAccess(context, kind)).toBeNull();
  expect(await canUseModel(context, kind)).toBe(false);
  await saveServiceKey(context, "openai_key", "sk-openai");
  const access = { baseUrl: OPENAI, apiKey: "sk-openai", name: null, isPublicOnly: false, host: "openai", model: null };
  expect(await readModelAccess(context, kind)).toEqual(access);
  expect(await canUseModel(context, kind)).toBe(true);
  await saveServiceKey(context, `${kind}_key`, "sk-own");
  expect(await readModelAccess(context, kind)).toEqual({ ...access, apiKey: "sk-own" });
});

it.each(MODEL_KINDS)("never sends OpenAI's key to another server for %s, which must be public", async (kind) => {
  await saveServiceKey(context, "openai_key", "sk-openai");
  const own = { [`${kind}_base_url`]: "https://models.example/v1", [`${kind}_model`]: "own" };
  await saveModelSettings(context, context.db, own);
  expect(await readModelAccess(context, kind)).toEqual({
    ...{ baseUrl: "https://models.example/v1", apiKey: "none", name: `The ${kind} server` },
    ...{ isPublicOnly: true, host: kind, model: "own" },
  });
  expect(await readModelHost(context, kind)).toBe(kind);
  for (const other of MODEL_KINDS.filter((one) => one !== kind)) {
    expect(await readModelAccess(context, other)).toMatchObject({ host: "openai", apiKey: "sk-openai", model: null });
  }
  await saveServiceKey(context, `${kind}_key`, "sk-own");
  expect(await readModelAccess(context, kind)).toMatchObject({ apiKey: "sk-own" });
  expect(await readModelAccess(context, kind, "sk-typed")).toMatchObject({ apiKey: "sk-typed" });
});

it.each(MODEL_KINDS)("prefers the environment's server for %s, which may be internal", async (kind) => {
  await saveModelSettings(context, context.db, { [`${kind}_base_url`]: "https://models.example/v1" });
  const fixed = modelSettings((name) => (name === `${kind}_base_url` ? "http://llm.internal/v1" : null));
  context.hosts = { ...TEST_HOSTS, models: fixed };
  expect(await canUseModel(context, kind)).toBe(true);
  const access = { baseUrl: "http://llm.internal/v1", apiKey: "none", isPublicOnly: false, host: kind };
  expect(await readModelAccess(context, kind)).toMatchObject(access);
  const saved = saveModelSettings(context, context.db, { [`${kind}_base_url`]: null });
  await expect(saved).rejects.toThrow(`OPENAI_${kind.toUpperCase()}_BASE_URL in the server's environment sets this.`);
});

it("treats OpenAI's own address as no other server", async () => {
  await saveServiceKey(context, "openai_key", "sk-openai");
  await saveModelSettings(context, context.db, { text_base_url: OPENAI });
  expect(await readModelAccess(context, "text")).toMatchObject({ host: "openai", apiKey: "sk-openai", name: null });
});
