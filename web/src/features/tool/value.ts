import { isRecord } from "../../api/problem";

/** What stands in a Part where a value was too large for it. */
export interface BlobReference {
  sha256: string;
  size: number;
  preview: string;
}

export function asBlob(value: unknown): BlobReference | null {
  const blob = isRecord(value) ? value.$blob : undefined;
  if (!isRecord(blob) || typeof blob.sha256 !== "string") return null;
  return {
    sha256: blob.sha256,
    size: typeof blob.size === "number" ? blob.size : 0,
    preview: typeof blob.preview === "string" ? blob.preview : "",
  };
}

export interface ReadValue {
  /** The value as a person reads it, with the beginnings of what is stored elsewhere. */
  text: string;
  /** What is stored elsewhere, by its place in the value. */
  blobs: { place: string; blob: BlobReference }[];
}

/** A value of a tool call as text: a string as it is, the rest as indented JSON. */
export function readValue(value: unknown): ReadValue {
  const blobs: ReadValue["blobs"] = [];
  const plain = withPreviews(value, "", blobs);
  return { text: typeof plain === "string" ? plain : (JSON.stringify(plain, null, 2) ?? ""), blobs };
}

function withPreviews(value: unknown, place: string, blobs: ReadValue["blobs"]): unknown {
  const blob = asBlob(value);
  if (blob) {
    blobs.push({ place, blob });
    return `${blob.preview}…`;
  }
  if (Array.isArray(value)) return value.map((item, index) => withPreviews(item, `${place}[${index}]`, blobs));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    // An agent's own key "$blob" is stored with another $ in front.
    const name = key.startsWith("$$blob") ? key.slice(1) : key;
    return [name, withPreviews(item, place === "" ? name : `${place}.${name}`, blobs)];
  });
  return Object.fromEntries(entries);
}
