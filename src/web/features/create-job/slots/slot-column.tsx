import { ArrowLeft, ArrowRight, CircleAlert, Ellipsis, MessageSquareText, Scissors, Trash2, X } from "lucide-react";
import { useState } from "react";
import { JOB_SETTINGS } from "#contract/job-settings/job-settings.ts";
import { roundSetting } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { clipName, type Slot } from "#contract/jobs/assemblies/slots.ts";
import { splitCaptions, splitLinks } from "#contract/sources/links.ts";
import { AddFiles } from "../../../sources/uploads/add-files.tsx";
import { SourcePicture } from "../../../sources/source-picture.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { NumberField, TextField } from "../../../ui/fields/text-field.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { formatClipLength } from "../../../ui/text/length-and-size.ts";
import type { VideoRow } from "../videos/read-rows.ts";
import type { SlotEdits } from "./use-slots.ts";

type Facts = ReadonlyMap<string, VideoRow>;

export function SlotColumn({
  slot,
  place,
  count,
  speed,
  facts,
  edits,
  onUse,
}: {
  slot: Slot;
  place: number;
  count: number;
  /** Of clips without their own. */
  speed: number;
  facts: Facts;
  edits: SlotEdits;
  /** Called when something in the slot gets the focus. */
  onUse: () => void;
}) {
  const { name, clips, captions } = slot;
  // Opened for a slot without captions so far.
  const [asksCaptions, setAsksCaptions] = useState(false);
  const hasCaptions = captions !== undefined || asksCaptions;
  const [trimmed, setTrimmed] = useState<string | null>(null);
  const keys = clipKeys(clips);
  const changeClip = (index: number, changes: object) =>
    edits.change(place, { clips: clips.map((clip, i) => (i === index ? Object.assign({}, clip, changes) : clip)) });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focus bubbles from its fields
    <fieldset className="min-w-0 rounded-2 border border-line bg-raised p-2.5" onFocus={onUse}>
      <legend className="sr-only">{name}</legend>
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <TextField
            label={`Name of slot ${place + 1}`}
            isLabelHidden
            autoComplete="off"
            maxLength={JOB_LIMITS.slotNameCharacters}
            value={name}
            className="border-transparent! bg-transparent! px-1! font-medium hover:border-line-strong! focus:bg-well!"
            onChange={({ target }) => edits.change(place, { name: target.value.replaceAll(/[{}:]/g, "") })}
          />
        </div>
        <Menu
          label={`More actions for ${name}`}
          icon={Ellipsis}
          items={[
            {
              label: hasCaptions ? "Remove own captions" : "Add own captions",
              icon: MessageSquareText,
              onSelect: () => {
                setAsksCaptions(!hasCaptions);
                edits.setCaptions(place, []);
              },
            },
            { label: "Move left", icon: ArrowLeft, isDisabled: place === 0, onSelect: () => edits.moveSlot(place, -1) },
            {
              label: "Move right",
              icon: ArrowRight,
              isDisabled: place === count - 1,
              onSelect: () => edits.moveSlot(place, 1),
            },
            {
              label: "Remove slot",
              icon: Trash2,
              isDisabled: count <= JOB_LIMITS.leastSlots,
              onSelect: () => edits.removeSlot(place),
            },
          ]}
        />
      </div>
      <ul aria-label={`Clips of ${name}`} className="mt-1 grid grid-cols-1">
        {clips.map((clip, index) => {
          const fact = facts.get(clip.link);
          const title = fact?.name ?? clip.link;
          return (
            <li key={keys[index]} className="grid grid-cols-1 gap-1.5 border-t border-line py-1.5">
              <div className="flex items-center gap-2">
                <SourcePicture file={{ kind: "video", thumbnailUrl: fact?.thumbnailUrl ?? null }} />
                <span className="min-w-0 flex-1">
                  <span className="raw block truncate text-ink" {...tooltipWhenCut(title)}>
                    {title}
                  </span>
                  <span className="tnum block text-12 text-ink-3">{describeClip(clip, fact)}</span>
                </span>
                <IconButton
                  icon={Scissors}
                  label={`Trim ${title}`}
                  aria-expanded={trimmed === keys[index]}
                  onClick={() => setTrimmed(trimmed === keys[index] ? null : keys[index]!)}
                />
                <IconButton
                  icon={X}
                  label={`Remove ${title} from ${name}`}
                  className="-ml-2"
                  onClick={() => edits.change(place, { clips: clips.filter((_, i) => i !== index) })}
                />
              </div>
              {trimmed === keys[index] && (
                <TrimFields clip={clip} jobSpeed={speed} onChange={(changes) => changeClip(index, changes)} />
              )}
              <ClipProblem fact={fact} name={clipName(slot, index)} />
            </li>
          );
        })}
      </ul>
      <LinkInput name={name} onAdd={(links) => edits.addClips(place, links)} />
      <div className="mt-1 -ml-2">
        <AddFiles
          use="video"
          links={clips.map(({ link }) => link)}
          isMenu
          onAdd={(links) => edits.addClips(place, links)}
        />
      </div>
      {hasCaptions && <OwnCaptions captions={captions ?? []} onChange={(texts) => edits.setCaptions(place, texts)} />}
    </fieldset>
  );
}

