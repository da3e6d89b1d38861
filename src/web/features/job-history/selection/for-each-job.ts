export type Outcome = { done: number; failures: unknown[] };

/** Runs one at a time; continues after failures. */
export async function forEachJob(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Outcome> {
  const outcome: Outcome = { done: 0, failures: [] };
  for (const id of ids) {
    try {
      await act(id);
      outcome.done += 1;
    } catch (error) {
      outcome.failures.push(error);
    }
  }
  return outcome;
}

/** Runs in parallel. */
export async function allJobs(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Outcome> {
  const results = await Promise.allSettled(ids.map(act));
  const failures = results.filter((result) => result.status === "rejected").map((result): unknown => result.reason);
  return { done: results.length - failures.length, failures };
}
