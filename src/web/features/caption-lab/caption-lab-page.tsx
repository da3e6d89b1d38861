import { Check, RotateCw, Sparkles } from "lucide-react";
import type { ChangeEvent, FormEvent } from "react";
import { splitLinks } from "#contract/sources/links.ts";
import { useSession } from "../../api/connection/session.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { splitAtCommas } from "../../sets/editor/splitting/split-at-commas.ts";
import { SourceList } from "../../sources/source-list.tsx";
import { useAcceptedSources } from "../../sources/use-accepted-sources.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane, RailPane } from "../../ui/dialogs/pane.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { Strip } from "../../ui/states/strip.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import { hasEnded, slatsOf } from "./describe-batch.ts";
import { LabResults } from "./lab-results.tsx";
import type { LabSession } from "./lab-session.ts";
import { describeBadLinks, readLinks, type ReadLinks } from "./read-links.ts";
import { useCaptionLab } from "./use-caption-lab.ts";

export function CaptionLabPage() {
  const { open } = useSession();
  return open && <CaptionLabScreen key={open.userId} owner={open.userId} />;
}

function CaptionLabScreen({ owner }: { owner: string }) {
  const lab = useCaptionLab(owner);
  const { session } = lab;
  const links = readLinks(session.videoLinks, useAcceptedSources());
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (links.valid > 0) void lab.generate();
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
          <LinksArea text={session.videoLinks} links={links} onChange={lab.setLinks} />
        </section>
        <LabResults lab={lab} />
      </Pane>
      <LabRail session={session} validLinks={links.valid} onRetry={() => void lab.retryFailed()} />
    </form>
  );
}

/** Accepts one link per line; commas become line breaks. */
function LinksArea({ text, links, onChange }: { text: string; links: ReadLinks; onChange: (text: string) => void }) {
  const problem = describeBadLinks(links);
  function handleChange({ target }: ChangeEvent<HTMLTextAreaElement>) {
    const split = splitAtCommas({ text: target.value, caret: target.selectionEnd });
    if (split) {
      target.value = split.text;
      target.setSelectionRange(split.caret, split.caret);
    }
    onChange(target.value);
  }
  return (
    <div className="grid gap-2">
      <TextAreaField
        label="Video links"
        rows={4}
        value={text}
        placeholder="https://drive.google.com/file/d/…"
        autoCapitalize="off"
        className="raw"
        onChange={handleChange}
        hint={
          <div className="grid gap-1">
            <div className="flex flex-wrap items-center gap-x-3">
              {links.valid > 0 && (
                <span className="tnum inline-flex items-center gap-[5px] text-ink-2">
                  <Icon icon={Check} size={14} className="shrink-0 text-completed" />
                  {pluralize(links.valid, "valid link")}
                </span>
              )}
              <span>One per line. Share each file as “Anyone with the link”.</span>
            </div>
            {problem && <WarningNote text={problem} />}
          </div>
        }
      />
      <SourceList links={splitLinks(text)} />
    </div>
  );
}

function LabRail({ session, validLinks, onRetry }: { session: LabSession; validLinks: number; onRetry: () => void }) {
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
