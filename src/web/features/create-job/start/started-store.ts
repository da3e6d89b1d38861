/** Remembers an account's last started job in this browser, for all tabs. */

const KEY_PREFIX = "clipmill-started-job/";
const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export type StartedStore = {
  read(): string | null;
  write(jobId: string): void;
  /** Keeps a newer job from another tab. */
  forget(jobId: string): void;
};

/** Never throws: while storage is blocked, reads return null and writes are lost. */
export function openStartedStore({
  owner,
  local,
}: {
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

/** If storage is blocked, a reload loses the card. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
