import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import type { PreviewRequest } from "#contract/calls.ts";
import { JOB_DEFAULTS, pickSettings, previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { loadPreview } from "../../api/functions/library.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { useSettled } from "../../ui/use-settled.ts";

/** Short: images are large data URLs. */
const KEPT_MS = 60_000;
const SETTLED_MS = 150;

/** The caption as a job with the default look draws it, on a plain background. */
export function CaptionPreview({ item }: { item: string }) {
  const caption = useSettled(item, SETTLED_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: ["preview", caption],
    queryFn: ({ signal }) => loadPreview(requestOf(caption), signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    // 409: another tab of this session requested a preview in between.
    retry: (failures, failure) => failures < 3 && failure instanceof CallError && failure.status === 409,
  });
  return (
    <div data-theme="dark" aria-busy={isFetching} className="grid h-64 place-items-center rounded-2 bg-screen p-2">
      {error ? (
        <p role="alert" className="flex items-center gap-2 text-12 text-ink">
          <Icon icon={CircleAlert} size={14} className="text-failed" />
          {error.message}
        </p>
      ) : data ? (
        <img
          src={data.picture}
          alt={`The caption "${caption}" as it is drawn`}
          className="h-60 rounded-1 object-contain"
        />
      ) : (
        <Spinner />
      )}
    </div>
  );
}

function requestOf(caption: string): PreviewRequest {
  const look = pickSettings(JOB_DEFAULTS, previewSettingNames());
  return { ...look, input_video: null, at_seconds: null, caption, watermark_text: null };
}
