import { CaptionPager } from "./caption-pager.tsx";
import { PreviewScreen } from "./preview-screen.tsx";
import type { Preview } from "./use-preview.ts";

/** What the files will look like, at the head of the rail. */
export function PreviewPane({ preview }: { preview: Preview }) {
  return (
    <section aria-label="Preview" className="border-b border-line px-4 pb-4">
      <div className="flex items-center justify-between pt-4 pb-2">
        <h2 className="text-14">Preview</h2>
        <span className="text-12 text-ink-3">{describeGround(preview)}</span>
      </div>
      <div className="grid justify-items-center gap-3">
        {/* What stands below it keeps its place on the screen. */}
        <PreviewScreen preview={preview} className="h-[clamp(240px,calc(100dvh-448px),470px)]" />
        <CaptionPager preview={preview} />
      </div>
    </section>
  );
}

/** What the captions stand on. */
export function describeGround({ shown }: Preview): string {
  if (!shown) return "";
  return shown.isOnVideo ? "Video 1" : "Plain background";
}
