import { PreviewResponse, SilencesResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { withPlatformDefaults } from "#contract/jobs/outputs/platforms.ts";
import {
  PREFETCH_SECONDS,
  PrefetchResponse,
  prefetchSchema,
  PreflightResponse,
  preflightSchema,
} from "#contract/sources/preflight.ts";
import { parseInput } from "#operations/parse-input.ts";
import { previewSchema } from "#operations/previews/draw-preview.ts";
import { measureSilencesSchema } from "#operations/previews/measure-silences.ts";
import { readPrefetchSources } from "#operations/settings/read-settings.ts";
import type { PrefetchSources } from "#operations/sources/prepare-sources.ts";
import { type CallFunction, defineCall } from "../define-call.ts";

/** Sources before their job starts. Throws ClipmillError "unavailable" without media tools or a worker here. */
export const SOURCE_FUNCTIONS: CallFunction[] = [
  {
    path: "preview",
    summary: "Renders a frame of a video with a caption and a watermark, or measures its silences.",
    scope: "jobs:write",
    calls: [
      defineCall({
        name: "silences",
        summary: "Returns how much of a video a job would cut as silence.",
        isRead: true,
        takes: measureSilencesSchema,
        answers: SilencesResponse,
        example: { input_video: "https://drive.google.com/file/d/abc/view", cut_silences_ms: 500 },
        run: ({ measureSilences, signal }, request) => {
          if (!measureSilences) {
            throw new ClipmillError("unavailable", "This check requires a worker on this server, and none is running.");
          }
          return measureSilences(request, { signal });
        },
      }),
      defineCall({
        name: "draw",
        summary: "Returns a frame of a video with a caption and a watermark, drawn as in a job.",
        when: {},
        isRead: true,
        takes: previewSchema,
        answers: PreviewResponse,
        runUnchecked: ({ drawPreview, operator, signal }, body) => {
          const request = parseInput(previewSchema, withPlatformDefaults(body));
          if (!drawPreview) {
            throw new ClipmillError("unavailable", "Previews require a worker on this server, and none is running.");
          }
          return drawPreview(request, { sessionId: operator.sessionId, signal });
        },
      }),
    ],
  },
  {
    path: "preflight",
    summary: "Checks links before a job starts.",
    scope: "jobs:write",
    calls: [
      defineCall({
        name: "check",
        summary: "Returns name, length, size, sound and problems of each link. Send pending links again.",
        when: {},
        isRead: true,
        takes: preflightSchema,
        answers: PreflightResponse,
        example: { links: ["https://drive.google.com/file/d/abc/view"] },
        run: ({ preflight, operator, signal }, { links }) => {
          if (!preflight) throw new ClipmillError("unavailable", "This server cannot check links.");
          return preflight(links, { accountId: operator.account.id, signal });
        },
      }),
    ],
  },
  {
    path: "prefetch",
    summary: "Fetches videos before their job starts.",
    scope: "jobs:write",
    calls: [
      defineCall({
        name: "start",
        summary:
          "Fetches videos at low priority, for a minute after the last call. A later call of the same session and form replaces the list.",
        when: {},
        isRead: true,
        takes: prefetchSchema,
        answers: PrefetchResponse,
        run: async (context, { links, form }) => {
          const { prefetchSources, operator } = context;
          if (!prefetchSources || !(await readPrefetchSources(context))) return { isPrefetching: false };
          const owner = `${operator.sessionId} ${form}`;
          // Not awaited: lasts until all videos are fetched, and reports nothing.
          void prefetchSources(links, owner, renewLease(prefetchSources, owner));
          return { isPrefetching: true };
        },
      }),
    ],
  },
];

/** More are a script's mistake. */
const MAX_FORMS = 200;

/** Of open forms, by server and owner: their videos are fetched while the calls continue. */
const leases = new WeakMap<PrefetchSources, Map<string, AbortController>>();

/** Throws ClipmillError "too_many". */
function renewLease(prefetchSources: PrefetchSources, owner: string): AbortSignal {
  const forms = leases.get(prefetchSources) ?? new Map<string, AbortController>();
  leases.set(prefetchSources, forms);
  if (!forms.has(owner) && forms.size >= MAX_FORMS) {
    throw new ClipmillError("too_many", "Too many open forms are prefetching videos. Close some of them.");
  }
  const lease = new AbortController();
  forms.set(owner, lease);
  const end = (): void => {
    lease.abort();
    if (forms.get(owner) === lease) forms.delete(owner);
  };
  setTimeout(end, PREFETCH_SECONDS * 1_000).unref();
  return lease.signal;
}
