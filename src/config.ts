import { availableParallelism } from "node:os";
import path from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { problemOfPage } from "#contract/settings/embedded-pages.ts";
import { OWN_FOLDER } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import { COST_LIMITS } from "#contract/jobs/jobs.ts";
import { MIN_TOKEN_CHARACTERS } from "#ground/publish-signature.ts";
import { SAMPLERS } from "#ground/tracing/samplers.ts";
import { SOURCE_SERVICES } from "#contract/sources/source-hosts.ts";
import { LABELS_RULE, parseWorkerLabels } from "#contract/jobs/worker-labels.ts";
import { ENCODERS } from "#contract/settings/system.ts";
import type { OpenIdSettings } from "#operations/accounts/openid/open-id-sign-in.ts";
import { isLocalName } from "#operations/watch-folders/local/local-folders.ts";
import { readS3Location } from "#storage/s3/s3-location.ts";

const port = z.coerce.number().int().min(0).max(65_535);
const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const isOn = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");

const networks = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => ipaddr.isValidCIDR(name) || ipaddr.isValid(name))) return names;
  context.addIssue({
    code: "custom",
    message: "must be a comma-separated list of IP addresses or networks, such as 10.1.2.3 or 10.0.0.0/8",
  });
  return z.NEVER;
});

const privateAddresses = z.string().transform((text, context) => {
  const addresses = text.split(",").map((address) => readAuthority(address.trim()));
  if (addresses.every((address) => address !== null)) return addresses;
  context.addIssue({
    code: "custom",
    message: "must be a comma-separated list of addresses with ports, such as nas.local:8080 or 10.0.0.5:443",
  });
  return z.NEVER;
});

/** Returns `host:port`, spelled like parsed addresses, or null for other text. */
function readAuthority(text: string): string | null {
  const [, port] = /^[^\s/?#@*\\]+:(\d{1,5})$/.exec(text) ?? [];
  const url = port === undefined ? null : URL.parse(`http://${text}`);
  return url && `${url.hostname}:${Number(port)}`;
}

/** The path may contain colons. */
const WATCH_FOLDER = /^([^:]+):(\/.*)$/;

const watchFolders = z.string().transform((text, context) => {
  const folders = text.split(",").map((folder) => WATCH_FOLDER.exec(folder.trim()));
  if (folders.every((found) => found !== null && isLocalName(found[1]!))) {
    return new Map(folders.map((found) => [found![1]!, path.resolve(found![2]!)]));
  }
  context.addIssue({
    code: "custom",
    message: "must be a comma-separated list of names and absolute paths, such as incoming:/mnt/incoming",
  });
  return z.NEVER;
});

const deliveryFolders = z.string().transform((text, context) => {
  const folders = text.split(",").map((entry) => /^\s*([a-z0-9][a-z0-9-]{0,39}):(\/.+?)\s*$/.exec(entry)?.slice(1));
  const names = folders.map((folder) => folder?.[0]);
  if (names.every((name) => name !== undefined && name !== OWN_FOLDER) && new Set(names).size === names.length) {
    return Object.fromEntries(folders as [string, string][]);
  }
  context.addIssue({
    code: "custom",
    message:
      "must be a comma-separated list of names with absolute paths, such as nas:/mnt/nas,archive:/srv/archive; the name deliveries is reserved",
  });
  return z.NEVER;
});

const commaSeparated = z.string().transform((text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
);

const issuerUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { protocol, hostname, search, hash } = new URL(text);
  const isSafe = protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return isSafe && search === "" && hash === "";
}, "must be an https address");

const storageUrl = z.string().transform((text, context) => {
  const location = readS3Location(text);
  if (!("problem" in location)) return location;
  context.addIssue({ code: "custom", message: location.problem });
  return z.NEVER;
});

