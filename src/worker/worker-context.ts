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

/** What the worker knows for its whole life. */
export type WorkerContext = {
  context: Context;
  database: Database;
  tools: MediaTools;
  drawer: TextDrawer;
  sources: SourceCache;
  streams: StreamCache;
  encoderSlots: Slots;
  costLimits: CostLimits;
  /** Each attempt makes its own folder in here and removes it. No other worker may use it: it is emptied at the start. */
  scratchRoot: string;
  /** Where it leaves its id to the worker after it on this data directory; nowhere unless given. */
  idFile?: string;
  outside: OutsideServices;
  /** Says when the disk is too full to begin anything; nothing does unless given. */
  disk?: Pick<DiskGuard, "state" | "onChange">;
  /** How long a video waits for its own quota and for room; minutes and half a minute where not given. */
  ownWaits?: OwnWaits;
  /** The time by which hosts rest: the database's, which all workers share. */
  readNow: () => Promise<number>;
  /** Where its work is counted, if anywhere. */
  figures?: WorkerFigures;
  /** Where its speed is measured, while it works. */
  speedometer?: Speedometer;
  log: Logger;
};

/** Where the outside services are. */
type OutsideServices = { googleApiBaseUrl: string; googleDownloadBaseUrl: string; ytDlpPath: string | null };
