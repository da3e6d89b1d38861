import type { CheckCaptionsResponse } from "#contract/calls.ts";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";

export function CaptionNotes({ check: { problem, warnings } }: { check: CheckCaptionsResponse }) {
  if (!problem && warnings.length === 0) return null;
  return (
    <output className="grid gap-1.5">
      {problem && <ErrorBox text={`${problem.description}.`} />}
      {warnings.map(({ message }) => (
        <WarningNote key={message} text={message} />
      ))}
    </output>
  );
}
