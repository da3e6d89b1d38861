import { CircleAlert, TriangleAlert } from "lucide-react";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/page/icon.tsx";
import { Spinner } from "../../../ui/states/spinner.tsx";
import { CaptionHandle } from "./caption-handle.tsx";
import { LayerHandles } from "./layer-handles.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { PlatformGuide } from "../../../jobs/platform-guide.tsx";
import type { Preview } from "./use-preview.ts";

/** `className` sets the frame's size. */
export function PreviewScreen({ preview, className }: { preview: Preview; className: string }) {
  const { shown, request, isLoading, isEmpty, error, retry } = preview;
  const isWide = shown !== null && shown.width > shown.height;
  return (
    <div
      className="relative grid w-full place-items-center rounded-2 bg-screen p-3"
      aria-busy={isLoading}
      data-preview={shown && !isLoading ? "ready" : undefined}
    >
      {/* Dark in both themes, including its text. */}
      <div
        data-theme="dark"
        className={classNames(
          "relative max-w-full overflow-hidden rounded-1",
          isWide || isEmpty ? "w-full" : "aspect-[9/16]",
          isEmpty ? "h-14" : className,
        )}
      >
        {shown && (
          <img
            src={shown.picture}
            alt={describePicture(preview)}
            className={classNames(
              "size-full object-contain transition-opacity",
              isLoading && !shown.isPending && "opacity-60",
            )}
          />
        )}
        {shown && request?.platform && <PlatformGuide platform={request.platform} picture={shown} />}
        {shown && <LayerHandles shown={shown} layers={preview.layers} onMove={preview.moveLayer} />}
        {shown?.caption && request?.caption && (
          <CaptionHandle shown={shown} place={shown.caption} captionY={preview.captionY} onMove={preview.moveCaption} />
        )}
        {!shown && !error && (
          <p className="grid size-full place-content-center justify-items-center gap-2 px-4 text-center text-12 text-ink-3">
            {isEmpty ? (
              "Add a video or a caption to see it here."
            ) : (
              <>
                <Spinner />
                Rendering the preview
              </>
            )}
          </p>
        )}
        {!shown && error && (
          <div role="alert" className="grid size-full place-content-center justify-items-center gap-2 px-4 text-center">
            <Icon icon={CircleAlert} className="text-failed" />
            <p className="text-12 text-ink">{error}</p>
            <Button size="sm" isBusy={isLoading} onClick={retry}>
              Try again
            </Button>
          </div>
        )}
      </div>
      {shown?.reason && <Reason preview={preview} reason={shown.reason} />}
    </div>
  );
}

/** Placed at the opposite end from the caption. */
function Reason({ preview: { request, shown, isLoading, retry }, reason }: { preview: Preview; reason: string }) {
  const isCaptionOnTop = request?.caption_position === "top";
  return (
    <div
      data-theme="dark"
      className={classNames(
        "absolute inset-x-2 flex items-start gap-2 rounded-2 border border-line-strong bg-overlay px-2.5 py-2 text-12 text-ink",
        isCaptionOnTop ? "bottom-2" : "top-2",
      )}
    >
      {shown?.isPending ? (
        <Spinner size={14} />
      ) : (
        <Icon icon={TriangleAlert} size={14} className="mt-px shrink-0 text-warning" />
      )}
      <output className="min-w-0 flex-1 wrap-anywhere">{reason}</output>
      {!shown?.isPending && (
        <Button size="sm" look="quiet" className="-my-1 -mr-1.5" isBusy={isLoading} onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function describePicture({ shown, request, videoNumber }: Preview): string {
  const parts = [
    request?.caption ? `the caption "${request.caption}"` : null,
    request?.watermark_text ? `the watermark "${request.watermark_text}"` : null,
    request?.watermark_image ? "the watermark image" : null,
    request?.layers && request.layers.length > 0 ? pluralize(request.layers.length, "layer") : null,
  ].filter((part) => part !== null);
  const background = shown?.isOnVideo ? `Video ${videoNumber}` : "A plain background";
  return parts.length === 0 ? background : `${background} with ${parts.join(" and ")}`;
}
