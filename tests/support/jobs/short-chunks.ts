/** Runs Clipmill with limits that let a short or small clip be cut into chunks and shared among workers. */
import { CHUNK_LIMITS } from "#media/plan/chunks/with-chunks.ts";

const { CHUNK_SECONDS: chunkSeconds = 1 } = process.env;
Object.assign(CHUNK_LIMITS, { leastMinutes: 0, leastSeconds: 5, chunkSeconds: Number(chunkSeconds), chunkMinutes: 0 });
await import("../../../src/cli.ts");
