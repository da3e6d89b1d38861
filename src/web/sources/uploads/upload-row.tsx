import { Check, CircleAlert, RotateCw, X } from "lucide-react";
import type { ReactNode } from "react";
import { ListenButton } from "../listen-button.tsx";
import { SourcePicture } from "../source-picture.tsx";
import { formatFileSize } from "../../ui/text/file-size.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { Strip } from "../../ui/states/strip.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";
import type { Upload } from "./upload-store.ts";
import type { UploadStore } from "./use-uploads.ts";

export function UploadRow({ upload, store }: { upload: Upload; store: UploadStore }) {
  const { id, file, state } = upload;
  return (
    <li className="grid min-h-9 grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 border-t border-line py-0.5 first:border-t-0">
      <SourcePicture file={state.kind === "done" ? state.file : null} />
      <span className="grid min-w-0">
        <span className="truncate text-ink" {...tooltipWhenCut(file.name)}>
          {file.name}
        </span>
        {state.kind === "failed" && (
          <span role="alert" className="flex items-start gap-[5px] text-12 text-failed">
            <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
            {state.sentence}
          </span>
        )}
      </span>
      <Outcome upload={upload} />
      <span className="flex justify-end">
        {state.kind === "done" && upload.use === "music" && <ListenButton file={state.file} />}
        {state.kind === "failed" && state.isRetryable && (
          <IconButton icon={RotateCw} label={`Retry ${file.name}`} onClick={() => store.retry(id)} />
        )}
        <IconButton
          icon={X}
          label={`${state.kind === "failed" || state.kind === "done" ? "Dismiss" : "Cancel"} ${file.name}`}
          onClick={() => store.remove(id)}
        />
      </span>
    </li>
  );
}

function Outcome({ upload: { file, state } }: { upload: Upload }) {
  switch (state.kind) {
    case "waiting":
      return <Words>Waiting</Words>;
    case "sending": {
      const fraction = file.size === 0 ? 0 : state.sentBytes / file.size;
      return (
        <div className="w-60 max-desk:w-32">
          <Strip label={`Upload of ${file.name}`} fraction={fraction} figure={`${Math.floor(fraction * 100)}%`} />
        </div>
      );
    }
    case "checking":
      return (
        <Words>
          <Spinner size={14} />
          Checking
        </Words>
      );
    case "failed":
      return <Words>{formatFileSize(file.size)}</Words>;
    case "done":
      return (
        <Words>
          <Icon icon={Check} size={14} className="shrink-0 text-completed" />
          Added
        </Words>
      );
  }
}

function Words({ children }: { children: ReactNode }) {
  return <output className="tnum flex items-center justify-end gap-[5px] text-12 text-ink-3">{children}</output>;
}
