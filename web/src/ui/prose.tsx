/** A sentence whose `quoted` parts are shown as code. */
export function Prose({ text }: { text: string }) {
  return text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
