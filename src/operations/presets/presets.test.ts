import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrandKit, Preset, PresetVersion } from "#contract/presets/presets.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { deleteLibraryFile } from "../library/change-library-file.ts";
import { TERMINAL } from "../audit/write-audit.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const presets = () => server.client.from("presets");

async function add(preset: object): Promise<Preset> {
  const { data, error } = await presets().insert(preset).select("*").single<Preset>();
  expect(error).toBeNull();
  return data!;
}

async function read(id: string): Promise<Preset> {
  return (await presets().select("*").eq("id", id).single<Preset>()).data!;
}

async function addImage(id: string): Promise<string> {
  await server.context.db
    .insertInto("library_files")
    .values({
      id,
      name: `${id}.png`,
      kind: "image",
      storage_key: id,
      size_bytes: 1,
      duration_seconds: 0,
      is_sample: false,
    })
    .execute();
  return libraryLink(id);
}

it("keeps every version of a preset, and brings an older one back", async () => {
  const first = await add({ name: " Shorts ", settings: { variants_per_video: 2, quality: "high" } });
  expect(first).toMatchObject({ name: "Shorts", version: 1, is_default: false, ignored_settings: [] });
  expect(first.settings).toMatchObject({ variants_per_video: 2, quality: "high", caption_font: "sans" });
  await presets().update({ name: "Reels", is_default: true }).eq("id", first.id);
  expect(await read(first.id)).toMatchObject({ name: "Reels", version: 1, is_default: true });
  await presets()
    .update({ settings: { variants_per_video: 5 }, version: 1 })
    .eq("id", first.id);
  const stale = await presets().update({ settings: {}, version: 1 }).eq("id", first.id);
  expect(stale.error).toMatchObject({ code: "23505", message: expect.stringContaining("changed elsewhere") });
  const { data: versions } = await server.client
    .from("preset_versions")
    .select("version, settings")
    .eq("preset_id", first.id)
    .order("version")
    .overrideTypes<PresetVersion[]>();
  expect(versions!.map(({ version, settings }) => [version, settings.variants_per_video])).toEqual([
    [1, 2],
    [2, 5],
  ]);
  await presets().update({ settings: versions![0]!.settings, version: 2 }).eq("id", first.id);
  expect(await read(first.id)).toMatchObject({ version: 3, settings: first.settings });
  expect((await server.client.from("preset_versions").delete().eq("preset_id", first.id)).error).toMatchObject({
    code: "42501",
  });
});

it("has one default, unique names, and settings of other versions by name", async () => {
  const one = await add({ name: "One", settings: {}, is_default: true });
  const other = await add({
    name: "Other",
    settings: { job_name: "A", input_videos: ["x"], glow_seconds: 3, quality: "best" },
    is_default: true,
  });
  expect(other.ignored_settings).toEqual(["glow_seconds", "quality"]);
  expect(Object.keys(other.settings)).not.toContain("job_name");
  expect((await read(one.id)).is_default).toBe(false);
  for (const [preset, message] of [
    [{ name: "oNE", settings: {} }, 'There is already a preset named "oNE". Choose another name.'],
    [{ name: " ", settings: {} }, "Enter a name."],
    [{ name: "A\u0000", settings: {} }, "name: Remove character 2 (U+0000, NUL). It cannot be stored."],
    [{ name: "A\u0007", settings: {} }, "Names can't contain control characters."],
    [{ name: "A", settings: { x: "\u0000" } }, "settings.x: Remove character 1 (U+0000, NUL). It cannot be stored."],
    [{ name: "A", settings: [] }, "settings: must be an object with settings by name"],
    [{ name: "A", settings: { x: "y".repeat(4 * 1024 ** 2) } }, "The settings of a preset can total at most 4 MB."],
    [
      { name: "A", settings: {}, brand_kit_id: crypto.randomUUID() },
      "This brand kit no longer exists. Choose another one.",
    ],
  ] as const) {
    expect((await presets().insert(preset)).error).toMatchObject({ message });
  }
});

it("gives a brand kit's current values, and its saved sets' current texts", async () => {
  const logo = await addImage("logo");
  const { data: kit } = await server.client
    .from("brand_kits")
    .insert({ name: "Acme", settings: { watermark_image: logo, caption_color: "#FFCC00" } })
    .select("*")
    .single<BrandKit>();
  expect(kit!.settings).toEqual({ watermark_image: logo, caption_color: "#ffcc00" });
  const { data: set } = await server.client
    .from("caption_sets")
    .insert({ name: "A", captions: ["old"] })
    .select("id")
    .single<{ id: string }>();
  const { id } = await add({
    name: "With kit",
    settings: { caption_color: "#000000", caption_set_id: set!.id, custom_captions: ["old"] },
    brand_kit_id: kit!.id,
  });
  await server.client
    .from("caption_sets")
    .update({ captions: ["new"] })
    .eq("id", set!.id);
  await server.client
    .from("brand_kits")
    .update({ settings: { ...kit!.settings, caption_color: "#ff0000" }, version: 1 })
    .eq("id", kit!.id);
  expect((await read(id)).settings).toMatchObject({
    caption_color: "#ff0000",
    watermark_image: logo,
    watermark_enabled: true,
    custom_captions: ["new"],
  });
  await server.client.from("caption_sets").delete().eq("id", set!.id);
  expect((await read(id)).settings).toMatchObject({ caption_set_id: null, custom_captions: ["old"] });

  const held = deleteLibraryFile({ ...server.context, actor: TERMINAL }, "logo");
  await expect(held).rejects.toThrow('The brand kit "Acme" needs this file. Remove it there first.');
  const used = await server.client.from("brand_kits").delete().eq("id", kit!.id);
  expect(used.error).toMatchObject({
    message: 'The preset "With kit" uses this brand kit. Choose another brand kit there first.',
  });
  await server.client
    .from("brand_kits")
    .update({ settings: { outro_link: logo }, version: 2 })
    .eq("id", kit!.id);
  expect((await read(id)).settings).toMatchObject({ outro_link: logo, intro_link: null });
  await expect(deleteLibraryFile({ ...server.context, actor: TERMINAL }, "logo")).rejects.toThrow(
    'The brand kit "Acme"',
  );
  await presets().update({ brand_kit_id: null }).eq("id", id);
  expect((await read(id)).settings).toMatchObject({ caption_color: "#000000", watermark_enabled: false });
  expect((await server.client.from("brand_kits").delete().eq("id", kit!.id)).error).toBeNull();
  await deleteLibraryFile({ ...server.context, actor: TERMINAL }, "logo");
});

it("rejects a brand kit with a value or an image that no job would accept", async () => {
  for (const [settings, message] of [
    [{ caption_color: "gold" }, "caption_color: Text color is not valid"],
    [
      { watermark_image: libraryLink("gone") },
      "The watermark image is no longer in the library. Choose another one or remove it",
    ],
    [
      { layers: [{ kind: "text", text: "A", start_seconds: 5, end_seconds: 1 }] },
      "Layer 1 must be shown for at least 0.1 seconds",
    ],
    [
      { layers: [{ kind: "image", image: libraryLink("gone") }] },
      "The layer image is no longer in the library. Choose another one or remove it",
    ],
  ] as const) {
    expect((await server.client.from("brand_kits").insert({ name: "B", settings })).error).toMatchObject({ message });
  }
  const layers = [{ kind: "text", text: "{row.price}" }];
  expect((await server.client.from("brand_kits").insert({ name: "Priced", settings: { layers } })).error).toBeNull();
});
