/**
 * The second half of a paired browser's proof. Cookies on localhost are shared between ports, IndexedDB is not, so
 * the key lives here and travels as a header. Works in pages and in workers.
 */
const DATABASE = "drover";
const STORE = "pairing";
const ENTRY = "key";

let cached: string | null = null;

/** The stored key, or null in a browser that is not paired. */
export async function readKey(): Promise<string | null> {
  cached ??= (await inStore<string | undefined>("readonly", (store) => store.get(ENTRY))) ?? null;
  return cached;
}

/** Reads the store again at the next use: this key was refused, and another tab may pair this browser anew. */
export function forgetCachedKey(): void {
  cached = null;
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
