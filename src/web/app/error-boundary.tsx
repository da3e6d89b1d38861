import { Component, type ReactNode } from "react";

export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="grid min-h-dvh place-items-center p-6 text-center">
        <p role="alert">
          Something went wrong, and Clipmill couldn't load.{" "}
          <a href="/" className="font-medium text-ink underline">
            Reload
          </a>
        </p>
      </main>
    );
  }
}
