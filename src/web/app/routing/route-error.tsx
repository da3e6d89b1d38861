import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";

/** What stands in place of a screen that broke, or whose code could not be loaded. The shell around it still works. */
export function RouteError(_props: ErrorComponentProps) {
  return (
    <Pane>
      <div className="pt-[12vh]">
        <ErrorState
          title="This screen could not be shown"
          text="Something went wrong while loading it. Reload the page to try again."
          // A fresh load also fetches code that a new version has replaced.
          onRetry={() => location.reload()}
        />
      </div>
    </Pane>
  );
}
