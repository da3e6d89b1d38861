/** Prefetches an open form's ready videos on the server. Independent of React. */

/** Links that change sooner are still being typed. */
const STOOD_MS = 2_000;
/** The server stops a minute after the last call. */
const AGAIN_MS = 20_000;
/** The server's limit; the first links are needed first. */
const MAX_LINKS = 100;

export type FormPrefetch = {
  /** In order. With none, the last request lapses by itself: the new job may need its files. */
  want(links: readonly string[]): void;
  stop: () => void;
};

/** `send` returns false if further calls are pointless; failures are retried with the next call. */
export function createFormPrefetch(send: (links: readonly string[]) => Promise<boolean>): FormPrefetch {
  const since = new Map<string, number>();
  let sent: readonly string[] = [];
  let sentAtMs = 0;
  let isOff = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(): void {
    clearTimeout(timer);
    if (isOff || since.size === 0) return;
    const added = [...since].filter(([link]) => !sent.includes(link)).map(([, ms]) => ms + STOOD_MS);
    const isRemoved = sent.some((link) => !since.has(link));
    const again = sent.length === 0 ? [] : [sentAtMs + AGAIN_MS];
    const dueMs = isRemoved ? Date.now() : Math.min(...added, ...again);
    timer = setTimeout(() => void sendDue(), Math.max(0, dueMs - Date.now()));
  }
  async function sendDue(): Promise<void> {
    const now = Date.now();
    sent = [...since].filter(([, ms]) => ms + STOOD_MS <= now).map(([link]) => link);
    sentAtMs = now;
    isOff = !(await send(sent).catch(() => true));
    schedule();
  }
  return {
    want(links) {
      const wanted = links.slice(0, MAX_LINKS);
      const now = Date.now();
      const known = new Map(since);
      since.clear();
      for (const link of wanted) since.set(link, known.get(link) ?? now);
      schedule();
    },
    stop: () => {
      since.clear();
      clearTimeout(timer);
    },
  };
}
