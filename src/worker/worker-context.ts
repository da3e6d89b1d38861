import type { Logger } from "pino";
import type { ErrorCode } from "#contract/errors.ts";
import type { CostLimits } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import type { Slots } from "#ground/slots.ts";
import type { StreamCache } from "#media/render/stream-cache.ts";
import type { TextDrawer } from "#media/captions/drawing/text-drawer.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import type { Context } from "#operations/context.ts";
import type { DiskGuard } from "./fleet/disk-guard.ts";
import type { SourceCache } from "./sources/source-cache.ts";
import type { Speedometer } from "./fleet/speedometer.ts";
import type { WorkerFigures } from "./fleet/worker-figures.ts";

/** First and longest wait in seconds, by error. */
export type OwnWaits = Partial<Record<ErrorCode, { first: number; longest: number }>>;

/** Everything a worker needs for its whole life. */
export type WorkerContext = {
  context: Context;
  database: Database;
  tools: MediaTools;
  drawer: TextDrawer;
  sources: SourceCache;
  streams: StreamCache;
  encoderSlots: Slots;
  costLimits: CostLimits;
  /** Holds a folder per attempt. Emptied at start, so no other worker may use it. */
  scratchRoot: string;
  /** File in the data directory that passes the worker's id on to its successor. */
  idFile?: string;
  outside: OutsideServices;
  /** Reports when the disk is too full to start videos; absent means never. */
  disk?: Pick<DiskGuard, "state" | "onChange">;
  /** Waits for quota and disk space; the defaults start at 10 min and 30 s. */
  ownWaits?: OwnWaits;
  /** Returns the current time for resting hosts, from the database's clock, which all workers share. */
  readNow: () => Promise<number>;
  figures?: WorkerFigures;
  speedometer?: Speedometer;
  log: Logger;
};

/** Base URLs and paths of the outside services. */
type OutsideServices = { googleApiBaseUrl: string; googleDownloadBaseUrl: string; ytDlpPath: string | null };
