export type FfmpegProgress = {
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
