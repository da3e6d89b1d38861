/** The back end of npm run dev: seed jobs, and no built web app. */
import { pino } from "pino";
import { readConfig } from "../src/config.ts";
import { startClipmill } from "#programs/start/start-clipmill.ts";
import { seedJobs } from "./seed/seed-jobs.ts";

process.umask(0o077);
const config = readConfig(process.env);
const log = pino({ level: config.LOG_LEVEL }, pino.destination(2));
const clipmill = await startClipmill(config, async () => "dist/no-web-app", log);
await seedJobs(clipmill.context);
const stop = (): void => void clipmill.stop().finally(() => process.exit(0));
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
