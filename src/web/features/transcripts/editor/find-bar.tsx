import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from "react";
import type { WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { SearchField } from "../../../ui/fields/search-field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import type { TranscriptEditor } from "../draft/transcript-editor.ts";
import type { Place } from "../model/commands.ts";
import { findText, type Match, replaceMatch, replaceText, type Search } from "../model/find-text.ts";
import type { Lines } from "../model/patches.ts";
import { readOthersOfJob, replaceInOthers } from "./replace-in-job.ts";

const HERE = "here";

/** Finds a text, and replaces it here or in all transcripts of a job. */
export function FindBar({
  transcript,
  editor,
  lines,
  onSelect,
  onClose,
}: {
  transcript: WholeTranscript;
  editor: TranscriptEditor;
  lines: Lines;
  onSelect: (place: Place) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState<Search>({ text: "", isCaseMatched: false, isWholeWord: true });
  const [replacement, setReplacement] = useState("");
  const [scope, setScope] = useState(HERE);
  const deferred = useDeferredValue(search);
  const matches = useMemo(() => findText(lines, deferred), [lines, deferred]);
  const jobs = useMemo(
    () => [...new Map(transcript.videos.map((one) => [one.job_id, one.job_name])).entries()],
    [transcript],
  );
  const others = useQuery({
    queryKey: ["transcripts-of-job", scope, transcript.id],
    queryFn: () => readOthersOfJob(scope, transcript.id),
    enabled: scope !== HERE,
    gcTime: 0,
  });
  const { isBusy, run } = useExclusiveAction();
  const otherCount = useMemo(
    () => (others.data ?? []).reduce((sum, other) => sum + findText(other.lines, deferred).length, 0),
    [others.data, deferred],
  );
  const current = matches.findIndex((match) => isAt(match, editor.read().place));

  function go(by: 1 | -1) {
    const { place } = editor.read();
    const next =
      by === 1 ? matches.find((match) => isAfter(match, place)) : matches.findLast((match) => isAfter(place, match));
    const chosen = next ?? matches.at(by === 1 ? 0 : -1);
    if (chosen) onSelect(placeOf(chosen));
  }
  function replaceOne() {
    const match = matches[current];
    if (match) editor.change((all) => replaceMatch(all, match, replacement));
    go(1);
  }
  async function replaceAll() {
    let count = 0;
    editor.change((all) => {
      const found = replaceText(all, search, replacement);
      count = found?.count ?? 0;
      return found;
    });
    const rest = scope === HERE ? null : await replaceInOthers(others.data ?? [], search, replacement);
    await others.refetch({ cancelRefetch: true });
    const where = rest === null ? "" : ` in ${pluralize((count > 0 ? 1 : 0) + rest.transcripts, "transcript")}`;
    showToast({ title: `${pluralize(count + (rest?.count ?? 0), "match", "matches")} replaced${where}` });
    if (rest && rest.failed.length > 0)
      showToast({
        title: `Couldn't change ${pluralize(rest.failed.length, "transcript")}`,
        description: rest.failed.join(" "),
        variant: "destructive",
      });
  }
  const handleKey = (act: () => void) => (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") act();
    else return;
    event.preventDefault();
  };
  const total = matches.length + (scope === HERE ? 0 : otherCount);
  return (
    <search
      aria-label="Find and replace"
      className="grid gap-2 border-t border-line px-5 py-2 max-desk:border-b max-desk:px-3"
    >
      <div className="flex items-center gap-1">
        <SearchField
          label="Find"
          placeholder="Find"
          value={search.text}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the operator has just asked for it
          autoFocus
          onChange={(text) => setSearch({ ...search, text })}
          onKeyDown={handleKey(() => go(1))}
        />
        <output className="tnum w-20 shrink-0 text-center text-12 text-ink-3">
          {search.text.trim() !== "" &&
            (current === -1 ? pluralize(matches.length, "match", "matches") : `${current + 1} of ${matches.length}`)}
        </output>
        <IconButton icon={ChevronUp} label="Previous match" disabled={matches.length === 0} onClick={() => go(-1)} />
        <IconButton icon={ChevronDown} label="Next match" disabled={matches.length === 0} onClick={() => go(1)} />
        <IconButton icon={X} label="Close find and replace" onClick={onClose} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-40 flex-1">
          <TextField
            label="Replace with"
            isLabelHidden
            placeholder="Replace with"
            value={replacement}
            onChange={(event) => setReplacement(event.target.value)}
            onKeyDown={handleKey(replaceOne)}
          />
        </div>
        <Button disabled={current === -1} onClick={replaceOne}>
          Replace
        </Button>
        <Button
          disabled={total === 0 || (scope !== HERE && !others.data)}
          isBusy={isBusy}
          onClick={() => void run(replaceAll)}
        >
          {total === 0 ? "Replace all" : `Replace all ${total}`}
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Checkbox
          label="Whole words"
          checked={search.isWholeWord}
          onChange={({ target }) => setSearch({ ...search, isWholeWord: target.checked })}
        />
        <Checkbox
          label="Match case"
          checked={search.isCaseMatched}
          onChange={({ target }) => setSearch({ ...search, isCaseMatched: target.checked })}
        />
        {jobs.length > 0 && (
          <Select
            label="Replace all in"
            className="ml-auto w-60 max-w-full max-desk:ml-0 max-desk:w-full"
            value={scope}
            options={[
              { value: HERE, label: "All in this transcript" },
              ...jobs.map(([id, name]) => ({ value: id, label: `All in job ${name || "without a name"}` })),
            ]}
            onChange={setScope}
          />
        )}
        {scope !== HERE && (
          <p className="w-full text-12 text-ink-3">
            {others.error ? others.error.message : "Undo only reverts changes in this transcript."}
          </p>
        )}
      </div>
    </search>
  );
}

function placeOf({ line, from }: Match): Place {
  return { line, word: from };
}

function isAt({ line, from, to }: Match, place: Place): boolean {
  return line === place.line && place.word >= from && place.word < to;
}

function isAfter(a: Match | Place, b: Match | Place): boolean {
  return a.line > b.line || (a.line === b.line && wordOf(a) > wordOf(b));
}

function wordOf(one: Match | Place): number {
  return "from" in one ? one.from : one.word;
}
