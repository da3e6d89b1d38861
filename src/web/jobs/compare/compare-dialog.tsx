import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Segmented } from "../../ui/fields/segmented.tsx";
import { Select } from "../../ui/menus/select.tsx";
import { isToastPress } from "../../ui/toasts/toaster.tsx";
import { Transport } from "../player/transport.tsx";
import { useSyncedPlayer } from "../player/synced-player.ts";
import { ComparedPair, type CompareMode, type ComparedFile } from "./compared-pair.tsx";

const MODES = [
  { value: "beside", label: "Side by side" },
  { value: "wipe", label: "Wipe" },
] as const;

/** One clock, with the sound of one file. `files` has at least two; the first is on the left. */
export default function CompareDialog({
  files,
  isOpen,
  onClose,
}: {
  files: readonly ComparedFile[];
  isOpen: boolean;
  onClose: () => void;
}) {
  const player = useSyncedPlayer();
  // So that the player's keys work immediately.
  const popup = useRef<HTMLDivElement>(null);
  const [ids, setIds] = useState<readonly [string, string]>([files[0]!.id, files[1]!.id]);
  const [mode, setMode] = useState<CompareMode>("beside");
  const [audible, setAudible] = useState<"left" | "right">("left");
  const [videos, setVideos] = useState<Readonly<Record<string, HTMLVideoElement>>>({});
  const find = (id: string, fallback: number) => files.find((file) => file.id === id) ?? files[fallback]!;
  const left = find(ids[0], 0);
  const right = find(ids[1], 1);
  const leftVideo = videos[left.id];
  const rightVideo = videos[right.id];
  useEffect(() => {
    if (!leftVideo || !rightVideo) return;
    player.setTracks([
      { video: leftVideo, startSeconds: left.startSeconds, speed: left.speed },
      { video: rightVideo, startSeconds: right.startSeconds, speed: right.speed },
    ]);
  }, [player, leftVideo, rightVideo, left.startSeconds, right.startSeconds, left.speed, right.speed]);

  function handleKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    const isControl = event.target.closest("input, [role=combobox], [role=listbox]") !== null;
    if (isControl || (event.key === " " && event.target.closest("button"))) return;
    const act = { " ": player.toggle, ",": () => player.step(-1), ".": () => player.step(1) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  const choices = files.map(({ id, label }) => ({ value: id, label }));
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open, { event }) => !open && !isToastPress(event) && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          ref={popup}
          initialFocus={popup}
          className="fixed inset-3 z-20 m-auto flex max-w-[1100px] flex-col overflow-hidden rounded-3 border border-line-strong bg-overlay shadow-sheet transition duration-(--d-3) ease-move outline-none data-ending-style:opacity-0 data-starting-style:opacity-0"
          onKeyDown={handleKeyDown}
        >
          <div className="flex items-center gap-3 py-2 pr-2 pl-4 max-desk:flex-wrap">
            <Dialog.Title className="min-w-0 flex-1 text-14 font-medium">Compare</Dialog.Title>
            <div className="max-desk:order-1 max-desk:basis-full">
              <Segmented label="View" options={MODES} value={mode} onChange={setMode} />
            </div>
            <Dialog.Close render={<IconButton icon={X} label="Close" />} />
          </div>
          <ComparedPair
            left={left}
            right={right}
            mode={mode}
            audible={audible}
            onVideo={(id, video) => setVideos((known) => (known[id] === video ? known : { ...known, [id]: video }))}
          />
          <div className="grid gap-2 p-3">
            <Transport player={player} />
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Select
                label="Left"
                className="w-56 max-desk:w-full"
                value={left.id}
                options={choices}
                onChange={(id) => setIds([id, right.id])}
              />
              <Segmented
                label="Audio"
                options={[
                  { value: "left", label: "Left audio" },
                  { value: "right", label: "Right audio" },
                ]}
                value={audible}
                onChange={setAudible}
              />
              <Select
                label="Right"
                className="w-56 max-desk:w-full"
                value={right.id}
                options={choices}
                onChange={(id) => setIds([left.id, id])}
              />
            </div>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
