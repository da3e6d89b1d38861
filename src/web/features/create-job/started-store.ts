/** Which job an account started last in this browser, in the storage that its tabs share. */

const KEY_PREFIX = "clipmill-started-job/";
const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export type StartedStore = {
  /** The job's id, or null. */
  read(): string | null;
  write(jobId: string): void;
  /** Forgets this job. One that another tab has started since stays. */
  forget(jobId: string): void;
};

export function openStartedStore({
  owner,
  local,
}: {
  /** The id of the account. */
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

/** What `work` returns; undefined where the browser keeps storage closed. The card is then lost with the page. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
