/**
 * The second half of a paired browser's proof. Cookies on localhost are shared between ports, IndexedDB is not, so
 * the key lives here and travels as a header. Works in pages and in workers.
 */
const DATABASE = "drover";
const STORE = "pairing";
const ENTRY = "key";

let cached: string | null | undefined;

/** The stored key, or null in a browser that is not paired. */
export async function readKey(): Promise<string | null> {
  if (cached !== undefined) return cached;
  const stored = await inStore<string | undefined>("readonly", (store) => store.get(ENTRY));
  return (cached = stored ?? null);
}

/** Reads the store again at the next use: another tab may have paired this browser. */
export function forgetCachedKey(): void {
  cached = undefined;
}

export async function saveKey(key: string): Promise<void> {
  await inStore("readwrite", (store) => store.put(key, ENTRY));
  cached = key;
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB transaction aborted"));
    });
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB could not be opened"));
  });
}
