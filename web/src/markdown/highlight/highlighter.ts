import { trusted } from "../../worker/trusted";
import type { LanguageName } from "./names";
import type { Answer, Ask } from "./protocol";
import type { Runs } from "./runs";
import workerUrl from "./worker?worker&url";

/** Longer code stays as it is. In UTF-16 units. */
export const LONGEST = 400_000;
/** Code whose colours are kept, all together, in UTF-16 units. */
const KEPT = 1_000_000;
/** The worker ends when nothing was asked of it for so long. */
const IDLE_MS = 60_000;

let worker: Worker | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;
const waiting = new Map<number, (runs: Runs | null) => void>();

/** The colours of code that was seen lately, oldest first. */
const kept = new Map<string, Promise<Runs | null>>();
let keptSize = 0;

/** The runs of the code, found in a worker that is started for it. Null where it cannot be coloured. */
export function highlight(code: string, language: LanguageName): Promise<Runs | null> {
  if (code.length > LONGEST) return Promise.resolve(null);
  const key = `${language}\n${code}`;
  const known = kept.get(key);
  if (known) return known;
  const asked = ask(code, language);
  kept.set(key, asked);
  keptSize += key.length;
  for (const oldest of kept.keys()) {
    if (keptSize <= KEPT || oldest === key) break;
    kept.delete(oldest);
    keptSize -= oldest.length;
  }
  return asked;
}

function ask(code: string, language: LanguageName): Promise<Runs | null> {
  lastId += 1;
  const message: Ask = { id: lastId, code, language };
  return new Promise((resolve) => {
    waiting.set(message.id, resolve);
    try {
      worker ??= start();
      worker.postMessage(message);
    } catch {
      // Where there can be no worker, code has no colours.
      stop();
    }
    rest();
  });
}

function start(): Worker {
  const started = new Worker(trusted(workerUrl), { type: "module", name: "drover-highlight" });
  started.onmessage = ({ data: { id, runs } }: MessageEvent<Answer>) => {
    waiting.get(id)?.(runs);
    waiting.delete(id);
  };
  started.onerror = stop;
  return started;
}

/** Ends the worker. Whoever still waits gets no colours. */
function stop(): void {
  clearTimeout(idle);
  worker?.terminate();
  worker = null;
  for (const resolve of waiting.values()) resolve(null);
  waiting.clear();
}

function rest(): void {
  clearTimeout(idle);
  if (worker) idle = setTimeout(stop, IDLE_MS);
}
