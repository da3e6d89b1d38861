import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useId } from "react";
import { useController, type UseFormReturn, useWatch } from "react-hook-form";
import type { PostChannel, PostMode } from "#contract/destinations/destinations.ts";
import { channelsKey, listChannels } from "../api/functions/settings/destinations.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Checkbox } from "../ui/fields/checkbox.tsx";
import { Field } from "../ui/fields/field.tsx";
import { Select } from "../ui/menus/select.tsx";
import { ErrorBox } from "../ui/states/error-box.tsx";
import { Skeleton } from "../ui/states/skeleton.tsx";
import { type DestinationForm, destinationRules } from "./destination-form.ts";

const MODES: { value: PostMode; label: string; hint: string }[] = [
  { value: "draft", label: "Save as drafts", hint: "Drafts wait in Postiz until someone schedules them." },
  { value: "schedule", label: "Schedule", hint: "At the first channel's next free slots, as set in Postiz." },
  { value: "now", label: "Publish immediately", hint: "Each file is published as soon as it is delivered." },
];

export function PostingFields({ form }: { form: UseFormReturn<DestinationForm> }) {
  const id = useId();
  const { field } = useController({ control: form.control, name: "mode" });
  return (
    <>
      <ChannelsField form={form} />
      <Field id={id} label="Posts" hint={`${MODES.find(({ value }) => value === field.value)!.hint} ${TEXTS}`}>
        <Select
          id={id}
          label="Posts"
          options={MODES}
          value={field.value}
          onChange={field.onChange}
          className="w-full"
        />
      </Field>
    </>
  );
}

const TEXTS = "Each file's caption becomes the text of its post.";

function ChannelsField({ form }: { form: UseFormReturn<DestinationForm> }) {
  const connectionId = useWatch({ control: form.control, name: "connectionId" });
  const rules = { validate: destinationRules.channels };
  const { field, fieldState } = useController({ control: form.control, name: "channels", rules });
  const channels = useQuery({
    queryKey: channelsKey(connectionId),
    queryFn: ({ signal }) => listChannels(connectionId, signal),
    enabled: connectionId !== "",
    // Postiz limits requests.
    staleTime: 60_000,
    retry: false,
  });
  const chosen = field.value;
  const isChosen = ({ id }: PostChannel) => chosen.some((one) => one.id === id);
  const gone = channels.data ? chosen.filter(({ id }) => !channels.data.some((one) => one.id === id)) : [];
  // While Postiz does not respond, show the channels as saved.
  const known = channels.data ?? (channels.isError ? chosen.map((one) => ({ ...one, problem: null })) : []);
  const errorId = useId();

  function toggle({ id, name, service }: PostChannel) {
    const others = chosen.filter((one) => one.id !== id);
    field.onChange(others.length < chosen.length ? others : [...chosen, { id, name, service }]);
  }
  return (
    <fieldset className="grid gap-2" aria-describedby={fieldState.error && errorId}>
      <legend className="mb-1.5 font-medium text-ink">Channels</legend>
      {connectionId === "" && <p className="text-12 text-ink-3">Choose or save a connection to see its channels.</p>}
      {channels.isLoading && <Skeleton className="h-16 w-full" />}
      {channels.isError && (
        <div role="alert" className="grid justify-items-start gap-2">
          <ErrorBox text={channels.error.message} />
          <Button size="sm" icon={RotateCcw} isBusy={channels.isFetching} onClick={() => void channels.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {channels.data?.length === 0 && (
        <p className="text-12 text-ink-3">Postiz has no channels yet. Connect one in Postiz, then reopen this form.</p>
      )}
      {known.map((channel) => (
        <div key={channel.id} className="grid">
          <Checkbox
            label={`${channel.name} (${channel.service})`}
            checked={isChosen(channel)}
            disabled={channel.problem !== null && !isChosen(channel)}
            onChange={() => toggle(channel)}
          />
          {channel.problem !== null && <p className="pl-6.5 text-12 text-ink-3">{channel.problem}</p>}
        </div>
      ))}
      {gone.map((channel) => (
        <Checkbox
          key={channel.id}
          label={`${channel.name} (no longer in Postiz)`}
          checked
          onChange={() => toggle(channel)}
        />
      ))}
      {fieldState.error && (
        <p id={errorId} role="alert" className="text-12 text-failed">
          {fieldState.error.message}
        </p>
      )}
    </fieldset>
  );
}
