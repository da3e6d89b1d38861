import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import type { ListedFile, PreflightVideo } from "#contract/sources/preflight.ts";
import { checkSources } from "../../../api/functions/sources.ts";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { useLibrary } from "../../../sources/use-library.ts";
import type { JobForm } from "../draft/job-form.ts";
import type { CheckedLinks } from "../links/check-links.ts";
import { createLinkChecker, type CheckerState } from "./requests/link-checker.ts";
import { linksToCheck, readRows, type Checks, type VideoRow } from "./read-rows.ts";

/** One entry for all links, so that a batch of results is one update. */
const CHECKS_KEY = ["create-job", "checks"] as const;
const NO_CHECKS: Checks = new Map();

export type VideoRows = {
  rows: readonly VideoRow[];
  /** Of the valid links, in seconds; null if unknown. */
  durations: readonly (number | null)[];
  state: CheckerState;
  recheck: (links: readonly string[]) => void;
  retry: () => void;
  /** Shows the facts from a folder listing until its files are checked. */
  addListed: (files: readonly ListedFile[]) => void;
};

/** Checks the first links; results stay in the query cache. `given`: a table's rows. */
export function useVideoRows(
  links: CheckedLinks,
  given: readonly JobRow[],
  { audioEnabled, audioMode }: Pick<JobForm, "audioEnabled" | "audioMode">,
): VideoRows {
  const client = useQueryClient();
  const checks = useChecks();
  const [state, setState] = useState<CheckerState>("on");
  const [checker] = useState(() =>
    createLinkChecker({
      check: async (asked, signal) => (await checkSources(asked, signal)).videos,
      isKnown: (link) => (readChecks(client).get(link)?.state ?? "pending") !== "pending",
      onResponse: (videos) => addChecks(client, videos),
      onState: setState,
    }),
  );
  useEffect(() => {
    // Earlier problems may have been fixed.
    client.setQueryData(CHECKS_KEY, new Map([...readChecks(client)].filter(([, { state: was }]) => was === "ready")));
    const retry = () => checker.retry();
    window.addEventListener("online", retry);
    return () => {
      window.removeEventListener("online", retry);
      checker.stop();
    };
  }, [checker, client]);
  useEffect(() => checker.want(linksToCheck(links)), [checker, links]);
  const libraryLinks = useMemo(() => links.valid.filter((link) => libraryIdOf(link) !== null), [links]);
  const library = useLibrary(libraryLinks);
  const rows = useMemo(() => {
    const music = { audio_enabled: audioEnabled, audio_mode: audioMode };
    return readRows(links, checks, library, state === "on", given, music);
  }, [links, checks, library, state, given, audioEnabled, audioMode]);
  const durations = useMemo(
    () => rows.filter(({ video }) => video !== null).map(({ durationSeconds }) => durationSeconds),
    [rows],
  );
  const actions = useMemo(
    () => ({
      recheck: (again: readonly string[]) => {
        const known = again.flatMap((link) => readChecks(client).get(link) ?? []);
        addChecks(client, known.map(asPending));
        checker.recheck(again);
      },
      retry: () => checker.retry(),
      addListed: (files: readonly ListedFile[]) => {
        const unknown = files.filter(({ link }) => !readChecks(client).has(link));
        addChecks(client, unknown.map(toPending));
      },
    }),
    [checker, client],
  );
  return { rows, durations, state, ...actions };
}

/** Returns the results by link. */
export function useChecks(): Checks {
  return useQuery({ queryKey: CHECKS_KEY, initialData: NO_CHECKS, enabled: false }).data;
}

function readChecks(client: QueryClient): Checks {
  return client.getQueryData<Checks>(CHECKS_KEY) ?? NO_CHECKS;
}

function addChecks(client: QueryClient, videos: readonly PreflightVideo[]): void {
  if (videos.length === 0) return;
  client.setQueryData<Checks>(
    CHECKS_KEY,
    (checks) => new Map([...(checks ?? []), ...videos.map((one) => [one.link, one] as const)]),
  );
}

function asPending(check: PreflightVideo): PreflightVideo {
  return { ...check, state: "pending" };
}

function toPending({ link, name, size_bytes }: ListedFile): PreflightVideo {
  const unknown = { duration_seconds: null, width: null, height: null, has_sound: null, thumbnail_url: null };
  return { link, state: "pending", ok: false, name, size_bytes, ...unknown, sound_problem: null, problem: null };
}