const fields = z.object({
  PORT: port.default(8080),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: optional(webAddress),
  TRUSTED_PROXIES: optional(networks),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  DATABASE_SESSION_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  STORAGE_URL: optional(storageUrl),
  STORAGE_DOWNLOADS: z.enum(["streamed", "presigned"]).default("streamed"),
  APP_SECRET: optional(z.string().min(32, "must have at least 32 characters")),
  PREVIOUS_APP_SECRET: optional(z.string()),
  ADMIN_EMAIL: optional(z.string()),
  ADMIN_PASSWORD: optional(z.string().min(8, "must have at least 8 characters")),
  ALLOW_SIGNUP: z.preprocess((value) => (value === "" ? undefined : value), isOn),
  OIDC_ISSUER: optional(issuerUrl),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  OIDC_NAME: z.string().trim().min(1).max(40).default("SSO"),
  OIDC_SCOPES: z
    .string()
    .regex(/\bopenid\b/, "must include openid")
    .default("openid email profile"),
  OIDC_ALLOWED_DOMAINS: optional(commaSeparated),
  OIDC_ALLOWED_GROUPS: optional(commaSeparated),
  OIDC_GROUPS_CLAIM: z.string().min(1).default("groups"),
  OIDC_TRUST_EMAILS: z.preprocess((value) => (value === "" ? undefined : value), isOn),
  PASSWORD_SIGN_IN: z.enum(["on", "off"]).default("on"),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
  MAIL_FROM: optional(z.string().regex(/@/, "must contain an email address")),
  WATCH_FOLDERS: optional(watchFolders),
  ALLOW_PRIVATE_SOURCES: optional(privateAddresses),
  ALLOW_PRIVATE_WEBHOOKS: optional(privateAddresses),
  DELIVERY_FOLDERS: optional(deliveryFolders),
  OPENAI_BASE_URL: webAddress.default("https://api.openai.com/v1"),
  OPENAI_MODEL: z.string().min(1).default("gpt-6-luna"),
  OPENAI_TEXT_BASE_URL: optional(webAddress),
  OPENAI_TEXT_MODEL: optional(z.string().min(1)),
  OPENAI_VISION_BASE_URL: optional(webAddress),
  OPENAI_VISION_MODEL: optional(z.string().min(1)),
  OPENAI_TRANSCRIPTION_BASE_URL: optional(webAddress),
  OPENAI_TRANSCRIPTION_MODEL: optional(z.string().min(1)),
  YT_DLP_PATH: optional(z.string()),
  FFMPEG_PATH: optional(z.string()),
  ENCODER: z.enum(ENCODERS).default("software"),
  WORKER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(Math.max(2, Math.floor(availableParallelism() / 2))),
  STOP_NOTICE_SECONDS: z.coerce.number().min(0).max(3_600).default(0),
  WORKER_LABELS: z
    .string()
    .default("")
    .transform((text, context) => {
      const labels = parseWorkerLabels(text);
      if (labels) return labels;
      context.addIssue({ code: "custom", message: `must be ${LABELS_RULE}` });
      return z.NEVER;
    }),
  VIDEO_COST_LIMIT_MINUTES: z.coerce.number().positive().default(COST_LIMITS.videoMinutes),
  JOB_COST_LIMIT_MINUTES: z.coerce.number().positive().default(COST_LIMITS.jobMinutes),
  REDIRECTOR_PORT: port.default(8081),
  VPS_SYNC_URL: optional(webAddress),
  VPS_PUBLISH_TOKEN: optional(
    z.string().min(MIN_TOKEN_CHARACTERS, `must have at least ${MIN_TOKEN_CHARACTERS} characters`),
  ),
  BATCH_SCHEDULER_URL: optional(z.url({ protocol: /^https?$/ })),
  WARMUP_ROBOT_URL: optional(z.url({ protocol: /^https?$/ })),
  METRICS_TOKEN: optional(
    z.string().min(MIN_TOKEN_CHARACTERS, `must have at least ${MIN_TOKEN_CHARACTERS} characters`),
  ),
  METRICS_PORT: optional(port),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webAddress),
  OTEL_TRACES_SAMPLER: optional(z.enum(SAMPLERS)),
  OTEL_TRACES_SAMPLER_ARG: optional(z.coerce.number().min(0).max(1)),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

type Fields = z.output<typeof fields>;

const checkedFields = fields.superRefine((config, context) => {
  const problems = [
    ...problemsOfMail(config),
    ...problemsOfSignIn(config),
    ...problemsOfDownloads(config),
    ...problemsOfPages(config),
    ...problemsOfDatabase(config),
  ];
  for (const [name, message] of problems) context.addIssue({ code: "custom", path: [name], message });
});

const sourceBaseUrls = z
  .object(
    Object.fromEntries(SOURCE_SERVICES.map(({ variable, defaultUrl }) => [variable, webAddress.default(defaultUrl)])),
  )
  .transform((baseUrls) => ({ sourceBaseUrls: baseUrls }));

const configSchema = z.intersection(checkedFields, sourceBaseUrls);

type FieldProblem = [name: keyof Fields, message: string];

/** Links in mails need a configured address: a request's Host header can be forged. */
function problemsOfMail(config: Fields): FieldProblem[] {
  if (!config.SMTP_URL) return [];
  const needed = ["PUBLIC_URL", "MAIL_FROM"] as const;
  return needed.filter((name) => !config[name]).map((name) => [name, "must be set when SMTP_URL is"]);
}

/** Without a rule, everyone with an account at the provider would get in: at a public one, everybody. */
function problemsOfSignIn(config: Fields): FieldProblem[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_ALLOWED_DOMAINS = [], OIDC_ALLOWED_GROUPS = [] } = config;
  if (!OIDC_ISSUER) {
    return config.PASSWORD_SIGN_IN === "on" ? [] : [["PASSWORD_SIGN_IN", "can be off only with OIDC_ISSUER"]];
  }
  const problems: FieldProblem[] = [];
  if (!OIDC_CLIENT_ID) problems.push(["OIDC_CLIENT_ID", "must be set when OIDC_ISSUER is"]);
  if (OIDC_ALLOWED_DOMAINS.length === 0 && OIDC_ALLOWED_GROUPS.length === 0) {
    const sentence = "or OIDC_ALLOWED_GROUPS must be set when OIDC_ISSUER is; * allows every domain";
    problems.push(["OIDC_ALLOWED_DOMAINS", sentence]);
  }
  return problems;
}

