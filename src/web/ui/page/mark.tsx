const MARK =
  "M4 3.6a.8.8 0 0 1 1.17-.7L8 4.4v15.2l-2.83 1.5A.8.8 0 0 1 4 20.4zM10 5.46l4 2.12v8.84l-4 2.12zM16 8.64l5.1 2.7a.75.75 0 0 1 0 1.32L16 15.36z";

export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden className={className}>
      <path d={MARK} />
    </svg>
  );
}
