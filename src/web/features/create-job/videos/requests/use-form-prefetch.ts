import { useEffect, useMemo, useState } from "react";
import { CallError } from "../../../../api/functions/call-error.ts";
import { prefetchSources } from "../../../../api/functions/sources.ts";
import { libraryIdOf } from "../../../../sources/named-sources.ts";
import { randomId } from "../../start/random-id.ts";
import { createFormPrefetch } from "./form-prefetch.ts";
import type { VideoRow } from "../read-rows.ts";

/** Excludes library files. */
export function useFormPrefetch(rows: readonly VideoRow[]): void {
  const [form] = useState(randomId);
  const ready = useMemo(
    () => rows.filter((row) => row.state === "ready" && libraryIdOf(row.link) === null).map(({ link }) => link),
    [rows],
  );
  const [prefetch] = useState(() =>
    createFormPrefetch(async (links) => {
      try {
        return (await prefetchSources(links, form)).isPrefetching;
      } catch (error) {
        // Older servers lack this function.
        return !(error instanceof CallError && error.status === 404);
      }
    }),
  );
  useEffect(() => prefetch.stop, [prefetch]);
  useEffect(() => prefetch.want(ready), [prefetch, ready]);
}
