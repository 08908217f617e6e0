/**
 * The address that an unpaired browser wanted. The link from the terminal opens a tab of its own, so the address is
 * kept for this tab and, for a while, for all.
 */
const WANTED = "drover:wanted";
const FRESH_MS = 10 * 60_000;

export function keepWanted(): void {
  const address = location.pathname + location.search + location.hash;
  if (location.pathname === "/launch") return;
  sessionStorage.setItem(WANTED, address);
  localStorage.setItem(WANTED, JSON.stringify({ address, at: Date.now() }));
}

/** Takes the wanted address; the inbox where there is none. */
export function takeWanted(now: number): string {
  const own = sessionStorage.getItem(WANTED);
  const shared = localStorage.getItem(WANTED);
  sessionStorage.removeItem(WANTED);
  localStorage.removeItem(WANTED);
  return asPath(own) ?? asPath(freshAddress(shared, now)) ?? "/";
}

function freshAddress(stored: string | null, now: number): string | null {
  try {
    const { address, at } = JSON.parse(stored ?? "null") as { address: string; at: number };
    return now - at < FRESH_MS ? address : null;
  } catch {
    return null;
  }
}

const DIRECTORY = "drover:directory";

/** The directory in which the launch link was asked for, to be offered as a project in this tab. */
export function keepDirectory(directory: string | null): void {
  if (directory) sessionStorage.setItem(DIRECTORY, directory);
}

export const readDirectory = (): string | null => sessionStorage.getItem(DIRECTORY);

/** It has become a project, or is not wanted as one. */
export const forgetDirectory = (): void => sessionStorage.removeItem(DIRECTORY);

/** Only a path of this page, never another origin. */
function asPath(address: string | null): string | null {
  return address?.startsWith("/") && !address.startsWith("//") ? address : null;
}
