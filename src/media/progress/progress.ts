type FfmpegProgress = {
  outSeconds: number | null;
  /** Changes with any progress, even before output. */
  mark: string;
};

/** Returns the reports of `-progress pipe:` that each chunk completes. */
export function createProgressReader(): (chunk: string) => FfmpegProgress[] {
  let rest = "";
  let fields = new Map<string, string>();
  return (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    const reports: FfmpegProgress[] = [];
    for (const line of lines) {
      const at = line.indexOf("=");
      if (at < 0) continue;
      const key = line.slice(0, at).trim();
      fields.set(key, line.slice(at + 1).trim());
      if (key !== "progress") continue;
      reports.push(readReport(fields));
      fields = new Map();
    }
    return reports;
  };
}

function readReport(fields: Map<string, string>): FfmpegProgress {
  // At the start, ffmpeg may report N/A or a negative time.
  const microseconds = Number(fields.get("out_time_us") ?? "N/A");
  return {
    outSeconds: Number.isFinite(microseconds) && microseconds >= 0 ? microseconds / 1_000_000 : null,
    mark: `${fields.get("frame")} ${fields.get("out_time_us")} ${fields.get("total_size")}`,
  };
}

export type PartBoard<T> = {
  put(id: string, part: T): void;
  has(id: string): boolean;
  /** Resolves once the part has been put; rejects if `fail` or `failPart` came first. */
  get(id: string): Promise<T>;
  failPart(id: string, error: unknown): void;
  fail(error: unknown): void;
};

export function createPartBoard<T>(): PartBoard<T> {
  const parts = new Map<string, T>();
  const failure = Promise.withResolvers<never>();
  const waiting = new Map<string, PromiseWithResolvers<T>>();
  const waitFor = (id: string): PromiseWithResolvers<T> => {
    const wait = waiting.get(id) ?? Promise.withResolvers<T>();
    if (!waiting.has(id)) wait.promise.catch(() => {});
    waiting.set(id, wait);
    return wait;
  };
  // An unhandled rejection would end the process.
  failure.promise.catch(() => {});
  return {
    put(id, part) {
      parts.set(id, part);
      waiting.get(id)?.resolve(part);
    },
    has: (id) => parts.has(id),
    async get(id) {
      if (parts.has(id)) return parts.get(id) as T;
      return await Promise.race([waitFor(id).promise, failure.promise]);
    },
    failPart: (id, error) => waitFor(id).reject(error),
    fail: (error) => failure.reject(error),
  };
}
