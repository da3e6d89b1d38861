import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";

export function RouteError(_props: ErrorComponentProps) {
  return (
    <Pane>
      <div className="pt-[12vh]">
        <ErrorState
          title="Couldn't load this page"
          text="Something went wrong. Try again to reload the page."
          // A reload also fetches code that a new version replaced.
          onRetry={() => location.reload()}
        />
      </div>
    </Pane>
  );
}
