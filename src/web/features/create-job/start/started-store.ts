/** Stores the last job that an account started in this browser; all tabs share it. */

const KEY_PREFIX = "clipmill-started-job/";
const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export type StartedStore = {
  /** The job's id, or null. */
  read(): string | null;
  write(jobId: string): void;
  /** Removes this job, but not a newer one from another tab. */
  forget(jobId: string): void;
};

export function openStartedStore({
  owner,
  local,
}: {
  /** The account's ID. */
  owner: string;
  local: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}): StartedStore {
  const key = KEY_PREFIX + owner;
  function read() {
    const id = local.getItem(key);
    return id !== null && JOB_ID.test(id) ? id : null;
  }
  return {
    read: () => attempt(read) ?? null,
    write: (jobId) => {
      attempt(() => local.setItem(key, jobId));
    },
    forget: (jobId) => {
      attempt(() => {
        if (read() === jobId) local.removeItem(key);
      });
    },
  };
}

/** Returns the result of `work`, or undefined if the browser blocks storage; the card is then lost on reload. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