/** Returns null without a provider. */
export function openIdSettings(config: Config): OpenIdSettings | null {
  if (!config.OIDC_ISSUER || !config.OIDC_CLIENT_ID) return null;
  return {
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET ?? null,
    scopes: config.OIDC_SCOPES,
    name: config.OIDC_NAME,
    rules: {
      domains: config.OIDC_ALLOWED_DOMAINS?.map((domain) => domain.toLowerCase().replace(/^@/, "")) ?? [],
      groups: config.OIDC_ALLOWED_GROUPS ?? [],
      groupsClaim: config.OIDC_GROUPS_CLAIM,
      trustsEmails: config.OIDC_TRUST_EMAILS,
    },
  };
}

function problemsOfDatabase(config: Fields): FieldProblem[] {
  if (config.DATABASE_URL || !config.DATABASE_SESSION_URL) return [];
  return [["DATABASE_SESSION_URL", "requires DATABASE_URL to name a pool for the same database"]];
}

/** Browsers cannot download directly from a folder. */
function problemsOfDownloads(config: Fields): FieldProblem[] {
  if (config.STORAGE_DOWNLOADS === "streamed" || config.STORAGE_URL) return [];
  return [["STORAGE_DOWNLOADS", "requires STORAGE_URL to name a bucket"]];
}

/** Returns Clipmill's own origins, as far as configured. */
export function ownOrigins(config: Pick<Fields, "HOST" | "PORT" | "PUBLIC_URL">): string[] {
  const hosts = [config.HOST, "localhost", "127.0.0.1", "[::1]"];
  const addresses = [...hosts.map((host) => `http://${host}:${config.PORT}`), config.PUBLIC_URL];
  return addresses.flatMap((address) => (address && URL.parse(address)?.origin) ?? []);
}

function problemsOfPages(config: Fields): FieldProblem[] {
  const own = ownOrigins(config);
  return (["BATCH_SCHEDULER_URL", "WARMUP_ROBOT_URL"] as const).flatMap((name): FieldProblem[] => {
    const problem = config[name] ? problemOfPage(config[name], (origin) => own.includes(origin)) : null;
    return problem ? [[name, problem]] : [];
  });
}

export type Config = z.output<typeof configSchema>;

/** Throws ClipmillError "invalid" with every invalid setting. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = configSchema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ClipmillError("invalid", `The configuration is invalid: ${problems.join("; ")}.`);
}
