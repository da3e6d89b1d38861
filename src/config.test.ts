import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

it("needs nothing, and takes empty values for unset ones", () => {
  expect(readConfig({})).toMatchObject({ PORT: 8080, ALLOW_SIGNUP: false });
  expect(readConfig({ ALLOW_SIGNUP: "", SMTP_URL: "", PUBLIC_URL: "" })).toMatchObject({ ALLOW_SIGNUP: false });
  expect(readConfig({ ALLOW_SIGNUP: "true" }).ALLOW_SIGNUP).toBe(true);
});

it("names every fault", () => {
  expect(() => readConfig({ PORT: "no", ALLOW_SIGNUP: "perhaps" })).toThrow(/PORT: .*ALLOW_SIGNUP: /);
});

it("sends mails only with an address to point to and a sender", () => {
  const smtp = { SMTP_URL: "smtps://user:password@mail.test" };
  expect(() => readConfig(smtp)).toThrow(
    "The configuration has faults: PUBLIC_URL: must be set when SMTP_URL is; MAIL_FROM: must be set when SMTP_URL is.",
  );
  const whole = { ...smtp, PUBLIC_URL: "https://clips.test/", MAIL_FROM: "Clipmill <clipmill@clips.test>" };
  expect(readConfig(whole)).toMatchObject({ PUBLIC_URL: "https://clips.test" });
  expect(() => readConfig({ ...whole, SMTP_URL: "http://mail.test" })).toThrow(/SMTP_URL/);
});
