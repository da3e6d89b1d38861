/** Runs Clipmill with limits that let a test's short clip be cut into chunks and shared among workers. */
import { CHUNK_LIMITS } from "#media/plan/with-chunks.ts";

Object.assign(CHUNK_LIMITS, { leastMinutes: 0, leastSeconds: 5, chunkSeconds: 1, chunkMinutes: 0 });
await import("../../../src/cli.ts");
