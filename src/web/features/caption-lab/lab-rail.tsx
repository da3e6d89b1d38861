import { RotateCw, Sparkles } from "lucide-react";
import { Button } from "../../ui/buttons/button.tsx";
import { RailPane } from "../../ui/dialogs/pane.tsx";
import { Strip } from "../../ui/states/strip.tsx";
import { hasEnded, slatsOf } from "./describe-batch.ts";
import type { LabSession } from "./lab-session.ts";

export function LabRail({
  session,
  validLinks,
  onRetry,
}: {
  session: LabSession;
  validLinks: number;
  onRetry: () => void;
}) {
  const isMissing = validLinks === 0;
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
          disabled={isMissing && !session.generating}
          isBusy={session.generating}
        >
          {session.generating ? "Generating..." : "Generate"}
        </Button>
        {isMissing && !session.generating && (
          <p className="text-12 text-ink-3">Add at least one valid video link to generate captions.</p>
        )}
      </div>
    </RailPane>
  );
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
        <li>It transcribes any speech.</li>
        <li>OpenAI writes one caption from both.</li>
      </ol>
      <p className="mt-3 text-12 text-ink-3">
        You can close this page. Analysis continues, and the results will be here when you return.
      </p>
    </section>
  );
}
