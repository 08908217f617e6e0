import type { Token, Tokens } from "marked";
import type { Key, ReactNode } from "react";
import { decodeEntities } from "./entities";
import { linkTarget, safeHref } from "./links";

/** Marks nested deeper than this are shown as they are written. */
const DEPTH = 16;

/** Inline tokens as elements. HTML stays text, whatever it says. Plain text stays a string: most of an answer is that. */
export function renderInline(tokens: readonly Token[] | undefined, depth = 0): ReactNode {
  if (!tokens) return null;
  const [only] = tokens;
  if (tokens.length === 1 && only) return depth > DEPTH ? only.raw : renderToken(only, depth + 1, 0);
  return tokens.map((token, index) => (depth > DEPTH ? token.raw : renderToken(token, depth + 1, index)));
}

function renderToken(token: Token, depth: number, key: Key): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong key={key}>{renderInline(token.tokens, depth)}</strong>;
    case "em":
      return <em key={key}>{renderInline(token.tokens, depth)}</em>;
    case "del":
      return <del key={key}>{renderInline(token.tokens, depth)}</del>;
    case "codespan":
      return (
        <code key={key} className="md-code">
          {(token as Tokens.Codespan).text}
        </code>
      );
    case "br":
      return <br key={key} />;
    case "link":
      return <Link key={key} href={(token as Tokens.Link).href} content={renderInline(token.tokens, depth)} raw={token.raw} />;
    case "image": {
      const { href, text, raw } = token as Tokens.Image;
      return <Link key={key} href={href} content={text || href} raw={raw} />;
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

/** Remote images are never loaded: they are links like any other. The host is told on hover and where a link has the focus. */
function Link({ href, content, raw }: { href: string; content: ReactNode; raw: string }) {
  const target = safeHref(decodeEntities(href));
  if (target === null) return raw;
  const host = linkTarget(target);
  return (
    <a href={target} target="_blank" rel="noopener noreferrer" title={host} data-host={host} className="md-link">
      {content}
    </a>
  );
}
