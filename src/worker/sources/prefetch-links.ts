import type { Logger } from "pino";
import type { PrefetchSources } from "#operations/sources/prepare-sources.ts";
import { readPrefetchSources } from "#operations/settings/read-settings.ts";
import type { Context } from "#operations/context.ts";
import type { Prefetcher } from "./prefetcher.ts";

/** For all forms together, per hour: a fifth of the cache. Most forms never become a job. */
const MAX_BYTES = 4 * 1024 ** 3;
const KEPT_MS = 60 * 60_000;
/** Shorter than changing a file's sharing and checking its link again. */
const KEPT_FAILURE_MS = 15_000;

/** `fetching` is null while nothing is fetched for the form. */
type Form = {
  links: readonly string[];
  fetching: { link: string; stop: AbortController } | null;
  running: Promise<void> | null;
};

/** One video per form at a time. */
export function createPrefetchSources(
  { context, prefetcher, log }: { context: Pick<Context, "db">; prefetcher: Prefetcher; log: Logger },
  maxBytes = MAX_BYTES,
): PrefetchSources {
  const forms = new Map<string, Form>();
  /** Links that need no fetch for now, with their files' sizes; 0 after a failure. */
  const done = new Map<string, { bytes: number; untilMs: number }>();

  const hasRoom = (): boolean => {
    for (const [link, { untilMs }] of done) if (untilMs < performance.now()) done.delete(link);
    return [...done.values()].reduce((sum, { bytes }) => sum + bytes, 0) < maxBytes;
  };

  const fetchOne = async (form: Form, link: string): Promise<void> => {
    const stop = new AbortController();
    form.fetching = { link, stop };
    try {
      const { sizeBytes } = await prefetcher.prefetch({ link, use: "video", jobId: null }, "form", stop.signal);
      done.set(link, { bytes: sizeBytes, untilMs: performance.now() + KEPT_MS });
    } catch (error) {
      if (stop.signal.aborted) return;
      done.set(link, { bytes: 0, untilMs: performance.now() + KEPT_FAILURE_MS });
      // The link's check reports it.
      log.debug({ err: error }, "could not prefetch a video of an open form");
    } finally {
      form.fetching = null;
    }
  };

  const run = async (ownerId: string, form: Form): Promise<void> => {
    try {
      for (;;) {
        const isAllowed = hasRoom() && (await readPrefetchSources(context));
        const next = isAllowed ? form.links.find((link) => !done.has(link)) : undefined;
        if (next === undefined) return;
        await fetchOne(form, next);
      }
    } catch (error) {
      log.debug({ err: error }, "could not prefetch the videos of an open form");
    } finally {
      forms.delete(ownerId);
    }
  };

  const replaceLinks = (form: Form, links: readonly string[]): void => {
    form.links = links;
    if (form.fetching && !links.includes(form.fetching.link)) form.fetching.stop.abort();
  };

  return async (links, ownerId, signal) => {
    if (signal.aborted) return;
    const form = forms.get(ownerId) ?? { links, fetching: null, running: null };
    forms.set(ownerId, form);
    replaceLinks(form, links);
    const close = (): void => {
      if (form.links === links) replaceLinks(form, []);
    };
    signal.addEventListener("abort", close, { once: true });
    form.running ??= run(ownerId, form);
    await form.running.finally(() => signal.removeEventListener("abort", close));
  };
}
