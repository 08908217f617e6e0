/** A text that is one fence and nothing else, as some agents wrap their output. */
export interface Fence {
  language: string;
  text: string;
}

export function readFence(text: string): Fence | null {
  const open = /^(`{3,})([^`\n]*)\n/.exec(text);
  const mark = open?.[1];
  if (!open || !mark) return null;
  const end = text.trimEnd();
  const body = end.slice(open[0].length, end.length - mark.length);
  const closes = end.endsWith(`\n${mark}`) || end === `${open[0]}${mark}`;
  // A second fence inside means that there is more than one.
  if (!closes || `\n${body}`.includes(`\n${mark}`)) return null;
  return { language: (open[2] ?? "").trim().toLowerCase(), text: body.replace(/\n$/, "") };
}
