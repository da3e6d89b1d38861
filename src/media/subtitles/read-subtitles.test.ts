import { expect, test } from "vitest";
import { readSubtitles } from "./read-subtitles.ts";
import type { Transcript } from "./transcript.ts";
import { writeSubRip, writeWebVtt } from "./write-subtitles.ts";

type Shown = [startSeconds: number, endSeconds: number, text: string];

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};
const latin1 = (text: string) => Buffer.from(text, "latin1");

const NOT_TEXT = "is not a text file. Use SRT, VTT, ASS, or words as JSON";
const LATE = "has times after 1,000,000 seconds";
const UNKNOWN = "is in an unknown encoding. Save it as UTF-8";

const HELLO: Shown[] = [[1, 2, "Hello there"]];
const CUE = "1\n00:00:01,000 --> 00:00:02,000\nHello there\n";
const VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n";
const ASS = `[Script Info]
Title: x

[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;
const dialogue = (text: string, times = "0:00:01.00,0:00:02.00") => `Dialogue: 0,${times},Default,,0,0,0,,${text}\n`;

const ODDITIES: [name: string, file: string | Uint8Array, shown: Shown[]][] = [
  ["plain SubRip", CUE, HELLO],
  ["a byte order mark", `\uFEFF${CUE}`, HELLO],
  ["UTF-16 with a mark", utf16(`\uFEFF${CUE}`), HELLO],
  ["UTF-16, big-endian, with a mark", utf16(`\uFEFF${CUE}`, true), HELLO],
  ["UTF-16 without a mark", utf16(CUE), HELLO],
  [
    "Windows-1252",
    latin1("1\n00:00:01,000 --> 00:00:02,000\nÀ bient\u00F4t, \x93caf\u00E9\x94\n"),
    [[1, 2, "À bientôt, “café”"]],
  ],
  ["CRLF", CUE.replaceAll("\n", "\r\n"), HELLO],
  ["CR, as on old Macs", CUE.replaceAll("\n", "\r"), HELLO],
  ["no line break at the end", CUE.trimEnd(), HELLO],
  ["no numbers", CUE.slice(2), HELLO],
  [
    "numbers that are wrong",
    `7${CUE.slice(1)}\n7${CUE.slice(1).replaceAll("0:0", "1:0")}`,
    [...HELLO, [3661, 3662, "Hello there"]],
  ],
  ["no empty line between cues", `${CUE}2\n00:00:03,000 --> 00:00:04,000\nAgain\n`, [...HELLO, [3, 4, "Again"]]],
  [
    "an empty line within a text, and a number in one",
    `${CUE}\nin 3 parts\n1984\n\n2\n00:00:03,000 --> 00:00:04,000\nAgain\n`,
    [
      [1, 2, "Hello there\nin 3 parts\n1984"],
      [3, 4, "Again"],
    ],
  ],
  ["several empty lines", `\n\n${CUE}\n\n\n\n2\n00:00:03,000 --> 00:00:04,000\nAgain`, [...HELLO, [3, 4, "Again"]]],
  ["cues out of order", `2\n00:00:03,000 --> 00:00:04,000\nAgain\n\n${CUE}`, [...HELLO, [3, 4, "Again"]]],
  ["overlaps", `${CUE}\n2\n00:00:01,500 --> 00:00:03,000\nAgain\n`, [...HELLO, [1.5, 3, "Again"]]],
  ["empty cues", `1\n00:00:00,000 --> 00:00:01,000\n\n${CUE}\n3\n00:00:03,000 --> 00:00:04,000\n<i></i>\n`, HELLO],
  ["dots instead of commas", CUE.replaceAll(",", "."), HELLO],
  ["colons before milliseconds", CUE.replaceAll(",", ":"), HELLO],
  ["no milliseconds", CUE.replaceAll(",000", ""), HELLO],
  ["fewer and more decimals", "1\n00:00:01,5 --> 00:00:02,2504\nHello there", [[1.5, 2.25, "Hello there"]]],
  ["no hours, and single digits", "0:1,000 --> 0:2,000\nHello there", HELLO],
  ["hours over 99", "1\n100:00:01,000 --> 100:00:02,000\nHello there", [[360_001, 360_002, "Hello there"]]],
  ["a negative start", "1\n-00:00:01,000 --> 00:00:02,000\nHello there", [[0, 2, "Hello there"]]],
  ["a cue before the video", `1\n-00:00:03,000 --> -00:00:02,000\nGone\n\n${CUE}`, HELLO],
  ["an end before the start", "1\n00:00:05,000 --> 00:00:01,000\nHello there", [[5, 5.8, "Hello there"]]],
  ["spaces in times and other arrows", "1\n00: 00: 01, 000 -> 00:00:02 ,000 \nHello there", HELLO],
  [
    "full-width digits and punctuation in times",
    "１\n００：００：０１，０００ －－＞ ００：００：０２，０００\nHello there",
    HELLO,
  ],
  ["dashes from a word processor", CUE.replace("-->", "—>"), HELLO],
  ["an arrow in a text", CUE.replace("there", "--> there"), [[1, 2, "Hello --> there"]]],
  ["coordinates after the times", CUE.replace("02,000", "02,000  X1:100 X2:200 Y1:1 Y2:2"), HELLO],
  ["tags", CUE.replace("Hello", '<b><i>Hel</i>lo</b> <font color="#ff0">').replace("there", "there</font>"), HELLO],
  ["broken tags and signs", CUE.replace("Hello", "</i>Hello <3"), [[1, 2, "Hello <3 there"]]],
  ["ASS overrides in SubRip", CUE.replace("Hello", "{\\an8}Hello"), HELLO],
  ["entities", CUE.replace("there", "&amp; there&nbsp;&lt;3"), [[1, 2, "Hello & there <3"]]],
  [
    "two lines, with spaces around and marks in them",
    CUE.replace(" there", " \u200B\n\uFEFF  there \u200B"),
    [[1, 2, "Hello\nthere"]],
  ],
  ["two-byte punctuation", CUE.replace("Hello there", "你好，世界。我们走吧！"), [[1, 2, "你好，世界。我们走吧！"]]],
  ["right-to-left text", CUE.replace("Hello there", "‏مرحبا بالعالم"), [[1, 2, "‏مرحبا بالعالم"]]],
  ["WebVTT", `${VTT}Hello there`, HELLO],
  [
    "WebVTT with a title, notes, styles, regions, identifiers and settings",
    `WEBVTT - Title\nKind: captions\n\nNOTE\na --> b is no time\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:x\n\nintro 1\n00:00:01.000 --> 00:00:02.000 align:start position:0%\nHello there\n\nNOTE done\n`,
    HELLO,
  ],
  ["voices and classes in WebVTT", `${VTT}<v.loud Ann Lee>Hello <c.yellow.bg_blue>there</c></v>`, HELLO],
  ["WebVTT with CRLF and a byte order mark", `\uFEFF${VTT}Hello there`.replaceAll("\n", "\r\n"), HELLO],
  [
    "rolling captions of video sites",
    `WEBVTT\n\n00:01.000 --> 00:02.000\n \nHello<00:01.400><c> there</c>\n\n00:02.000 --> 00:02.010\nHello there\n \n\n00:02.010 --> 00:03.000\nHello there\nyou<00:02.500><c> all</c>\n`,
    [
      [1, 2.01, "Hello there"],
      [2.01, 3, "you all"],
    ],
  ],
  ["ASS", ASS + dialogue("Hello there"), HELLO],
  ["commas in ASS", ASS + dialogue("Hello, there, you"), [[1, 2, "Hello, there, you"]]],
  [
    "overrides, breaks and hard spaces in ASS",
    ASS + dialogue("{\\pos(1,2)\\c&HFF&}Hello\\N{\\i1}there\\hyou{\\i0}"),
    [[1, 2, "Hello\nthere you"]],
  ],
  [
    "drawings, comments and effects in ASS",
    `${ASS}Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,No\n${dialogue("{\\p1}m 0 0 l 1 1{\\p0}Hello there")}Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,fx,Hel`,
    HELLO,
  ],
  [
    "SSA with other fields",
    "[Events]\nFormat: Marked, End, Start, Text\nDialogue: Marked=0,0:00:02.00,0:00:01.00,Hello there",
    HELLO,
  ],
  [
    "words as a list",
    JSON.stringify([
      { word: "Hello", start: 1, end: 1.5 },
      { text: "there", start: 1.5, end: 2 },
    ]),
    HELLO,
  ],
  [
    "words with own spaces",
    JSON.stringify({
      words: [
        { word: " Hel", start: 1, end: 1.2 },
        { word: "lo", start: 1.2, end: 1.5 },
        { word: " there", start: 1.5, end: 2 },
      ],
    }),
    HELLO,
  ],
  [
    "times as text, and words without times",
    JSON.stringify([{ word: "Hello", start: "1.0", end: "1.5" }, { word: "there" }, { word: "2", start: 2, end: 3 }]),
    [[1, 3, "Hello there 2"]],
  ],
  [
    "segments without words",
    JSON.stringify({ text: "x", segments: [{ start: 1, end: 2, text: " Hello there" }] }),
    HELLO,
  ],
  [
    "segments and words of verbose_json",
    JSON.stringify({
      segments: [
        { start: 1, end: 2, text: " Hello there." },
        { start: 2, end: 3, text: "You?" },
      ],
      words: [
        { word: "Hello", start: 1, end: 1.4 },
        { word: "there", start: 1.4, end: 2 },
        { word: "You", start: 2.1, end: 2.5 },
      ],
    }),
    [
      [1, 2, "Hello there"],
      [2.1, 2.5, "You"],
    ],
  ],
  [
    "words of segments, as a list",
    JSON.stringify([
      {
        start: 1,
        end: 2,
        text: "x",
        words: [
          { word: "Hello ", start: 1, end: 1.5 },
          { word: "there", start: 1.5, end: 2 },
        ],
      },
    ]),
    HELLO,
  ],
  [
    "sentences and pauses",
    JSON.stringify(
      [
        ["Yes.", 1, 2],
        ["Go", 2, 3],
        ["on", 4, 5],
      ].map(([word, start, end]) => ({ word, start, end })),
    ),
    [
      [1, 2, "Yes."],
      [2, 3, "Go"],
      [4, 5, "on"],
    ],
  ],
  [
    "words in a script without spaces",
    JSON.stringify(
      [
        ["你好", 1, 1.5],
        ["世界", 1.5, 2],
      ].map(([word, start, end]) => ({ word, start, end })),
    ),
    [[1, 2, "你好世界"]],
  ],
];

test.each(ODDITIES)("reads %s", (_, file, shown) => {
  expect(shownBy(readSubtitles(typeof file === "string" ? utf8(file) : file))).toEqual(shown);
});

test.each(ODDITIES)("writes %s so that it reads the same", (_, file) => {
  const read = readSubtitles(typeof file === "string" ? utf8(file) : file);
  expect(shownBy(readSubtitles(utf8(writeSubRip(read))))).toEqual(shownBy(read));
  const again = readSubtitles(utf8(writeWebVtt(read)));
  expect(shownBy(again)).toEqual(shownBy(read));
  expect(startsIn(again)).toEqual(startsIn(read));
});

test("reads the times of words in WebVTT and of syllables in ASS", () => {
  const vtt = readSubtitles(utf8("WEBVTT\n\n00:01.000 --> 00:04.000\nSay<00:02.000><c> it</c> <00:03.500>now"));
  expect(vtt[0]!.words.map(({ text, startSeconds }) => [text, startSeconds])).toEqual([
    ["Say ", 1],
    ["it ", 2],
    ["now", 3.5],
  ]);
  const sung = dialogue("{\\k50}Hel{\\kf50}lo {\\k10}{\\K90}world", "0:00:01.00,0:00:03.00");
  expect(readSubtitles(utf8(ASS + sung))[0]!.words).toEqual([
    { text: "Hello ", startSeconds: 1, endSeconds: expect.closeTo(1.83, 1) },
    { text: "world", startSeconds: 2.1, endSeconds: 3 },
  ]);
});

test("spreads a line's time over its words by letters", () => {
  const [line] = readSubtitles(utf8("1\n00:00:00,000 --> 00:00:01,000\nabc defghi"));
  expect(line!.words).toEqual([
    { text: "abc ", startSeconds: 0, endSeconds: 0.3 },
    { text: "defghi", startSeconds: 0.4, endSeconds: 1 },
  ]);
});

test.each([
  ["an empty file", "", "has no subtitles. Use SRT, VTT, ASS, or words as JSON"],
  ["other text", "Hello", "has no subtitles. Use SRT, VTT, ASS, or words as JSON"],
  ["wrong times", `${CUE}\n2\n00:00:x1,000 --> 00:00:02,000\nb`, "has times that cannot be read in line 6"],
  ["wrong times in ASS", ASS + dialogue("x", "0:00:01.00,later"), "has times that cannot be read in line 10"],
  ["other JSON", '{"text": "Hello"}', "has neither words nor segments"],
  ["a word without a text", '[{"start": 1, "end": 2}]', "has a word without a text"],
  ["words without times", '[{"word": "Hello"}]', "has no word with a start"],
  ["a video", new Uint8Array([0, 0, 0, 24, 102, 116, 121, 112, 0, 0]), NOT_TEXT],
  ["Windows-1251", latin1(CUE.replace("there", "\xCF\xF0\xE8\xE2\xE5\xF2\xEC\xE8\xF0")), UNKNOWN],
  ["a large file", new Uint8Array(2_000_001).fill(97), "is larger than 2 MB"],
  [
    "many words",
    JSON.stringify(Array.from({ length: 50_001 }, () => ({ text: "a", start: 1 }))),
    "has more than 50,000 words",
  ],
  ["an endless word", CUE.replace("there", "a".repeat(201)), "has a word of more than 200 letters"],
  ["an end in days", CUE.replace(/--> .*/, "--> 300:00:00,000"), LATE],
  ["a start in days", CUE.replace(/.* -->/, "277:46:39,999 -->"), LATE],
  ["a word in days", '[{"word": "Hello", "start": 1, "end": 1000001}]', LATE],
  ["many subtitles", CUE.repeat(20_001), "has more than 20,000 subtitles"],
])("rejects %s", (_, file, problem) => {
  const bytes = typeof file === "string" ? utf8(file) : file;
  expect(() => readSubtitles(bytes)).toThrow(expect.objectContaining({ code: "bad_subtitles", message: problem }));
});

const LARGEST = 1_900_000;

test.each([
  ["an endless line", "a".repeat(LARGEST)],
  ["spaces", `${CUE}${" ".repeat(LARGEST)}${"a".repeat(300)}`],
  ["digits", `1\n${"0".repeat(LARGEST)}`],
  ["open tags", CUE.replace("there", "<i ".repeat(LARGEST / 3))],
  ["open brackets", `${VTT}${"<".repeat(LARGEST)}`],
  ["open overrides", ASS + dialogue("{\\k1".repeat(LARGEST / 4))],
  ["breaks", CUE.replace("there", "<br ".repeat(LARGEST / 4))],
  ["nested JSON", "[".repeat(LARGEST)],
])("rejects %s in linear time", (_, file) => {
  // Quadratic time would take minutes, longer than a test may.
  expect(() => readSubtitles(utf8(file))).toThrow(expect.objectContaining({ code: "bad_subtitles" }));
});

function shownBy(transcript: Transcript): Shown[] {
  return transcript.map(({ startSeconds, endSeconds, words }) => [
    startSeconds,
    endSeconds,
    words.map(({ text }) => text).join(""),
  ]);
}

function startsIn(transcript: Transcript): number[] {
  return transcript.flatMap(({ words }) => words.map(({ startSeconds }) => startSeconds));
}
