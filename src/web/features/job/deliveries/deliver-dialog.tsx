import { useState, type SubmitEvent } from "react";
import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { sectionLink } from "../../../app/routing/settings-sections.ts";
import { describePlace } from "../../../destinations/describe-place.ts";
import { useDestinations } from "../../../destinations/use-destinations.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { useChangeDeliveries } from "./use-deliveries.ts";

export default function DeliverDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const destinations = useDestinations();
  const { deliver } = useChangeDeliveries(job.id);
  const { isBusy, run } = useExclusiveAction();
  const usable = destinations.data?.data.filter(({ enabled }) => enabled);
  const [picked, setPicked] = useState<string | null>(null);
  const chosen = picked ?? usable?.[0]?.id ?? null;

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void run(async () => {
      if (chosen !== null && (await deliver(chosen))) onClose();
    });
  }
  return (
    <Dialog
      isOpen
      title="Deliver files"
      text={`Files of "${jobTitle(job)}" that the destination already has are not sent again. Rejected files are left out.`}
      onClose={onClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={chosen === null}>
            Deliver
          </Button>
        </>
      }
    >
      {destinations.isPending && <Skeleton className="h-10 w-full" />}
      {destinations.isLoadingError && <ErrorBox text={destinations.error.message} />}
      {usable?.length === 0 && (
        <div className="grid justify-items-start gap-2">
          <p className="text-ink-2">No destination is turned on.</p>
          <LinkButton {...sectionLink("destinations")}>Open Settings</LinkButton>
        </div>
      )}
      {usable && usable.length > 0 && (
        <fieldset className="grid max-h-72 gap-1 overflow-auto">
          <legend className="sr-only">Destination</legend>
          {usable.map((destination) => (
            <label
              key={destination.id}
              aria-label={destination.name}
              className="flex cursor-pointer items-start gap-2.5 rounded-2 px-2 py-1.5 hover:bg-raised-2 max-desk:min-h-11"
            >
              <input
                type="radio"
                name="destination"
                className="mt-0.5 accent-ink"
                checked={destination.id === chosen}
                onChange={() => setPicked(destination.id)}
              />
              <span className="grid min-w-0">
                <span className="font-medium wrap-anywhere text-ink">{destination.name}</span>
                <span className="raw text-12 wrap-anywhere text-ink-3">{describePlace(destination)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
