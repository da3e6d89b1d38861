import type { UseFormReturn } from "react-hook-form";
import { clipLink, type Combine, type Exclusion, type Slot } from "#contract/jobs/assemblies/slots.ts";
import { splitLinks } from "#contract/sources/links.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";

export type SlotEdits = {
  change: (place: number, changes: Partial<Slot>) => void;
  /** Without any, the slot's clips show the job's. */
  setCaptions: (place: number, captions: readonly string[]) => void;
  /** Adds clips that the slot does not have yet. */
  addClips: (place: number, links: readonly string[]) => void;
  addSlot: () => void;
  removeSlot: (place: number) => void;
  moveSlot: (place: number, by: -1 | 1) => void;
  combine: (how: Combine) => void;
  exclude: (pairs: readonly Exclusion[]) => void;
  /** Back to single videos, which are all clips. */
  leave: () => void;
};

/** Names of new slots, in their order. */
const NAMES = ["Hook", "Body", "Ending"];

/** The form's videos become the clips of the first slot. */
export function startSlots({ getValues, setValue }: UseFormReturn<JobForm>): void {
  const clips = splitLinks(getValues("videoLinks")).map((link) => ({ link }));
  const slots: Slot[] = [
    { name: NAMES[0]!, clips },
    { name: NAMES[1]!, clips: [] },
  ];
  setValue("videoLinks", "", { shouldDirty: true });
  setValue("rows", "", { shouldDirty: true });
  setValue("slots", JSON.stringify(slots), { shouldDirty: true });
}

export function useSlotEdits(
  { setValue }: UseFormReturn<JobForm>,
  { slots, exclude }: Pick<ReadForm, "slots" | "exclude">,
): SlotEdits {
  const writeExclude = (pairs: readonly Exclusion[]) =>
    setValue("exclude", pairs.length === 0 ? "" : JSON.stringify(pairs), { shouldDirty: true });
  function write(changed: readonly Slot[]): void {
    setValue("slots", JSON.stringify(changed), { shouldDirty: true });
    if (exclude.length > 0) writeExclude(keepExclusions(exclude, slots, changed));
  }
  const change = (place: number, changes: Partial<Slot>) =>
    write(slots.map((slot, i) => (i === place ? Object.assign({}, slot, changes) : slot)));
  return {
    change,
    setCaptions(place, captions) {
      const { captions: _before, ...slot } = slots[place]!;
      const changed = captions.length > 0 ? { ...slot, captions: [...captions] } : slot;
      write(slots.map((other, i) => (i === place ? changed : other)));
    },
    addClips(place, links) {
      const { clips } = slots[place]!;
      const known = new Set(clips.map(({ link }) => link));
      const added = [...new Set(links)].filter((link) => !known.has(link)).map((link) => ({ link }));
      change(place, { clips: [...clips, ...added] });
    },
    addSlot() {
      const taken = new Set(slots.map(({ name }) => name.toLowerCase()));
      const numbered = `Part ${slots.length + 1}`;
      write([...slots, { name: NAMES.find((name) => !taken.has(name.toLowerCase())) ?? numbered, clips: [] }]);
    },
    removeSlot: (place) => write(slots.filter((_, i) => i !== place)),
    moveSlot(place, by) {
      const moved = [...slots];
      moved.splice(place + by, 0, ...moved.splice(place, 1));
      write(moved);
    },
    combine: (how) => setValue("combine", how === "all" ? "" : JSON.stringify(how), { shouldDirty: true }),
    exclude: writeExclude,
    leave() {
      const links = new Set(slots.flatMap(({ clips }) => clips.map(({ link }) => link)));
      setValue("videoLinks", [...links].join("\n"), { shouldDirty: true });
      for (const field of ["slots", "combine", "exclude"] as const) setValue(field, "", { shouldDirty: true });
    },
  };
}

/** By link, as "Hook 3" is another clip once Hook 1 is gone. Without pairs whose clips are gone. */
function keepExclusions(
  exclude: readonly Exclusion[],
  before: readonly Slot[],
  after: readonly Slot[],
): readonly Exclusion[] {
  const links = new Set(after.flatMap(({ clips }) => clips.map(({ link }) => link)));
  return exclude
    .map(([a, b]): Exclusion => [clipLink(before, a), clipLink(before, b)])
    .filter((pair) => pair.every((link) => links.has(link)));
}
