import { RotateCw, Sparkles } from "lucide-react";
import type { FormEvent } from "react";
import { useSession } from "../../api/connection/session.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { OpenAiKeyNote } from "../../sets/openai-key-note.tsx";
import { labUploads, useUnfinishedUploads } from "../../sources/uploads/use-uploads.ts";
import { useAcceptedSources } from "../../sources/use-accepted-sources.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane, RailPane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { Strip } from "../../ui/states/strip.tsx";
import { hasEnded, slatsOf } from "./describe-batch.ts";
import { LabResults } from "./lab-results.tsx";
import type { LabSession } from "./lab-session.ts";
import { readLinks } from "./read-links.ts";
import { useCaptionLab } from "./use-caption-lab.ts";
import { VideosArea } from "./videos-area.tsx";

export function CaptionLabPage() {
  const { open } = useSession();
  return open && <CaptionLabScreen key={open.userId} owner={open.userId} />;
}

function CaptionLabScreen({ owner }: { owner: string }) {
  const lab = useCaptionLab(owner);
  const { session, videos } = lab;
  const links = readLinks(videos.text, useAcceptedSources());
  const missing = describeMissing(links.valid + videos.files.length, useUnfinishedUploads(labUploads));
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (missing === null) void lab.generate();
  }
  return (
    <form
      // At least as high as a phone's screen, so that the bar stays at its bottom.
      className="desk:contents max-desk:flex max-desk:min-h-[calc(100dvh-var(--h-top))] max-desk:flex-col"
      noValidate
      onSubmit={handleSubmit}
    >
      <Pane className="max-desk:[&_:is(input,textarea,button)]:scroll-mb-36">
        <PageHead title="Caption Lab" subtitle="Captions based on what happens in each video" />
        <section className="border-t border-line px-6 py-5 max-desk:px-4">
          <VideosArea
            videos={videos}
            links={links}
            onType={lab.setText}
            onChangeFiles={lab.changeFiles}
            onRemove={lab.removeFile}
          />
        </section>
        <LabResults lab={lab} />
      </Pane>
      <LabRail session={session} missing={missing} onRetry={() => void lab.retryFailed()} />
    </form>
  );
}

function LabRail({ session, missing, onRetry }: { session: LabSession; missing: string | null; onRetry: () => void }) {
  return (
    <RailPane
      label="Progress"
      className="max-desk:bottom-0 max-desk:[@media(min-height:480px)]:sticky max-desk:z-[4] max-desk:border-t max-desk:border-line-strong max-desk:bg-overlay"
    >
      <LabProgress session={session} onRetry={onRetry} />
      <div className="grid gap-2 px-5 py-5 max-desk:px-4 max-desk:py-3">
        <Button
          type="submit"
          look="primary"
          size="lg"
          icon={Sparkles}
          disabled={missing !== null && !session.generating}
          isBusy={session.generating}
        >
          {session.generating ? "Generating..." : "Generate"}
        </Button>
        {missing !== null && !session.generating && <p className="text-12 text-ink-3">{missing}</p>}
        <OpenAiKeyNote kind="vision" />
      </div>
    </RailPane>
  );
}

/** Returns why captions cannot be generated, or null. */
function describeMissing(videos: number, uploads: number): string | null {
  if (uploads > 0) return `${pluralize(uploads, "upload is", "uploads are")} not finished.`;
  return videos > 0 ? null : "Add at least one valid video link or file to generate captions.";
}

function LabProgress({ session, onRetry }: { session: LabSession; onRetry: () => void }) {
  const rows = session.generatedCaptions;
  if (rows.length === 0) return <LabSteps />;
  const ended = rows.filter(hasEnded).length;
  const failed = rows.filter((row) => row.status === "Failed").length;
  return (
    <section className="grid gap-3 border-b border-line px-5 py-4 max-desk:gap-1.5 max-desk:px-4 max-desk:py-3">
      <div>
        <p className="tnum text-28 text-ink max-desk:hidden">
          {ended}
          <span className="text-ink-3"> / {rows.length}</span>
        </p>
        <output className="tnum block text-ink-2">{session.currentProgress}</output>
      </div>
      <Strip
        label="Videos analyzed"
        fraction={ended / rows.length}
        figure={`${ended}/${rows.length}`}
        slats={slatsOf(rows)}
      />
      {failed > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-12 text-ink-3">{failed} without a caption</p>
          {!session.generating && session.batchId !== null && (
            <Button size="sm" icon={RotateCw} onClick={onRetry}>
              Try again
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function LabSteps() {
  return (
    <section className="border-b border-line px-5 py-4 max-desk:hidden">
      <h2 className="mb-2 text-14 font-medium text-ink">How each video is captioned</h2>
      <ol className="grid list-decimal gap-1.5 pl-4 text-12 text-ink-2 marker:text-ink-3">
        <li>Clipmill takes up to eight frames from the video.</li>
        <li>It transcribes any speech, unless the video has a transcript.</li>
        <li>A model writes one caption from both.</li>
      </ol>
      <p className="mt-3 text-12 text-ink-3">
        You can close this page. Analysis continues, and the results will be here when you return.
      </p>
    </section>
  );
}
