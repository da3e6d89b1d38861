import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import type { PreviewRequest } from "#contract/calls.ts";
import { JOB_DEFAULTS, pickSettings, previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { previewQuery } from "../../api/preview-query.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { useSettled } from "../../ui/use-settled.ts";

const SETTLED_MS = 150;

/** The caption as a job with the default look draws it, on a plain background. */
export function CaptionPreview({ item }: { item: string }) {
  const caption = useSettled(item, SETTLED_MS);
  const { data, error, isFetching } = useQuery({
    ...previewQuery(requestOf(caption)),
    staleTime: Infinity,
  });
  return (
    <div
      data-theme="dark"
      aria-busy={isFetching}
      className="grid h-[clamp(256px,42dvh,400px)] grid-rows-1 place-items-center rounded-2 bg-screen p-2"
    >
      {error ? (
        <p role="alert" className="flex items-center gap-2 text-12 text-ink">
          <Icon icon={CircleAlert} size={14} className="text-failed" />
          {error.message}
        </p>
      ) : data ? (
        <img
          src={data.picture}
          alt={`The caption "${caption}" as it is drawn`}
          className="h-full rounded-1 object-contain"
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
