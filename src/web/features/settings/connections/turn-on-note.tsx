import { useQueryClient } from "@tanstack/react-query";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { saveSettings, settingsKey } from "../../../api/functions/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

/** Connections are useless until S3 links are on. */
export function TurnOnNote({ settings: { source_hosts: hosts } }: { settings: SettingsResponse }) {
  const client = useQueryClient();
  const toast = useToast();
  const { isBusy, run } = useExclusiveAction();
  if (hosts.includes("s3")) return null;

  async function turnOn() {
    try {
      client.setQueryData(settingsKey, await saveSettings({ source_hosts: [...hosts, "s3"] }));
      toast.show({ title: "S3 Links Turned On", description: "Jobs can use s3:// links now.", variant: "success" });
    } catch (error) {
      const reason = error instanceof CallError ? error.message : "Couldn't turn on S3 links";
      toast.show({ title: "Error", description: reason, variant: "destructive" });
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <WarningNote text="S3 links are turned off, so jobs can't use these connections yet." />
      </div>
      <Button size="sm" isBusy={isBusy} onClick={() => void run(turnOn)}>
        Turn on S3 links
      </Button>
    </div>
  );
}
