import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";

/** Replaces a screen that crashed or failed to load. The shell still works. */
export function RouteError(_props: ErrorComponentProps) {
  return (
    <Pane>
      <div className="pt-[12vh]">
        <ErrorState
          title="This screen could not be shown"
          text="Something went wrong while loading it. Reload the page to try again."
          // A reload also fetches code that a new version has replaced.
          onRetry={() => location.reload()}
        />
      </div>
    </Pane>
  );
}
