/** Translations of one caption, with a name in Latin letters and highlighted words. */
export const LANGUAGE_CAPTIONS: readonly { language: string; text: string }[] = [
  { language: "ar", text: "Clipmill: انتظر حتى النهاية، خصم *50%* اليوم فقط!" },
  { language: "fa", text: "Clipmill: تا آخر ببینید، *۵۰٪* تخفیف فقط امروز!" },
  { language: "he", text: "Clipmill: חכו עד הסוף, *50%* הנחה רק היום!" },
  { language: "th", text: "Clipmill: ดูให้จบ ลด *50%* เฉพาะวันนี้เท่านั้น!" },
  { language: "hi", text: "Clipmill: आखिर तक देखिए, सिर्फ़ आज *50%* की छूट!" },
  { language: "ja", text: "Clipmill：最後まで見て！本日限り *50%* オフ" },
  { language: "ja", text: "本日限定 *直販* 海辺骨董" },
  { language: "ko", text: "Clipmill: 끝까지 보세요, 오늘만 *50%* 할인!" },
  { language: "zh-Hans", text: "Clipmill：看到最后，仅限今天 *五折*！直海骨" },
  { language: "zh-Hant", text: "Clipmill：看到最後，僅限今天 *五折*！直海骨" },
  { language: "ru", text: "Clipmill: досмотри до конца, скидка *50%* только сегодня!" },
  { language: "vi", text: "Clipmill: xem đến cuối, giảm *50%* chỉ hôm nay!" },
  { language: "el", text: "Clipmill: δες το μέχρι τέλους, έκπτωση *50%* μόνο σήμερα!" },
];
