import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { Job } from "#contract/jobs.ts";
import { holdBack } from "./hold-back.ts";

/** Scrolled further than this, new jobs no longer push down what is being read. */
const AWAY_PX = 120;

/** What of the loaded jobs is shown: while one is scrolled down, jobs that come in on top wait until `release`. */
export function useNewJobs(jobs: readonly Job[]) {
  const [since, setSince] = useState<string | null>(null);
  const handleScroll = useEffectEvent(() => {
    if (window.scrollY <= AWAY_PX) setSince(null);
    else setSince((known) => known ?? jobs[0]?.created_at ?? null);
  });
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener("scroll", () => handleScroll(), { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, []);

  function release() {
    setSince(null);
    window.scrollTo({ top: 0 });
  }
  const { shown, waiting } = useMemo(() => holdBack(jobs, since), [jobs, since]);
  return { shown, waiting, release };
}
