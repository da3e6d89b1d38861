import { useNavigate, useSearch } from "@tanstack/react-router";
import type { JobVideo, VideoStatus } from "#contract/jobs/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { pluralize, formatCount } from "../../../jobs/row/pluralize.ts";
import { Select } from "../../../ui/menus/select.tsx";
import { countEnded, countStates, readShownState } from "./video-groups.ts";

const ALL = "all" as const;

/** Keeps the filter in the URL; null shows all. */
export function useShownState(jobId: string): [VideoStatus | null, (state: VideoStatus | null) => void] {
  const shown = readShownState(useSearch({ strict: false }));
  const navigate = useNavigate();
  function show(state: VideoStatus | null) {
    const search = state ? { state: state.toLowerCase() } : {};
    void navigate({ to: paths.job, params: { jobId }, search, replace: true, resetScroll: false });
  }
  return [shown, show];
}

export function VideoFilter({
  videos,
  shown,
  onShow,
}: {
  videos: readonly JobVideo[];
  shown: VideoStatus | null;
  onShow: (state: VideoStatus | null) => void;
}) {
  if (videos.length < 2) return null;
  const ended = countEnded(videos);
  const counts = countStates(videos);
  const options: { value: VideoStatus | typeof ALL; label: string }[] = [
    { value: ALL, label: `All videos (${formatCount(videos.length)})` },
    ...counts.map(({ state, count }) => ({ value: state, label: `${state} (${formatCount(count)})` })),
    // A selected status stays even without videos.
    ...(shown && !counts.some(({ state }) => state === shown) ? [{ value: shown, label: `${shown} (0)` }] : []),
  ];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-6 pb-3 max-desk:px-4">
      <p className="tnum text-12 text-ink-3">
        {formatCount(ended)} of {pluralize(videos.length, "video")} finished
      </p>
      <Select<VideoStatus | typeof ALL>
        label="Status"
        className="w-44 max-desk:w-full"
        value={shown ?? ALL}
        options={options}
        onChange={(value) => onShow(value === ALL ? null : value)}
      />
    </div>
  );
}
