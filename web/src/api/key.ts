/**
 * The second half of a paired browser's proof. Cookies on localhost are shared between ports, IndexedDB is not, so
 * the key lives here and travels as a header. Works in pages and in workers.
 */
const DATABASE = "drover";
const STORE = "pairing";
const ENTRY = "key";

/** One reading for all who ask; null once the key was refused. */
let reading: Promise<string | null> | null = null;

/** The stored key, or null in a browser that is not paired. */
export function readKey(): Promise<string | null> {
  reading ??= readStored().then(
    (key) => {
      // Pairing, which another tab may do at any time, is looked for again.
      if (key === null) reading = null;
      return key;
    },
    (error: unknown) => {
      reading = null;
      throw error;
    },
  );
  return reading;
}

const readStored = async (): Promise<string | null> => (await inStore<string | undefined>("readonly", (store) => store.get(ENTRY))) ?? null;

/** Reads the store again at the next use: this key was refused, and another tab may pair this browser anew. */
export function forgetCachedKey(): void {
  reading = null;
}

export async function saveKey(key: string): Promise<void> {
  await inStore("readwrite", (store) => store.put(key, ENTRY));
  reading = Promise.resolve(key);
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      // What is read is known before the transaction ends; what is written is only then.
      if (mode === "readonly") request.onsuccess = () => resolve(request.result as T);
      else transaction.oncomplete = () => resolve(request.result as T);
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
