import { Agent, request } from "undici";
import { z } from "zod";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import {
  PUBLISH_LIMITS,
  type PublishReceipt,
  REDIRECTOR_PATHS,
  type RedirectorReport,
  type ReportRequest,
} from "#contract/cloak/published-config.ts";
import { signBody } from "#ground/publish-signature.ts";

export type PublishTarget = { url: string; token: string };

/** The redirector syncs a large configuration to disk before it responds. */
const PUBLISH_SECONDS = 60;
const REPORT_SECONDS = 10;

const agent = new Agent({ connect: { timeout: 5_000 }, maxResponseSize: PUBLISH_LIMITS.bytes });

const receiptSchema = z.object({ version: z.int(), digest: z.string(), routes: z.int() });
const errorSchema = z.object({ service: z.literal("clipmill-redirector"), error: z.string() });
const reportSchema = z.object({
  service: z.literal("clipmill-redirector"),
  version: z.int().min(0),
  digest: z.string().nullable(),
  routes: z.int().min(0),
  source: z.string().max(100),
  counts: z.record(z.iso.date(), z.record(z.string(), z.int().min(0))),
  health: z.array(
    z.object({
      routeId: z.string(),
      state: z.enum(["up", "down", "unknown"]),
      checkedAt: z.iso.datetime().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  healthMark: z.string().max(200).optional(),
  isHealthKnown: z.boolean().optional(),
});

/**
 * Throws ClipmillError: "network" without a response, when the outcome is unknown; "bad_link" if another service
 * responded; otherwise the redirector's own error.
 */
export async function sendDocument(target: PublishTarget, document: string): Promise<PublishReceipt> {
  const response = await post(target.url, target.token, document, PUBLISH_SECONDS);
  return readResponse(response, receiptSchema);
}

/** Omits the health data already known under `healthMark`. Throws like sendDocument. */
export async function requestReport(
  target: PublishTarget,
  fromDay: string,
  { signal, healthMark }: { signal?: AbortSignal | undefined; healthMark?: string | undefined } = {},
): Promise<RedirectorReport> {
  const url = target.url.replace(/publish$/, "report");
  const body: ReportRequest = { type: "clipmill.report", fromDay, healthMark };
  return readResponse(await post(url, target.token, JSON.stringify(body), REPORT_SECONDS, signal), reportSchema);
}

/** Checks only the end of the path. False for an invalid URL. */
export function isPublishUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.endsWith(REDIRECTOR_PATHS.publish);
}

type RedirectorResponse = { status: number; body: unknown };

async function post(
  url: string,
  token: string,
  text: string,
  seconds: number,
  cancelSignal: AbortSignal = new AbortController().signal,
): Promise<RedirectorResponse> {
  const body = Buffer.from(text);
  try {
    const response = await request(url, {
      method: "POST",
      dispatcher: agent,
      headers: { "content-type": "application/jsonl", ...signBody(token, body) },
      body,
      signal: AbortSignal.any([cancelSignal, AbortSignal.timeout(seconds * 1000)]),
    });
    return { status: response.statusCode, body: parseJson(await response.body.text()) };
  } catch (cause) {
    const facts = { reason: cause instanceof Error && "code" in cause ? cause.code : null };
    throw new ClipmillError("network", `The redirector at ${url} could not be reached or did not respond.`, {
      cause,
      facts,
    });
  }
}

const CODE_OF: Record<number, ErrorCode> = {
  401: "unauthorized",
  409: "conflict",
  413: "too_large",
  503: "unavailable",
  507: "no_space",
};

function readResponse<Schema extends z.ZodType>(response: RedirectorResponse, schema: Schema): z.output<Schema> {
  const error = errorSchema.safeParse(response.body);
  if (response.status !== 200 && error.success) {
    throw new ClipmillError(CODE_OF[response.status] ?? "invalid", error.data.error, {
      facts: { status: response.status },
    });
  }
  const parsed = schema.safeParse(response.body);
  if (response.status === 200 && parsed.success) return parsed.data;
  // A proxy responds when the redirector is down.
  if (response.status >= 500) {
    throw new ClipmillError(
      "network",
      `The redirector could not be reached: its proxy responded with ${response.status}.`,
    );
  }
  throw new ClipmillError("bad_link", "The server at VPS_SYNC_URL is not a Clipmill redirector.", {
    facts: { status: response.status },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
