import { Play, X } from "lucide-react";
import { Suspense, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import {
  type Combination,
  clipName,
  type Exclusion,
  type Slot,
  slotsProblem,
} from "#contract/jobs/assemblies/slots.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { SourcePicture } from "../../../sources/source-picture.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { SegmentedField } from "../../../ui/fields/segmented-field.tsx";
import { NumberField } from "../../../ui/fields/text-field.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { Disclosure } from "../../../ui/states/disclosure.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { readField } from "../setting-fields.ts";
import type { VideoRow } from "../videos/read-rows.ts";
import type { SlotEdits } from "./use-slots.ts";

const JoinedPreview = lazyPart(() => import("./joined-preview.tsx"));

/** More rows would be slow, and nobody reads them. */
const MOST_SHOWN = 200;

type How = "all" | "each" | "number";

export function Combinations({
  form,
  read,
  facts,
  edits,
}: {
  form: UseFormReturn<JobForm>;
  read: ReadForm;
  facts: ReadonlyMap<string, VideoRow>;
  edits: SlotEdits;
}) {
  const { slots, combinations, exclude } = read;
  const combine = readField("combine", form.getValues());
  const how: How = typeof combine === "number" ? "number" : combine;
  const [played, setPlayed] = useState<{ combination: Combination; isOpen: boolean } | null>(null);
  const problem = slotsProblem(slots, exclude);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start gap-4">
        <SegmentedField<How>
          label="Combinations"
          options={[
            { value: "all", label: "All" },
            { value: "each", label: "Each in turn" },
            { value: "number", label: "A number" },
          ]}
          value={how}
          onChange={(next) => edits.combine(next === "number" ? suggestNumber(slots) : next)}
        />
        {how === "number" && <CountField count={combine as number} onChange={edits.combine} />}
      </div>
      <p className="tnum text-12 text-ink-3" aria-live="polite">
        {problem === null ? describeCombinations(slots, combinations, how) : `${problem}.`}
      </p>
      {exclude.length > 0 && <Exclusions slots={slots} exclude={exclude} onChange={edits.exclude} />}
      {combinations.length > 0 && (
        <Disclosure level={4} title={`Show ${pluralize(combinations.length, "combination")}`}>
          <ol aria-label="Combinations" className="grid max-h-96 overflow-auto rounded-2 border border-line">
            {combinations.slice(0, MOST_SHOWN).map((combination, index) => (
              <CombinationRow
                key={combination.join(" ")}
                {...{ slots, combination, index, facts }}
                onPlay={() => setPlayed({ combination, isOpen: true })}
                onExclude={(pair) => edits.exclude([...exclude, pair])}
              />
            ))}
          </ol>
          {combinations.length > MOST_SHOWN && (
            <p className="pt-2 text-12 text-ink-3">And {formatCount(combinations.length - MOST_SHOWN)} more.</p>
          )}
        </Disclosure>
      )}
      {played && (
        <Suspense>
          <JoinedPreview
            {...{ slots, facts }}
            combination={played.combination}
            speed={read.speed}
            isOpen={played.isOpen}
            onClose={() => setPlayed({ ...played, isOpen: false })}
          />
        </Suspense>
      )}
    </div>
  );
}

function CountField({ count, onChange }: { count: number; onChange: (count: number) => void }) {
  const [text, setText] = useState(String(count));
  return (
    <div className="w-36">
      <NumberField
        label="How many"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          const typed = Math.floor(Number(target.value));
          if (typed >= 1 && typed <= JOB_LIMITS.videos) onChange(typed);
        }}
        onBlur={() => setText(String(count))}
      />
    </div>
  );
}

/** Enough for each clip of the largest slot to meet two of each other slot. */
function suggestNumber(slots: readonly Slot[]): number {
  return 2 * Math.max(1, ...slots.map(({ clips }) => clips.length));
}

