import type { Logger } from "pino";
import type { ErrorCode } from "#contract/errors.ts";
import type { CostLimits } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import type { Slots } from "#ground/slots.ts";
import type { StreamCache } from "#media/render/stream-cache.ts";
import type { TextDrawer } from "#media/captions/drawing/text-drawer.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import type { Context } from "#operations/context.ts";
import type { VideoRecords } from "#operations/jobs/videos/video-records.ts";
import type { SourceReader } from "#operations/sources/source-reader.ts";
import type { ClaimedTask } from "#queue/open-queue.ts";
import type { Sharing } from "./runs/sharing.ts";
import type { Attempt } from "./videos/attempt.ts";
import type { DiskGuard } from "./fleet/disk-guard.ts";
import type { Prefetcher } from "./sources/prefetcher.ts";
import type { ProbeCache } from "./sources/probe-cache.ts";
import type { RecentLinks } from "./sources/recent-links.ts";
import type { SourceCache } from "./sources/source-cache.ts";
import type { Speedometer } from "./fleet/speedometer.ts";
import type { WorkerFigures } from "./fleet/worker-figures.ts";

/** In seconds. */
export type OwnWaits = Partial<Record<ErrorCode, { first: number; longest: number }>>;

export type WorkerContext = {
  context: Context;
  database: Database;
  tools: MediaTools;
  drawer: TextDrawer;
  sources: SourceCache;
  probes: ProbeCache;
  prefetcher: Prefetcher;
  streams: StreamCache;
  encoderSlots: Slots;
  costLimits: CostLimits;
  labels: readonly string[];
  /** Holds a folder per attempt. Emptied at start, so no other worker may use it. */
  scratchRoot: string;
  /** The same for repeated starts of a process; by default, random. */
  id?: string;
  /** Passes the worker's id to its successor on this data directory. */
  idFile?: string;
  /** Absent if the disk never counts as full. */
  disk?: Pick<DiskGuard, "state" | "onChange">;
  /** For quota and disk space; by default from 10 min and 30 s. */
  ownWaits?: OwnWaits;
  /** The database's clock, which all workers share. */
  readNow: () => Promise<number>;
  figures?: WorkerFigures;
  speedometer?: Speedometer;
  /** Links whose files are probably cached here. */
  recentLinks?: RecentLinks;
  /** Called when a claimed video needs no more downloads. */
  onSourcesReady?: () => void;
  /** Called when a claimed video has no picture left to encode, possibly several times. */
  onPicturesReady?: () => void;
  log: Logger;
};

type Unshared = "context" | "database" | "readNow" | "costLimits" | "labels" | "id" | "idFile" | "disk" | "prefetcher";

/** Dependencies of attempts at videos: on the database and the storage, or through a server. */
export type VideoWorker = Omit<WorkerContext, Unshared> & {
  prefetcher: Pick<Prefetcher, "foreground">;
  reader: SourceReader;
  openRecords: (task: ClaimedTask) => VideoRecords;
  /** `links` are those of the requests' sources. */
  openSharing: (attempt: Attempt, links: string[]) => Sharing;
};
