interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

/** There is one policy of this name: a second one of it would be refused. */
let policy: ScriptUrlPolicy | null | undefined;

/** A worker's address must be trusted under our policy: only this origin's own built files are. */
export function trusted(url: string): string {
  policy ??= (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("app-worker", { createScriptURL }) ?? null;
  return policy ? policy.createScriptURL(url) : url;
}

function createScriptURL(wanted: string): string {
  const resolved = new URL(wanted, location.href);
  // A page in development is served from where its sources are.
  const built = import.meta.env.DEV || resolved.pathname.startsWith("/assets/");
  if (resolved.origin === location.origin && built) return resolved.href;
  throw new TypeError(`not a worker of this page: ${resolved.pathname}`);
}
