/** Renders `backticks` as code and **asterisks** as bold. */
export function CodeText({ text }: { text: string }) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return parts.map((part, place) => {
    const key = `${place} ${part}`;
    if (part.startsWith("`")) {
      return (
        <code key={key} className="raw rounded-1 bg-slat px-1 text-ink">
          {part.slice(1, -1)}
        </code>
      );
    }
    return part.startsWith("**") ? <strong key={key}>{part.slice(2, -2)}</strong> : part;
  });
}
