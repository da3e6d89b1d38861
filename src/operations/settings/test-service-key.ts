import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { MODEL_KINDS, MODEL_SERVERS } from "#contract/settings/models.ts";
import type { ServiceKey, TestKeyResponse, testKeySchema } from "#contract/settings/settings.ts";
import { GOOGLE_API } from "#contract/sources/hosts/google-drive/open-file.ts";
import { baseUrlOf } from "#contract/sources/source-host.ts";
import { testGoogleKey } from "#integrations/sources/test-google-key.ts";
import type { Context } from "../context.ts";
import { readModelAccess } from "./model-access.ts";
import { readServiceKey } from "./service-key.ts";

const TIMEOUT_MS = 15_000;

type TestContext = Pick<Context, "db" | "secrets" | "openAi" | "hosts">;

/** Returns the result as a sentence. */
export async function testServiceKey(
  context: TestContext,
  { name, key: input }: z.output<typeof testKeySchema>,
): Promise<TestKeyResponse> {
  try {
    const key = input || (await readServiceKey(context, name));
    if (!key) return { isValid: false, message: "There is no key to test. Enter one first." };
    const message = await ask(context, name, key);
    return { isValid: true, message };
  } catch (error) {
    if (error instanceof ClipmillError) return { isValid: false, message: error.message };
    throw error;
  }
}

async function ask(context: TestContext, name: ServiceKey, apiKey: string): Promise<string> {
  const { hosts, openAi } = context;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  switch (name) {
    case "google_drive_key":
      await testGoogleKey(apiKey, baseUrlOf(hosts, GOOGLE_API), signal);
      return "Google accepts this key.";
    case "openai_key": {
      const { listOpenAiModels } = await import("#integrations/openai/openai.ts");
      await listOpenAiModels({ apiKey, baseUrl: openAi.baseUrl, name: null, isPublicOnly: false }, signal);
      return "OpenAI accepts this key.";
    }
    case "text_key":
    case "vision_key":
    case "transcription_key": {
      const { listModels } = await import("#integrations/openai/openai.ts");
      const kind = MODEL_KINDS.find((one) => name === `${one}_key`)!;
      await listModels((await readModelAccess(context, kind, apiKey))!, signal);
      return `${MODEL_SERVERS[kind]} accepts this key.`;
    }
  }
}
