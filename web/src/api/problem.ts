/** A refusal by the daemon (RFC 9457). `slug` is the end of its `type`, the thing to branch on. */
export class Problem extends Error {
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  readonly detail: string | null;
  /** Members that some problems carry beside the standard ones, such as `project_id` or `errors`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, body: unknown) {
    const members = isRecord(body) ? body : {};
    const title = typeof members.title === "string" ? members.title : `HTTP ${status}`;
    const detail = typeof members.detail === "string" ? members.detail : null;
    super(detail ?? title);
    this.name = "Problem";
    this.status = status;
    this.slug = typeof members.type === "string" ? (members.type.split("/").pop() ?? "") : "";
    this.title = title;
    this.detail = detail;
    this.members = members;
  }
}

/** No answer came: the daemon is not running or the connection broke. Nothing is known about what it did. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The daemon did not answer.", { cause });
    this.name = "Unreachable";
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
