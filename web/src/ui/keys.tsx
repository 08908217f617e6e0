import { apple, keyCaps } from "../state/keys";

/** A chord such as `mod+k`, key by key as this system's keyboards print them. */
export function Keys({ chord }: { chord: string }) {
  return (
    <span className="flex shrink-0 gap-0.5">
      {keyCaps(chord, apple).map((cap) => (
        <kbd key={cap} className="min-w-5 rounded-sm border border-line bg-bg px-1 text-center text-[0.6875rem] leading-4 text-muted">
          {cap}
        </kbd>
      ))}
    </span>
  );
}
