import { Check, CircleAlert, RotateCw, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { ListenButton } from "../listen-button.tsx";
import { SourcePicture } from "../source-picture.tsx";
import { formatFileSize } from "../../ui/text/length-and-size.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { Strip } from "../../ui/states/strip.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { ACCEPTED_FILES } from "./dropped-files.ts";
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
        <Remark upload={upload} />
        {state.kind === "failed" && (
          <span role="alert" className="flex items-start gap-[5px] text-12 text-failed">
            <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
            {state.sentence}
          </span>
        )}
      </span>
      <Outcome upload={upload} />
      <span className="flex items-center justify-end">
        {state.kind === "interrupted" && <ChooseAgain upload={upload} store={store} />}
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

function Remark({ upload: { file, state, note } }: { upload: Upload }) {
  if (state.kind !== "interrupted") return note !== null && <span className="text-12 text-ink-3">{note}</span>;
  return (
    <span role={state.isOtherFile ? "alert" : undefined} className="text-12 text-ink-3">
      {state.isOtherFile
        ? `This is a different file. Choose the ${formatFileSize(file.size)} file again.`
        : `${formatFileSize(state.sentBytes)} of ${formatFileSize(file.size)} sent. Choose the file again to resume.`}
    </span>
  );
}

function ChooseAgain({ upload: { id, file, use }, store }: { upload: Upload; store: UploadStore }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" look="quiet" aria-label={`Choose file ${file.name}`} onClick={() => input.current?.click()}>
        Choose file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED_FILES[use]}
        aria-label={`File of ${file.name}`}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) store.resume(id, chosen);
          // Allows choosing the same file again.
          event.target.value = "";
        }}
      />
    </>
  );
}

function Outcome({ upload: { file, state } }: { upload: Upload }) {
  switch (state.kind) {
    case "waiting":
      return <Words>Waiting</Words>;
    case "interrupted":
      return <span />;
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
