/** The scripts that captions can be drawn in: those that the bundled fonts have. */
const LETTER_WITHOUT_FONT =
  /(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}\p{sc=Thai}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}])\p{L}/u;

/** True when a caption has letters that would be left out of the picture, for want of a font. */
export function hasLettersWithoutFont(caption: string): boolean {
  return LETTER_WITHOUT_FONT.test(caption);
}
