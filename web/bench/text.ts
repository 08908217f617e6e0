/** Markdown as agents write it: headings, paragraphs with marks, lists, tables and code. Each section says its number. */
function section(number: number): string {
  return [
    `## Section ${number}`,
    "",
    `The function \`resolve_${number}\` was **wrong** about *precedence*; see [the reference](https://example.org/${number}). `.repeat(3),
    "",
    ...Array.from({ length: 5 }, (_, item) => `- item ${item} of section ${number}, with \`code\` and **weight**`),
    "",
    "```rust",
    ...Array.from({ length: 14 }, (_, line) => `    let value_${line} = compute(${number}, "text ${line}")?; // step ${line}`),
    "```",
    "",
    "| name | lines |",
    "| --- | ---: |",
    `| src/part_${number}.rs | ${number * 7} |`,
    `| src/other_${number}.rs | ${number * 3} |`,
    "",
    "",
  ].join("\n");
}

/** So many bytes of it, ending in a paragraph that says so. */
export function markdownOf(bytes: number): string {
  const end = "The very end.\n";
  const parts: string[] = [];
  let size = end.length;
  for (let number = 1; ; number += 1) {
    const next = section(number);
    if (size + next.length > bytes) break;
    parts.push(next);
    size += next.length;
  }
  return `${parts.join("")}${"x".repeat(Math.max(0, bytes - size - 2))}\n\n${end}`;
}
