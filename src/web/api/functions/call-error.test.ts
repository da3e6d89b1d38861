import { expect, test } from "vitest";
import { readCallError } from "./call-error.ts";

test("an error keeps the server's message, title and status", async () => {
  const error = await readCallError(
    Response.json({ error: "Please enter a name for your job", title: "Job Name Required" }, { status: 400 }),
  );
  expect(error).toMatchObject({
    status: 400,
    message: "Please enter a name for your job",
    title: "Job Name Required",
  });
});

test("an error without a title has none", async () => {
  const error = await readCallError(Response.json({ error: "No such job" }, { status: 404 }));
  expect(error.title).toBeNull();
});

test.each([
  ["a page of a proxy", new Response("<html>Bad gateway</html>", { status: 502 })],
  ["an empty body", new Response(null, { status: 502 })],
  ["another shape", Response.json(["error"], { status: 502 })],
  ["an empty sentence", Response.json({ error: "" }, { status: 502 })],
])("a response that is %s still produces a message", async (_name, response) => {
  const error = await readCallError(response);
  expect(error.message).toBe("The server returned an error (502).");
});
