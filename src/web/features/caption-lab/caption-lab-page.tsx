import type { FormEvent } from "react";
import { useSession } from "../../api/connection/session.ts";
import { useAcceptedSources } from "../../sources/use-accepted-sources.ts";
import { PageHead } from "../../ui/page/page-head.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { LabRail } from "./lab-rail.tsx";
import { LabResults } from "./lab-results.tsx";
import { LinksArea } from "./links-area.tsx";
import { readLinks } from "./read-links.ts";
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
