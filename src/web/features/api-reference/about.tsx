import { CodeText } from "./code-text.tsx";

const HEADING = /^## (.*)\n/;

export function About({ text }: { text: string }) {
  return (
    <div className="grid gap-4 px-6 pb-6 max-desk:px-4 wide:grid-cols-2 wide:gap-x-8">
      {text.split("\n\n").map((block) => {
        const heading = HEADING.exec(block)?.[1];
        return (
          <section key={block} className="min-w-0">
            {heading !== undefined && <h2 className="text-14 font-semibold text-ink">{heading}</h2>}
            <p className="text-pretty wrap-anywhere">
              <CodeText text={block.replace(HEADING, "")} />
            </p>
          </section>
        );
      })}
    </div>
  );
}
