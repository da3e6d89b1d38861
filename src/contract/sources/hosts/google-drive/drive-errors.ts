import { z } from "zod";
import { ClipmillError } from "../../../errors.ts";

type Facts = Record<string, unknown>;

export const errors = {
  notShared: (facts: Facts) =>
    new ClipmillError(
      "not_shared",
      'This Google Drive file is not shared. Share it with "Anyone with the link", then retry.',
      { facts },
    ),
  downloadForbidden: (facts: Facts) =>
    new ClipmillError(
      "not_shared",
      "Downloads are turned off for this Google Drive file. Turn them on in the file's sharing settings, then retry.",
      { facts },
    ),
  flagged: (facts: Facts) =>
    new ClipmillError("not_shared", "Google Drive flagged this file as harmful and does not allow downloading it.", {
      facts,
    }),
  notFound: (facts: Facts) =>
    new ClipmillError("source_not_found", "Google Drive has no file at this link. Check the link.", { facts }),
  quotaExceeded: (facts: Facts) =>
    new ClipmillError(
      "quota_exceeded",
      "Google Drive has blocked this file for up to 24 hours because it was downloaded too often. Use a copy of the file, or retry later.",
      { facts },
    ),
  rateLimited: (facts: Facts, retryAfterSeconds: number | null) =>
    new ClipmillError("rate_limited", "Google Drive is limiting requests. Retry in a few minutes.", {
      facts,
      retryAfterSeconds,
    }),
  badKey: (facts: Facts) =>
    new ClipmillError("bad_key", "Google rejected the Google Drive key. Check it in Settings.", { facts }),
  notVideo: (facts: Facts) =>
    new ClipmillError(
      "not_a_video",
      "This Google Drive link points to a document or folder, not to a video or audio file.",
      {
        facts,
      },
    ),
  incomplete: (facts: Facts) =>
    new ClipmillError("incomplete", "Google Drive sent only part of this file. Retry later.", { facts }),
  outOfOrder: (facts: Facts, retryAfterSeconds: number | null) =>
    new ClipmillError("network", "Google Drive is having problems right now. Retry later.", {
      facts,
      retryAfterSeconds,
    }),
};

const QUOTA = new Set(["downloadQuotaExceeded"]);
const RATE = new Set([
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "sharingRateLimitExceeded",
  "dailyLimitExceeded",
  "RATE_LIMIT_EXCEEDED",
]);
const KEY = new Set(["keyInvalid", "keyExpired", "accessNotConfigured", "ipRefererBlocked", "SERVICE_DISABLED"]);
const NO_BYTES = new Set(["fileNotDownloadable", "fileNotExportable"]);
const NO_DOWNLOAD = new Set(["cannotDownloadFile"]);
const FLAGGED = new Set(["cannotDownloadAbusiveFile"]);

const apiErrorSchema = z.object({
  error: z.object({
    errors: z.array(z.object({ reason: z.string().optional() })).default([]),
    details: z.array(z.object({ reason: z.string().optional() })).default([]),
  }),
});

/** Explains errors of API v3. Ignores a `body` that is not its JSON. */
export function explainApiError(status: number, body: string, retryAfterSeconds: number | null): ClipmillError {
  const reasons = reasonsOf(body);
  const has = (known: ReadonlySet<string>) => reasons.some((reason) => known.has(reason));
  const facts = { api: true, status, reasons };
  if (has(QUOTA)) return errors.quotaExceeded(facts);
  if (status === 429 || has(RATE)) return errors.rateLimited(facts, retryAfterSeconds);
  if (has(KEY) || reasons.some((reason) => reason.startsWith("API_KEY_"))) return errors.badKey(facts);
  if (status >= 500) return errors.outOfOrder(facts, retryAfterSeconds);
  if (status === 404) return errors.notFound(facts);
  if (status === 400 || status === 401) return errors.badKey(facts);
  if (has(NO_BYTES)) return errors.notVideo(facts);
  if (has(NO_DOWNLOAD)) return errors.downloadForbidden(facts);
  if (has(FLAGGED)) return errors.flagged(facts);
  return errors.notShared(facts);
}

function reasonsOf(body: string): string[] {
  try {
    const { error } = apiErrorSchema.parse(JSON.parse(body));
    return [...error.errors, ...error.details].flatMap(({ reason }) => reason ?? []);
  } catch {
    return [];
  }
}

// The pages have no machine-readable reason, only these titles, class names and sentences.
const QUOTA_PAGE = /Google Drive - Quota exceeded|Too many users have viewed or downloaded this file/i;
const SIGN_IN_PAGE =
  /accounts\.google\.com\/(?:v3\/signin|ServiceLogin|signin)|Google Drive: Sign-in|request-access|You need (?:access|permission)/i;
const ROBOT_PAGE = /automated queries|unusual traffic/i;
const MISSING_PAGE = /file you have requested does not exist|Google Drive - Page not found/i;

export function explainPublicPage(status: number, page: string, retryAfterSeconds: number | null): ClipmillError {
  const facts = { api: false, status };
  if (QUOTA_PAGE.test(page)) return errors.quotaExceeded(facts);
  if (status === 429 || ROBOT_PAGE.test(page)) return errors.rateLimited(facts, retryAfterSeconds);
  if (status >= 500) return errors.outOfOrder(facts, retryAfterSeconds);
  if (status === 404 || status === 400 || MISSING_PAGE.test(page)) return errors.notFound(facts);
  if (status === 401 || status === 403 || SIGN_IN_PAGE.test(page)) return errors.notShared(facts);
  return errors.notVideo(facts);
}

const FORM = /<form\b[^>]*\bid="download-form"[^>]*>([\s\S]*?)<\/form>/i;
const INPUT = /<input\b[^>]*>/gi;
const FORM_FIELDS = new Set(["id", "export", "authuser", "confirm", "uuid", "at", "resourcekey"]);

/** Returns null for another page. */
export function readVirusScanForm(page: string): Map<string, string> | null {
  const form = FORM.exec(page)?.[1];
  if (form === undefined) return null;
  const fields = new Map<string, string>();
  for (const [input] of form.matchAll(INPUT)) {
    const name = attributeOf(input, "name");
    const value = attributeOf(input, "value");
    if (name !== null && value !== null && FORM_FIELDS.has(name)) fields.set(name, value);
  }
  return fields.has("confirm") ? fields : null;
}

function attributeOf(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return value?.replace(/&amp;/g, "&") ?? null;
}
