import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "./error-boundary.tsx";
import { SessionGate } from "./session-gate.tsx";
import "./styles.css";

// The parts of the interface on one page, for whoever works on them; not in the built app.
const KitPage = import.meta.env.DEV ? lazy(() => import("./kit-page.tsx")) : null;

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      {KitPage && location.pathname === "/kit" ? (
        <Suspense>
          <KitPage />
        </Suspense>
      ) : (
        <SessionGate />
      )}
    </ErrorBoundary>
  </StrictMode>,
);
