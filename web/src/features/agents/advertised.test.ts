import { describe, expect, it } from "vitest";
import { advertised, loginsOf } from "./advertised";

describe("what an agent says it can do", () => {
  it("is told in one order, flags and markers alike", () => {
    const answer = {
      agentCapabilities: {
        promptCapabilities: { embeddedContext: true, image: true, audio: false },
        sessionCapabilities: { resume: {}, fork: null },
        loadSession: true,
        mcpCapabilities: { http: true },
      },
      authMethods: [{ id: "api-key", name: "API key" }, { id: "plain" }, 7],
    };
    expect(advertised(answer)).toEqual(["load", "resume", "image", "embedded", "mcp"]);
    expect(loginsOf(answer)).toEqual(["API key", "plain"]);
  });

  it("is unknown before the first start, and nothing where the agent names nothing", () => {
    expect(advertised(null)).toBeNull();
    expect(advertised({ protocolVersion: 1 })).toEqual([]);
    expect(loginsOf(null)).toEqual([]);
  });
});
