/** The named references that appear in answers; others stay as they are written. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  times: "×",
  divide: "÷",
  middot: "·",
  bull: "•",
  deg: "°",
  plusmn: "±",
  le: "≤",
  ge: "≥",
  ne: "≠",
  larr: "←",
  rarr: "→",
  uarr: "↑",
  darr: "↓",
  sect: "§",
  para: "¶",
  euro: "€",
  shy: "\u00ad",
  ensp: "\u2002",
  emsp: "\u2003",
  thinsp: "\u2009",
};

/** Text with its character references (`&amp;`, `&#39;`, `&#x27;`) resolved, as CommonMark has it. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name as string] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    const invalid = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
    return invalid ? "\ufffd" : String.fromCodePoint(code);
  });
}
