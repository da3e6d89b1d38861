import { CaptionScrubber } from "./caption-scrubber.tsx";
import { CaptionPager, VideoPager } from "./preview-pagers.tsx";
import { PreviewScreen } from "./preview-screen.tsx";
import type { Preview } from "./use-preview.ts";

export function PreviewPane({ preview }: { preview: Preview }) {
  return (
    <section aria-label="Preview" className="border-b border-line px-4 pb-4">
      <div className="flex min-h-10 items-center justify-between gap-2 pt-2 pb-1">
        <h2 className="text-14">Preview</h2>
        <VideoPager preview={preview} className="min-w-0" />
      </div>
      <div className="grid justify-items-center gap-2">
        {/* A fixed height keeps the content below from moving, and leaves room for the progress of a job, seven facts and Start. */}
        <PreviewScreen preview={preview} className="h-[clamp(176px,calc(100dvh-524px-var(--card,0px)),470px)]" />
        {!preview.isEmpty && <CaptionPager preview={preview} />}
        <CaptionScrubber preview={preview} />
      </div>
    </section>
  );
}
