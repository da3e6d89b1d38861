import { Suspense } from "react";
import type { UseFormReturn } from "react-hook-form";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { ContentSection } from "../content-section.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { SUBTITLES_ZONE } from "../upload/file-drop.tsx";

const SubtitleFields = lazyPart(() => import("./subtitle-fields.tsx"));

/** A subtitle file belongs to a video, so an empty form has no use for it. */
export function SubtitlesSection(props: { form: UseFormReturn<JobForm>; isOn: boolean; read: ReadForm }) {
  if (!props.isOn && props.read.videos.valid.length === 0) return null;
  return (
    <ContentSection
      title="Subtitles"
      dropZone={SUBTITLES_ZONE}
      isOn={props.isOn}
      registration={props.form.register("subtitlesEnabled")}
    >
      <Suspense>
        <SubtitleFields {...props} />
      </Suspense>
    </ContentSection>
  );
}
