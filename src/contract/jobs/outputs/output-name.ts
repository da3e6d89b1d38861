import { cleanFileName } from "../../clean-name.ts";
import { fillPattern, type NameValues } from "./name-pattern.ts";

export type NamedOutput = {
  job: {
    job_name: string;
    total_videos: number;
    format: string;
    segmentation_type: string | null;
    name_pattern: string | null;
  };
  video: { position: number; row_name: string | null; row_pass: Readonly<Record<string, string>> | null };
  source: string;
  /** From 0. */
  variant: number;
  segment: number;
  caption: string | null;
  track: string | null;
};

export type OutputName = {
  name: string;
  /** Ends with the output's place, in case another output has the name. */
  nameIfTaken: string;
};

/**
 * Names a file by the job's pattern, else by place (video, variant, segment if cut) and the row's or source's name. If
 * too long, the name is cut, not the place.
 */
export function nameOutput(output: NamedOutput): OutputName {
  const { job, video, source } = output;
  const place = placeOf(output);
  const byPlace = cleanFileName(`${place}-${video.row_name ?? source}.mp4`, `${place}.mp4`);
  const filled = job.name_pattern === null ? "" : fillPattern(job.name_pattern, nameValuesOf(output));
  const name = cleanFileName(filled.replace(/(\.mp4)+$/i, ""), "");
  if (name === "") return { name: byPlace, nameIfTaken: byPlace };
  const ending = `-${place}.mp4`;
  return { name: cleanFileName(`${name}.mp4`, byPlace), nameIfTaken: cleanFileName(name + ending, byPlace, ending) };
}

export function nameValuesOf({ job, video, source, caption, track, ...place }: NamedOutput): NameValues {
  return {
    name: video.row_name ?? source,
    source,
    position: positionOf({ job, video }),
    variant: String(place.variant + 1),
    segment: segmentOf(place),
    caption: caption ?? "",
    track: track ?? "",
    job: job.job_name,
    // File names cannot contain a colon.
    format: job.format.replace(":", "x"),
    row: video.row_pass ?? {},
  };
}

/** Unique and sorted within the job. */
function placeOf(output: Pick<NamedOutput, "job" | "video" | "variant" | "segment">): string {
  const segment = output.job.segmentation_type === "multiple" ? `-s${segmentOf(output)}` : "";
  return `${positionOf(output)}-v${output.variant + 1}${segment}`;
}

function positionOf({ job, video }: Pick<NamedOutput, "job" | "video">): string {
  return String(video.position + 1).padStart(Math.max(3, String(job.total_videos).length), "0");
}

function segmentOf({ segment }: Pick<NamedOutput, "segment">): string {
  return String(segment + 1).padStart(2, "0");
}
