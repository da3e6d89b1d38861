/** A plan of 10,000 files takes about 30 MB. */
const MAX_PLANS = 3;
const KEPT_MS = 10 * 60_000;

type Remembered<Plan> = { state: string; plan: Promise<Plan | null>; forgetting: NodeJS.Timeout };

/** Keeps each plan for ten minutes after its last use. */
export function rememberPlans<Plan>(): {
  /** Reuses the plan of the same state. Concurrent calls share one. */
  get(key: string, state: string, make: () => Promise<Plan | null>): Promise<Plan | null>;
} {
  const plans = new Map<string, Remembered<Plan>>();

  function forget(key: string): void {
    clearTimeout(plans.get(key)?.forgetting);
    plans.delete(key);
  }
  return {
    async get(key, state, make) {
      const known = plans.get(key);
      const plan = known?.state === state ? known.plan : make();
      forget(key);
      const remembered = { state, plan, forgetting: setTimeout(() => forget(key), KEPT_MS).unref() };
      plans.set(key, remembered);
      for (const oldest of plans.keys()) {
        if (plans.size <= MAX_PLANS) break;
        forget(oldest);
      }
      try {
        return await plan;
      } catch (error) {
        if (plans.get(key) === remembered) forget(key);
        throw error;
      }
    },
  };
}
