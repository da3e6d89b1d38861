import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "./error-boundary.tsx";
import { SessionGate } from "./session-gate.tsx";
import "./theme/styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <SessionGate />
    </ErrorBoundary>
  </StrictMode>,
);