/** Of each clip, also if a link is in the slot twice. */
function clipKeys(clips: Slot["clips"]): string[] {
  return clips.map(({ link }, i) => `${link} ${clips.slice(0, i).filter((other) => other.link === link).length}`);
}

function OwnCaptions({
  captions,
  onChange,
}: {
  captions: readonly string[];
  onChange: (captions: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState("");
  const lines = captions.join("\n");
  // Empty lines are kept while they are typed.
  const isTyped = splitCaptions(typed).join("\n") === lines;
  return (
    <TextAreaField
      label="Own captions, one per line"
      hint="Instead of the job's. Clip 1 starts with the first; each variant takes the next."
      rows={2}
      value={isTyped ? typed : lines}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(splitCaptions(target.value));
      }}
    />
  );
}

function ClipProblem({ fact, name }: { fact: VideoRow | undefined; name: string }) {
  const problem = fact ? fact.problem : `${name} is not a link to a video.`;
  if (problem === null) return null;
  return (
    <span className="flex items-start gap-[5px] text-12 wrap-anywhere text-failed">
      <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
      {problem}
    </span>
  );
}

function describeClip({ speed, ...clip }: Slot["clips"][number], fact?: VideoRow): string {
  const part = describePart(clip, fact);
  return speed === undefined ? part : `${part} · ${speed}×`;
}

function describePart(
  { start_seconds: start = 0, end_seconds: end = null }: Slot["clips"][number],
  fact?: VideoRow,
): string {
  if (start > 0 || end !== null) return `${start} s to ${end === null ? "the end" : `${end} s`}`;
  if (fact?.state === "checking") return "Checking";
  return fact?.durationSeconds ? formatClipLength(fact.durationSeconds) : " ";
}

type ClipChanges = { start_seconds?: number; end_seconds?: number | null; speed?: number | undefined };

function TrimFields({
  clip: { start_seconds: start = 0, end_seconds: end = null, speed },
  jobSpeed,
  onChange,
}: {
  clip: Slot["clips"][number];
  jobSpeed: number;
  onChange: (changes: ClipChanges) => void;
}) {
  return (
    <div className="grid grid-cols-2 gap-2">
      <NumberField
        label="Start at (s)"
        defaultValue={start === 0 ? "" : start}
        placeholder="0"
        onChange={({ target }) => onChange({ start_seconds: readPositive(target.value) ?? 0 })}
      />
      <NumberField
        label="End at (s)"
        defaultValue={end ?? ""}
        placeholder="End"
        onChange={({ target }) => onChange({ end_seconds: readPositive(target.value) })}
      />
      <SpeedField speed={speed} jobSpeed={jobSpeed} onChange={(own) => onChange({ speed: own })} />
    </div>
  );
}

/** Without a number, the clip has the job's speed. */
function SpeedField({
  speed,
  jobSpeed,
  onChange,
}: {
  speed: number | undefined;
  jobSpeed: number;
  onChange: (speed: number | undefined) => void;
}) {
  const [typed, setTyped] = useState(speed === undefined ? "" : String(speed));
  const { least, most } = JOB_SETTINGS.speed;
  const readSpeed = (text: string) => {
    const number = readPositive(text);
    return number !== null && number >= least && number <= most ? roundSetting(JOB_SETTINGS.speed, number) : undefined;
  };
  const isUsable = typed.trim() === "" || readSpeed(typed) !== undefined;
  return (
    <NumberField
      label="Speed (×)"
      value={typed}
      placeholder={String(jobSpeed)}
      error={isUsable ? undefined : `From ${least} to ${most}`}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readSpeed(target.value));
      }}
    />
  );
}

function readPositive(text: string): number | null {
  const seconds = Number(text.replace(",", "."));
  return text.trim() === "" || !Number.isFinite(seconds) || seconds < 0 ? null : seconds;
}

/** Pasted links are added at once, typed ones with Enter or on leaving the field. */
function LinkInput({ name, onAdd }: { name: string; onAdd: (links: string[]) => void }) {
  const [text, setText] = useState("");
  function add(typed: string): void {
    const links = splitLinks(typed);
    if (links.length === 0) return;
    onAdd(links);
    setText("");
  }
  return (
    <TextField
      label={`Links of ${name}`}
      isLabelHidden
      autoComplete="off"
      placeholder="Paste links"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text/plain");
        if (!pasted.includes("https://")) return;
        event.preventDefault();
        add(pasted);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        add(text);
      }}
      onBlur={() => add(text)}
    />
  );
}
