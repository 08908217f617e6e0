import type { Token, Tokens } from "marked";
import { createElement, memo, type ReactNode, useState } from "react";
import { type Block, BlockStream, GROUP } from "./blocks";
import { CodeBlock } from "./code-block";
import { decodeEntities } from "./entities";
import { renderInline } from "./inline";

/** Blocks nested deeper than this are shown as they are written. */
const DEPTH = 12;

/** A text of an agent, drawn as markdown while it grows. Only its last block is ever drawn anew. */
export function Markdown({ text, done }: { text: string; done: boolean }) {
  const [stream] = useState(() => new BlockStream());
  const groups = stream.update(text, done);
  return (
    <div className="md">
      {groups.map((group, index) => (
        <Group key={group[0]?.start ?? index} blocks={group} />
      ))}
    </div>
  );
}

/** Groups, not blocks, are what the browser skips while off screen: it watches each of them. */
const Group = memo(function Group({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={blocks.length < GROUP ? "md-group" : "md-group md-full"}>
      {blocks.map((block) => (
        <BlockView key={block.start} block={block} />
      ))}
    </div>
  );
});

const BlockView = memo(
  function BlockView({ block }: { block: Block }) {
    if (block.open) return <CodeBlock text={(block.token as Tokens.Code).text} language={languageOf(block.token)} />;
    return renderBlock(block.token, 0);
  },
  (before, after) => before.block.raw === after.block.raw && before.block.open === after.block.open,
);

function renderBlocks(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, index) => <Nested key={index} token={token} depth={depth} />);
}

function Nested({ token, depth }: { token: Token; depth: number }) {
  return depth > DEPTH ? <p className="whitespace-pre-wrap">{token.raw}</p> : renderBlock(token, depth);
}

function renderBlock(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      // The page's own headings are 1 to 3: an answer's begin below them.
      const level = Math.min(6, (token as Tokens.Heading).depth + 3);
      return createElement(`h${level}`, { "data-depth": (token as Tokens.Heading).depth }, renderInline(token.tokens));
    }
    case "paragraph":
      return <p>{renderInline(token.tokens)}</p>;
    case "code":
      return <CodeBlock text={(token as Tokens.Code).text} language={languageOf(token)} />;
    case "blockquote":
      return <blockquote>{renderBlocks(token.tokens, depth + 1)}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} depth={depth} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      const content = tokens ? renderInline(tokens) : decodeEntities(text);
      return depth === 0 ? <p className="whitespace-pre-wrap">{content}</p> : <span>{content}</span>;
    }
    case "checkbox":
      return null;
    default:
      return <p className="whitespace-pre-wrap">{token.raw.trimEnd()}</p>;
  }
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? "md-task" : undefined}>
      {item.task && <span aria-hidden="true">{item.checked ? "☑ " : "☐ "}</span>}
      {renderBlocks(item.tokens, depth + 1)}
    </li>
  ));
  return list.ordered ? <ol start={list.start === "" ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Tokens.Table }) {
  const cell = (each: Tokens.TableCell, index: number) => {
    const props = { key: index, "data-align": each.align ?? undefined };
    return each.header ? (
      <th {...props} key={index} scope="col">
        {renderInline(each.tokens)}
      </th>
    ) : (
      <td {...props} key={index}>
        {renderInline(each.tokens)}
      </td>
    );
  };
  return (
    <div className="md-scroll" role="group" tabIndex={0}>
      <table>
        <thead>
          <tr>{table.header.map(cell)}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>{row.map(cell)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function languageOf(token: Token): string {
  return decodeEntities((token as Tokens.Code).lang ?? "").split(/\s/)[0] ?? "";
}
