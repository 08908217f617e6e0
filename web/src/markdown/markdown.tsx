import type { Token, Tokens } from "marked";
import { createElement, type Key, memo, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
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
        <Group key={index} blocks={group} />
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

const BlockView = memo(({ block }: { block: Block }) => renderBlock(block.token, 0, undefined, block.open), isSame);

/** Whether two readings of a block are drawn alike. A bracket may have become a link by what came later. */
function isSame({ block: before }: { block: Block }, { block: after }: { block: Block }): boolean {
  return before === after || (before.raw === after.raw && before.open === after.open && !after.raw.includes("["));
}

function renderBlocks(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, index) =>
    depth > DEPTH ? (
      <p key={index} className="whitespace-pre-wrap">
        {token.raw}
      </p>
    ) : (
      renderBlock(token, depth, index)
    ),
  );
}

function renderBlock(token: Token, depth: number, key?: Key, open = false): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return null;
    case "heading": {
      // The page's own headings are 1 to 3: an answer's begin below them.
      const level = Math.min(6, (token as Tokens.Heading).depth + 3);
      return createElement(`h${level}`, { key, "data-depth": (token as Tokens.Heading).depth }, renderInline(token.tokens));
    }
    case "paragraph":
      return <p key={key}>{renderInline(token.tokens)}</p>;
    case "code":
      return <CodeBlock key={key} text={(token as Tokens.Code).text} language={languageOf(token)} open={open} />;
    case "blockquote":
      return <blockquote key={key}>{renderBlocks(token.tokens, depth + 1)}</blockquote>;
    case "list":
      return <List key={key} list={token as Tokens.List} depth={depth} />;
    case "table":
      return <Table key={key} table={token as Tokens.Table} />;
    case "hr":
      return <hr key={key} />;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      const content = tokens ? renderInline(tokens) : decodeEntities(text);
      const Element = depth === 0 ? "p" : "span";
      return (
        <Element key={key} className={depth === 0 ? "whitespace-pre-wrap" : undefined}>
          {content}
        </Element>
      );
    }
    default:
      return (
        <p key={key} className="whitespace-pre-wrap">
          {token.raw.trimEnd()}
        </p>
      );
  }
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const { t } = useTranslation();
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? "md-task" : undefined}>
      {item.task && (
        <span role="img" aria-label={t(item.checked ? "markdown.done" : "markdown.toDo")} className="me-1.5">
          {item.checked ? "☑" : "☐"}
        </span>
      )}
      {renderBlocks(item.tokens, depth + 1)}
    </li>
  ));
  const looks = list.loose ? "md-loose" : undefined;
  return list.ordered ? (
    <ol start={list.start === "" ? 1 : list.start} className={looks}>
      {items}
    </ol>
  ) : (
    <ul className={looks}>{items}</ul>
  );
}

function Table({ table }: { table: Tokens.Table }) {
  const { t } = useTranslation();
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
    <div className="md-scroll" role="group" tabIndex={0} aria-label={t("markdown.table")}>
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
