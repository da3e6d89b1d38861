export function ErrorBox({ text }: { text: string }) {
  return (
    <p className="rounded-2 bg-failed-tint px-2.5 py-1.5 text-12 wrap-anywhere text-ink-2">
      <b className="font-semibold text-failed">Error:</b> {text}
    </p>
  );
}
