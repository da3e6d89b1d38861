import { Columns3, ListVideo, Plus } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { splitLinks } from "#contract/sources/links.ts";
import { UploadRows } from "../../../sources/uploads/add-files.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import type { VideoRow } from "../videos/read-rows.ts";
import type { VideoRows } from "../videos/use-video-rows.ts";
import { Combinations } from "./combinations.tsx";
import { SlotColumn } from "./slot-column.tsx";
import { useSlotEdits } from "./use-slots.ts";

/** Slots of clips side by side, and what is made of them. */
export default function SlotsField({
  form,
  read,
  videos,
}: {
  form: UseFormReturn<JobForm>;
  read: ReadForm;
  videos: VideoRows;
}) {
  const { slots } = read;
  const edits = useSlotEdits(form, read);
  // Pasted and uploaded videos come here.
  const [target, setTarget] = useState(0);
  useArrivingLinks(form, (links) => edits.addClips(Math.min(target, slots.length - 1), links));
  const facts = new Map(videos.rows.map((row): [string, VideoRow] => [row.link, row]));
  return (
    <section aria-label="Slots" className="grid gap-4">
      <div className="flex flex-wrap items-center gap-x-3">
        <h3 className="flex-1 text-13 font-medium text-ink">Videos from slots of clips</h3>
        <Button size="sm" look="quiet" icon={ListVideo} onClick={edits.leave}>
          Use single videos
        </Button>
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(216px,1fr))] items-start gap-3">
        {slots.map((slot, place) => (
          <SlotColumn
            // oxlint-disable-next-line react/no-array-index-key -- names may be equal while they are typed
            key={place}
            slot={slot}
            place={place}
            count={slots.length}
            speed={read.speed}
            facts={facts}
            edits={edits}
            onUse={() => setTarget(place)}
          />
        ))}
      </div>
      <UploadRows use="video" links={read.videos.valid} isListed />
      <div className="-ml-2">
        <Button
          size="sm"
          look="quiet"
          icon={slots.length < JOB_LIMITS.slots ? Plus : Columns3}
          disabled={slots.length >= JOB_LIMITS.slots}
          onClick={edits.addSlot}
        >
          {slots.length < JOB_LIMITS.slots ? "Add slot" : `At most ${JOB_LIMITS.slots} slots`}
        </Button>
      </div>
      <Combinations form={form} read={read} facts={facts} edits={edits} />
    </section>
  );
}

/** Takes what is added to the form's links from elsewhere: uploads, pastes and drops. */
function useArrivingLinks(form: UseFormReturn<JobForm>, onArrive: (links: string[]) => void): void {
  const text = form.watch("videoLinks");
  const handleArrive = useEffectEvent(onArrive);
  const { setValue } = form;
  useEffect(() => {
    const links = splitLinks(text);
    if (links.length === 0) return;
    setValue("videoLinks", "");
    handleArrive(links);
  }, [text, setValue]);
}
