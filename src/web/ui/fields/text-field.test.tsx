import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TextField } from "./text-field.tsx";

test("links the label and the hint to the input", () => {
  const html = renderToStaticMarkup(<TextField id="name" label="Job name" hint="Shown in the history" />);
  expect(html).toContain('<label for="name"');
  expect(html).toContain('aria-describedby="name-hint"');
  expect(html).toMatch(/<div id="name-hint"[^>]*>Shown in the history<\/div>/);
  expect(html).not.toContain("aria-invalid");
});

test("replaces the hint with an error and marks the input invalid", () => {
  const html = renderToStaticMarkup(
    <TextField id="name" label="Job name" hint="Shown in the history" error="Too long" />,
  );
  expect(html).toContain('aria-invalid="true"');
  expect(html).toMatch(/<div id="name-hint"[^>]*>.*Too long<\/div>/);
  expect(html).not.toContain("Shown in the history");
});

test("an input without hint or error has no description", () => {
  expect(renderToStaticMarkup(<TextField label="Job name" />)).not.toContain("aria-describedby");
});
