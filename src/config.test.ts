import { expect, it } from "vitest";
import { openIdSettings, readConfig } from "./config.ts";

it("requires no settings, and treats empty values as unset", () => {
  expect(readConfig({})).toMatchObject({ PORT: 8080, ALLOW_SIGNUP: false });
  expect(readConfig({ ALLOW_SIGNUP: "", SMTP_URL: "", PUBLIC_URL: "" })).toMatchObject({ ALLOW_SIGNUP: false });
  expect(readConfig({ ALLOW_SIGNUP: "true" }).ALLOW_SIGNUP).toBe(true);
});

it("lists every invalid setting", () => {
  expect(() => readConfig({ PORT: "no", ALLOW_SIGNUP: "perhaps" })).toThrow(/PORT: .*ALLOW_SIGNUP: /);
});

it("sends mails only with a public URL and a sender", () => {
  const smtp = { SMTP_URL: "smtps://user:password@mail.test" };
  expect(() => readConfig(smtp)).toThrow(
    "The configuration is invalid: PUBLIC_URL: must be set when SMTP_URL is; MAIL_FROM: must be set when SMTP_URL is.",
  );
  const whole = { ...smtp, PUBLIC_URL: "https://clips.test/", MAIL_FROM: "Clipmill <clipmill@clips.test>" };
  expect(readConfig(whole)).toMatchObject({ PUBLIC_URL: "https://clips.test" });
  expect(() => readConfig({ ...whole, SMTP_URL: "http://mail.test" })).toThrow(/SMTP_URL/);
});

it("stores files in the bucket named by STORAGE_URL, otherwise in a folder", () => {
  expect(readConfig({ STORAGE_URL: "" }).STORAGE_URL).toBeUndefined();
  const bucket = { bucket: "clips", prefix: "a", endpoint: null, publicEndpoint: null, region: "eu-central-1" };
  expect(readConfig({ STORAGE_URL: "s3://clips/a?region=eu-central-1" }).STORAGE_URL).toEqual(bucket);
  expect(() => readConfig({ STORAGE_URL: "s3://key:hunter2@clips", PORT: "no" })).toThrow(
    /PORT: .*STORAGE_URL: must not contain credentials(?!.*hunter2)/,
  );
});

it("allows presigned downloads only with a bucket", () => {
  expect(readConfig({}).STORAGE_DOWNLOADS).toBe("streamed");
  const presigned = { STORAGE_DOWNLOADS: "presigned", STORAGE_URL: "s3://clips?region=eu-central-1" };
  expect(readConfig(presigned).STORAGE_DOWNLOADS).toBe("presigned");
  expect(() => readConfig({ ...presigned, STORAGE_URL: "" })).toThrow(
    "The configuration is invalid: STORAGE_DOWNLOADS: requires STORAGE_URL to name a bucket.",
  );
});

it("sends traces to a collector with a known sampler", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.lan:4318/" };
  expect(readConfig({}).OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined();
  expect(readConfig(endpoint).OTEL_EXPORTER_OTLP_ENDPOINT).toBe("http://collector.lan:4318");
  const ratio = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" };
  expect(readConfig({ ...endpoint, ...ratio }).OTEL_TRACES_SAMPLER_ARG).toBe(0.1);
  expect(() => readConfig({ OTEL_TRACES_SAMPLER: "sometimes", OTEL_TRACES_SAMPLER_ARG: "2" })).toThrow(
    /OTEL_TRACES_SAMPLER: .*OTEL_TRACES_SAMPLER_ARG: /,
  );
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
});

it("trusts proxies by address or network", () => {
  const { TRUSTED_PROXIES } = readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7,2001:db8::/32" });
  expect(TRUSTED_PROXIES).toEqual(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);
  for (const text of ["proxy.lan", "10.0.0.0/8,", "10.0.0.0/33"]) {
    expect(() => readConfig({ TRUSTED_PROXIES: text })).toThrow(
      /TRUSTED_PROXIES: must be a comma-separated list of IP addresses or networks/,
    );
  }
});

it("keeps the URLs of embedded pages unchanged", () => {
  const page = "https://docs.example.com/d/1?tab=2#week";
  expect(readConfig({ BATCH_SCHEDULER_URL: page, WARMUP_ROBOT_URL: "" })).toMatchObject({ BATCH_SCHEDULER_URL: page });
});

