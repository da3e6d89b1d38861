import { expect, test } from "vitest";
import { MODEL_SETTINGS } from "#contract/settings/models.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { describeServer, explainAddress, toChange, toForm } from "./models-form.ts";

const NONE = Object.fromEntries(MODEL_SETTINGS.map((name) => [name, null])) as unknown as SettingsResponse;

test("only edited fields are sent: empty ones are removed, and empty keys stay", () => {
  const typed = { ...toForm(NONE), text_base_url: " https://llm.example/v1 ", text_model: " ", vision_model: "seen" };
  expect(toChange(typed, new Set(["text_base_url", "text_model", "text_key"]))).toEqual({
    text_base_url: "https://llm.example/v1",
    text_model: null,
    text_key: "",
  });
});

test("a kind of model is summed up by its server and model", () => {
  expect(describeServer(NONE, "vision")).toBe("OpenAI");
  const own = { ...NONE, vision_base_url: "https://llm.example:8443/v1", vision_model: "qwen3-vl" };
  expect(describeServer(own, "vision")).toBe("llm.example:8443 · qwen3-vl");
  expect(explainAddress("")).toBe(true);
  expect(explainAddress("http://llm.example/v1")).toBe("The address must start with https://.");
});
