import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { decodeEntities } from "./entities";
import { linkTarget, safeHref } from "./links";

/** Marks nested deeper than this are shown as they are written. */
const DEPTH = 16;

/** Inline tokens as elements. HTML stays text, whatever it says. */
export function renderInline(tokens: readonly Token[] | undefined, depth = 0): ReactNode {
  return tokens?.map((token, index) => (
    <Fragment key={index}>{depth > DEPTH ? token.raw : renderToken(token, depth + 1)}</Fragment>
  ));
}

function renderToken(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{renderInline(token.tokens, depth)}</strong>;
    case "em":
      return <em>{renderInline(token.tokens, depth)}</em>;
    case "del":
      return <del>{renderInline(token.tokens, depth)}</del>;
    case "codespan":
      return <code className="md-code">{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link href={(token as Tokens.Link).href} content={renderInline(token.tokens, depth)} raw={token.raw} />;
    case "image": {
      const { href, text, raw } = token as Tokens.Image;
      return <Link href={href} content={text || href} raw={raw} />;
    }
    case "escape":
      return (token as Tokens.Escape).text;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? renderInline(tokens, depth) : decodeEntities(text);
    }
    default:
      return token.raw;
  }
}

/** Remote images are never loaded: they are links like any other. */
function Link({ href, content, raw }: { href: string; content: ReactNode; raw: string }) {
  const target = safeHref(decodeEntities(href));
  if (target === null) return raw;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer" title={linkTarget(target)} className="md-link">
      {content}
    </a>
  );
}
