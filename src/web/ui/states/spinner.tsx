/** Static with reduced motion. Text beside it must name the activity. */
export function Spinner({ size = 16 }: { size?: 14 | 16 }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      className="spin shrink-0"
      aria-hidden
    >
      <circle cx="12" cy="12" r="9" opacity=".28" />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  );
}
