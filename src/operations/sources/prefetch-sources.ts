/**
 * Fetches and probes the videos of an owner's open form, in order, at low priority, so that its job starts with them:
 * a worker's, passed to the server where both start. A later call of the same owner replaces the list; the download of
 * a video still in it continues. Resolves when the list is done or `signal` aborts, without saying which links failed:
 * a video that could not be fetched in advance is fetched by its job. Does nothing while the setting prefetch_sources
 * is off.
 */
export type PrefetchSources = (links: readonly string[], ownerId: string, signal: AbortSignal) => Promise<void>;
