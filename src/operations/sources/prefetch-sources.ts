/**
 * Fetches and probes the videos of an owner's open form, in order, at low priority, so that its job starts with them.
 * Runs in a worker, passed to the server where both start. A later call of the same owner replaces the list; downloads
 * still in it continue. Resolves when the list is done or `signal` aborts. Failures are ignored: the job fetches the
 * video again. Does nothing while the setting prefetch_sources is off.
 */
export type PrefetchSources = (links: readonly string[], ownerId: string, signal: AbortSignal) => Promise<void>;
