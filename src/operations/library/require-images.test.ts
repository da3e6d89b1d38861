import { afterAll, beforeAll, expect, it } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { deleteLibraryFile } from "./change-library-file.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (const kind of ["image", "video"] as const) {
    const facts = { size_bytes: 1, duration_seconds: 0, is_sample: false, storage_key: `library/${kind}` };
    await server.context.db
      .insertInto("library_files")
      .values({ id: kind, name: kind, kind, ...facts })
      .execute();
  }
});
afterAll(() => server.close());

const withImage = (link: string) => server.create({ watermark_enabled: true, watermark_image: link });

it("a job keeps its image's link, without a text too, and the defaults of its look", async () => {
  expect(await withImage(` ${libraryLink("image")} `)).toMatchObject({
    ...{ watermark_enabled: true, watermark_text: null, watermark_image: libraryLink("image") },
    ...{ watermark_position: "top-right", watermark_opacity: 1, watermark_scale: 0.2 },
  });
  expect(await server.create({ watermark_enabled: true })).toMatchObject({ watermark_enabled: false });
});

it.each([
  [
    libraryLink("gone"),
    "Watermark Image Not Found",
    "The watermark image is no longer in the library. Choose another one or remove it",
  ],
  [libraryLink("video"), "Invalid Watermark Image", "The watermark image must be an image from the library"],
  [
    "https://drive.google.com/file/d/image/view",
    "Invalid Watermark Image",
    "The watermark image must be an image from the library",
  ],
])("a job with the image %s is rejected in one sentence", async (link, title, message) => {
  await expect(withImage(link)).rejects.toMatchObject({ code: "invalid", title, message });
  // without a watermark, the link has no effect
  expect(await server.create({ watermark_image: link })).toMatchObject({ watermark_enabled: false });
});

it.each([
  [{ watermark_scale: 0.04 }, /^watermark_scale: /],
  [{ watermark_opacity: 1.1 }, /^watermark_opacity: /],
  [{ watermark_position: "middle" }, /^watermark_position: /],
])("a job with %j is rejected with the setting's name", async (setting, message) => {
  await expect(server.create(setting as object)).rejects.toThrow(message);
});

it("an image that a waiting job needs cannot be deleted", async () => {
  await withImage(libraryLink("image"));
  await expect(deleteLibraryFile(server.context, "image")).rejects.toMatchObject({ code: "conflict" });
  await server.context.db.updateTable("jobs").set({ status: "Cancelled" }).execute();
  await deleteLibraryFile(server.context, "image");
  await expect(withImage(libraryLink("image"))).rejects.toMatchObject({ title: "Watermark Image Not Found" });
});
