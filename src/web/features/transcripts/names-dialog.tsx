import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type TranscriptName, transcriptNamesSchema } from "#contract/transcripts/names.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { loadSettings, saveSettings, settingsKey } from "../../api/functions/settings/settings.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { parseNames, writeNames } from "./names-text.ts";

/** How names are written in new transcripts of this workspace. */
export default function NamesDialog({ onClose }: { onClose: () => void }) {
  const settings = useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => loadSettings(signal) });
  if (settings.data) return <NamesForm names={settings.data.transcript_names} onClose={onClose} />;
  return (
    <Dialog isOpen title="Names" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {settings.error ? (
        <ErrorState
          title="Couldn't load the names"
          text={settings.error.message}
          isRetrying={settings.isFetching}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <div aria-busy>
          <Skeleton className="h-32 w-full" />
        </div>
      )}
    </Dialog>
  );
}

function NamesForm({ names, onClose }: { names: readonly TranscriptName[]; onClose: () => void }) {
  const client = useQueryClient();
  const [text, setText] = useState(() => writeNames(names));
  const [problem, setProblem] = useState<string | undefined>();
  const { isBusy, run } = useExclusiveAction();

  async function save() {
    const checked = transcriptNamesSchema.safeParse(parseNames(text));
    if (!checked.success) {
      setProblem(checked.error.issues[0]?.message);
      return;
    }
    try {
      const typed = checked.data.map(({ from, to }) => (from === undefined ? { to } : { from, to }));
      const saved = await saveSettings({ transcript_names: typed });
      client.setQueryData(settingsKey, saved);
      showToast({
        title: "Names Saved",
        description: `New transcripts use ${pluralize(typed.length, "name")}.`,
        variant: "success",
      });
      onClose();
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : "Couldn't save the names.");
    }
  }
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    void run(save);
  }
  return (
    <Dialog
      isOpen
      title="Names"
      text="How names are written in new transcripts. Transcription also gets them as a hint."
      onClose={onClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Save names
          </Button>
        </>
      }
    >
      <TextAreaField
        label="Names"
        hint="One per line. Write “clip mill = Clipmill” to replace what is often heard instead."
        rows={8}
        placeholder={"Clipmill\nmarry anne = Mary-Ann"}
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
    </Dialog>
  );
}
