const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Where a link of an agent may lead: https, mailto, and http on this machine. Null: it is shown as plain text. */
export function safeHref(href: string): string | null {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  if (url.protocol === "https:" || url.protocol === "mailto:") return url.href;
  if (url.protocol === "http:" && LOOPBACK.has(url.hostname)) return url.href;
  return null;
}

/** What to show of a link's target: its host, or the address it writes to. */
export function linkTarget(href: string): string {
  const url = new URL(href);
  return url.protocol === "mailto:" ? url.pathname : url.host;
}