it.each([
  ["nonsense", {}, /BATCH_SCHEDULER_URL: Invalid URL/],
  ["javascript:alert(1)", {}, /BATCH_SCHEDULER_URL: Invalid URL/],
  ["https://a:b@docs.test/x", {}, /BATCH_SCHEDULER_URL: must not contain a username or password/],
  ["http://127.0.0.1:8080/x", {}, /BATCH_SCHEDULER_URL: must not point to Clipmill itself/],
  ["http://LOCALHOST:9000/x", { PORT: "9000" }, /BATCH_SCHEDULER_URL: must not point to Clipmill itself/],
  ["http://clips.lan:8080/", { HOST: "clips.lan" }, /BATCH_SCHEDULER_URL: must not point to Clipmill itself/],
  ["https://clips.test/x", { PUBLIC_URL: "https://clips.test/" }, /BATCH_SCHEDULER_URL: must not point to/],
])("rejects %s as a page to embed", (page, others, sentence) => {
  expect(() => readConfig({ BATCH_SCHEDULER_URL: page, ...others })).toThrow(sentence);
});

const OIDC = { OIDC_ISSUER: "https://login.acme.test/", OIDC_CLIENT_ID: "clipmill" };

it("reads who may sign in at the identity provider", () => {
  expect(openIdSettings(readConfig({}))).toBeNull();
  const lists = { OIDC_ALLOWED_DOMAINS: "Acme.test, @acme.example,", OIDC_ALLOWED_GROUPS: "Editors, /staff" };
  expect(openIdSettings(readConfig({ ...OIDC, ...lists, OIDC_NAME: "Acme", PASSWORD_SIGN_IN: "off" }))).toEqual({
    issuer: "https://login.acme.test/",
    clientId: "clipmill",
    clientSecret: null,
    scopes: "openid email profile",
    name: "Acme",
    rules: {
      domains: ["acme.test", "acme.example"],
      groups: ["Editors", "/staff"],
      groupsClaim: "groups",
      trustsEmails: false,
    },
  });
});

it.each([
  [OIDC, /OIDC_ALLOWED_DOMAINS: or OIDC_ALLOWED_GROUPS must be set when OIDC_ISSUER is/],
  [{ ...OIDC, OIDC_ALLOWED_DOMAINS: " , " }, /OIDC_ALLOWED_DOMAINS: /],
  [{ OIDC_ISSUER: OIDC.OIDC_ISSUER, OIDC_ALLOWED_DOMAINS: "*" }, /OIDC_CLIENT_ID: must be set when OIDC_ISSUER is/],
  [{ ...OIDC, OIDC_ALLOWED_DOMAINS: "*", OIDC_ISSUER: "http://login.acme.test" }, /OIDC_ISSUER: must be an https/],
  [{ ...OIDC, OIDC_ALLOWED_DOMAINS: "*", OIDC_SCOPES: "email" }, /OIDC_SCOPES: must include openid/],
  [{ PASSWORD_SIGN_IN: "off" }, /PASSWORD_SIGN_IN: can be off only with OIDC_ISSUER/],
])("rejects %j, which would let in everybody or nobody", (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(sentence);
});

it("lets tests and proxies replace the addresses of source hosts", () => {
  expect(readConfig({}).sourceBaseUrls).toMatchObject({ GOOGLE_API_BASE_URL: "https://www.googleapis.com" });
  const { sourceBaseUrls } = readConfig({ GOOGLE_API_BASE_URL: "http://127.0.0.1:8099/" });
  expect(sourceBaseUrls["GOOGLE_API_BASE_URL"]).toBe("http://127.0.0.1:8099");
  expect(() => readConfig({ GOOGLE_API_BASE_URL: "nowhere", PORT: "no" })).toThrow(/PORT: .*GOOGLE_API_BASE_URL: /);
});

it("reads private sources as exact hosts with ports, in the spelling of parsed addresses", () => {
  const text = "NAS.local:8080, 10.0.0.5:443,[::1]:8081,[0:0:0::2]:80,bücher.lan:80";
  expect(readConfig({ ALLOW_PRIVATE_SOURCES: text }).ALLOW_PRIVATE_SOURCES).toEqual([
    "nas.local:8080",
    "10.0.0.5:443",
    "[::1]:8081",
    "[::2]:80",
    "xn--bcher-kva.lan:80",
  ]);
  const invalid = [
    "nas.local",
    "nas:99999",
    "http://nas:80",
    "nas:80/clips",
    "me@nas:80",
    "*.lan:80",
    "nas:80,",
    ":80",
  ];
  for (const text of invalid) {
    expect(() => readConfig({ ALLOW_PRIVATE_SOURCES: text })).toThrow(
      /ALLOW_PRIVATE_SOURCES: must be a comma-separated list of addresses with ports/,
    );
  }
});
