/** Entry point of guest links, built by vite.guest.config.ts. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "../../app/error-boundary.tsx";
import "../../app/theme/styles.css";
import { GuestPage } from "./guest-page.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("guest.html has no #root");

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <GuestPage />
    </ErrorBoundary>
  </StrictMode>,
);
