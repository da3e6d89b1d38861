import type { ShareRuns } from "#media/render/render-run.ts";

/** For one video. `shareRuns` is absent if no other worker can help. */
export type Sharing = AsyncDisposable & { shareRuns?: ShareRuns };

export const NO_SHARING: Sharing = { [Symbol.asyncDispose]: async () => {} };
