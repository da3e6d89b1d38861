import { useState } from "react";
import type { AuthFailure } from "../../api/auth-failure.ts";
import { useOneAtATime } from "./use-one-at-a-time.ts";

/** Tries something, once at a time, and keeps why it did not work until the next try. */
export function useAttempt() {
  const [failure, setFailure] = useState<AuthFailure | null>(null);
  const { isBusy, run } = useOneAtATime();

  function attempt(act: () => Promise<AuthFailure | null>, onSuccess: () => void): void {
    void run(async () => {
      setFailure(null);
      const problem = await act();
      setFailure(problem);
      if (!problem) onSuccess();
    });
  }
  return { isBusy, failure, attempt, forget: () => setFailure(null) };
}
