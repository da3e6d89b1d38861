import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Mark } from "../../ui/page/mark.tsx";
import { usePageTitle } from "../../ui/text/page-title.ts";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { paths } from "./paths.ts";

export function NotFoundPage() {
  // Browser tab only; the header keeps its fallback "Dashboard".
  usePageTitle("Page not found");
  return (
    <Pane className="grid place-items-center max-desk:min-h-[70vh]">
      <div className="grid justify-items-center gap-0.5 px-6 pb-[12vh] text-center">
        <Mark className="mb-3 size-8 text-control" />
        <h1 className="tnum text-28">404</h1>
        <p className="mt-1">Oops! Page not found</p>
        <div className="mt-4">
          <LinkButton to={paths.dashboard}>Return to Home</LinkButton>
        </div>
      </div>
    </Pane>
  );
}
