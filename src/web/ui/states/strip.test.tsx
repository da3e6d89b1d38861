import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Strip, type Slat } from "./strip.tsx";

function countSlats(slats: Slat[]): number {
  const html = renderToStaticMarkup(<Strip label="Progress" fraction={0.5} figure="1/2" slats={slats} />);
  return html.split("rounded-[1.5px]").length - 1;
}

test("shows one slat per item, up to 48", () => {
  expect(countSlats(Array<Slat>(48).fill("todo"))).toBe(48);
});

test("becomes one bar above 48 slats, and without slats", () => {
  expect(countSlats(Array<Slat>(49).fill("todo"))).toBe(1);
  expect(countSlats([])).toBe(1);
});

test("exposes the share and the figure to screen readers, and shows the figure beside the bar", () => {
  const html = renderToStaticMarkup(
    <Strip label="Progress" fraction={0.416} figure="10/24" slats={["done", "todo"]} />,
  );
  expect(html).toContain('role="progressbar"');
  expect(html).toContain('aria-valuenow="42"');
  expect(html).toContain('aria-valuetext="10/24"');
  expect(html).toContain(">10/24</span>");
});

test("fills the running slat by its completed part", () => {
  const html = renderToStaticMarkup(
    <Strip label="Progress" fraction={0.3} figure="1/2" slats={[{ running: 0.6 }, "todo"]} />,
  );
  expect(html).toContain("--part:0.6");
});
