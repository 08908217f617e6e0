export const agentPath = (agent: string): string => `/settings/agents/${encodeURIComponent(agent)}`;
