import { forgetCachedKey, readKey } from "./key";
import { Problem, Unreachable } from "./problem";

const BASE = "/api/v1";

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Record<string, string | number | boolean | null | undefined>;
  /** Sent as JSON, except a Blob, which is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

type SignedOutListener = () => void;
const signedOutListeners = new Set<SignedOutListener>();

/** Told on every 401: this browser is not paired, or no longer. */
export function onSignedOut(listener: SignedOutListener): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** The daemon cannot write: its disk is full, or its database cannot be reached. */
export type StoreTrouble = "store-full" | "store-unavailable";
const storeListeners = new Set<(trouble: StoreTrouble) => void>();

/** Told whenever the daemon refuses because it cannot write. */
export function onStoreTrouble(listener: (trouble: StoreTrouble) => void): () => void {
  storeListeners.add(listener);
  return () => storeListeners.delete(listener);
}

/** The raw answer of one API call, with this browser's proof. Throws `Unreachable`; refusals are left in the response. */
export async function send(path: string, call: Call = {}): Promise<Response> {
  const headers = new Headers(call.headers);
  const key = await readKey();
  if (key) headers.set("Drover-Key", key);
  let body: BodyInit | null = null;
  if (call.body instanceof Blob) {
    body = call.body;
  } else if (call.body !== undefined) {
    headers.set("Content-Type", "application/json");
    body = JSON.stringify(call.body);
  }
  try {
    const response = await fetch(BASE + path + queryString(call.query), {
      method: call.method ?? "GET",
      headers,
      body,
      signal: call.signal ?? null,
      cache: "no-store",
      credentials: "same-origin",
    });
    if (response.status === 401) forgetCachedKey();
    return response;
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new Unreachable(error);
  }
}

/** One API call that answers with JSON, or with nothing. Throws `Problem` for a refusal. */
export async function request<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(path, call);
  const text = await response.text().catch((error: unknown) => {
    throw new Unreachable(error);
  });
  if (!response.ok) {
    if (response.status === 401) for (const listener of signedOutListeners) listener();
    const problem = new Problem(response.status, parseOrNull(text));
    const { slug } = problem;
    if (slug === "store-full" || slug === "store-unavailable") for (const listener of storeListeners) listener(slug);
    throw problem;
  }
  return (text === "" ? null : JSON.parse(text)) as T;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function queryString(query: Call["query"]): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `?${search}` : "";
}