function describeCombinations(slots: readonly Slot[], combinations: readonly Combination[], how: How): string {
  const clips = slots.reduce((sum, slot) => sum + slot.clips.length, 0);
  const all = slots.map((slot) => formatCount(slot.clips.length)).join(" × ");
  const made = `${pluralize(combinations.length, "video")} from ${pluralize(clips, "clip")}`;
  if (how === "all") {
    const isWhole = combinations.length === slots.reduce((product, slot) => product * slot.clips.length, 1);
    return `${all}${isWhole ? " = " : ", without the excluded pairs: "}${made}. Each clip is encoded once.`;
  }
  const even = how === "number" ? " Clips and pairs are used as equally often as the number allows." : "";
  return `${made}. Each clip is encoded once.${even}`;
}

function CombinationRow({
  slots,
  combination,
  index,
  facts,
  onPlay,
  onExclude,
}: {
  slots: readonly Slot[];
  combination: Combination;
  index: number;
  facts: ReadonlyMap<string, VideoRow>;
  onPlay: () => void;
  onExclude: (pair: Exclusion) => void;
}) {
  const parts = combination.map((clip, i): NamedClip & { fact: VideoRow | undefined } => {
    const { link } = slots[i]!.clips[clip]!;
    return { name: clipName(slots[i]!, clip), link, fact: facts.get(link) };
  });
  const [first, second] = parts;
  return (
    <li className="flex items-center gap-3 border-t border-line px-2.5 py-1.5 first:border-t-0">
      <span className="tnum w-8 shrink-0 text-12 text-ink-3">{index + 1}</span>
      <span className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1">
        {parts.map(({ name, fact }) => (
          <span key={name} className="flex min-w-0 items-center gap-1.5">
            <SourcePicture file={{ kind: "video", thumbnailUrl: fact?.thumbnailUrl ?? null }} />
            <span className="min-w-0">
              <span className="block text-12 text-ink-3">{name}</span>
              <span className="raw block max-w-40 truncate text-ink" {...tooltipWhenCut(fact?.name ?? "")}>
                {fact?.name ?? ""}
              </span>
            </span>
          </span>
        ))}
      </span>
      <IconButton icon={Play} label={`Play combination ${index + 1}`} onClick={onPlay} />
      {first && second && parts.length === 2 ? (
        <IconButton
          icon={X}
          label={`Exclude ${first.name} with ${second.name}`}
          onClick={() => onExclude([first.link, second.link])}
        />
      ) : (
        <ExcludeMenu clips={parts} onExclude={onExclude} />
      )}
    </li>
  );
}

/** Exclusions take links, which stay when clips are moved or removed. */
type NamedClip = { name: string; link: string };

function ExcludeMenu({ clips, onExclude }: { clips: readonly NamedClip[]; onExclude: (pair: Exclusion) => void }) {
  const pairs = clips.flatMap((a, i) => clips.slice(i + 1).map((b) => [a, b] as const));
  const items = pairs.map(([a, b]) => ({
    label: `${a.name} with ${b.name}`,
    icon: X,
    onSelect: () => onExclude([a.link, b.link]),
  }));
  return <Menu label="Exclude a pair" icon={X} items={items} />;
}

function Exclusions({
  slots,
  exclude,
  onChange,
}: {
  slots: readonly Slot[];
  exclude: readonly Exclusion[];
  onChange: (pairs: readonly Exclusion[]) => void;
}) {
  const nameOf = (clip: string) => {
    for (const slot of slots) {
      const place = slot.clips.findIndex(({ link }) => link === clip);
      if (place >= 0) return clipName(slot, place);
    }
    return clip;
  };
  return (
    <ul aria-label="Excluded pairs" className="flex flex-wrap gap-1.5">
      {exclude.map((pair) => (
        <li key={pair.join(" ")}>
          <Button
            size="sm"
            icon={X}
            aria-label={`Not ${nameOf(pair[0])} with ${nameOf(pair[1])}: allow it again`}
            onClick={() => onChange(exclude.filter((other) => other !== pair))}
          >
            Not {nameOf(pair[0])} with {nameOf(pair[1])}
          </Button>
        </li>
      ))}
    </ul>
  );
}
