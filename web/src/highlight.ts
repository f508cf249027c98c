// Just enough colour for the languages that Weir reads: comments, strings, numbers and common keywords.

export interface Token {
  text: string;
  kind: '' | 'comment' | 'string' | 'number' | 'keyword' | 'directive';
}

const KEYWORDS = new Set(
  (
    'alignas auto bool break case char class const constexpr continue default do double else enum extern false float for ' +
    'goto if inline int long namespace new nullptr NULL return short signed sizeof static struct switch template true ' +
    'typedef union unsigned using void volatile while ' +
    'thread process procedure begin end assert assume fence atomic await skip shared function register load store lock ' +
    'unlock mfence initial transition transitions null forbidden macro data text exists forall locations exclusive var ' +
    'od fi then program variables choose proc type weak transition unsafe init requires'
  ).split(' '),
);

const PATTERN =
  /(\/\/.*|\/\*.*?(?:\*\/|$)|\(\*.*?(?:\*\)|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*')|(^\s*#\s*\w+.*)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;

// `inComment`: the line before ended inside a comment.
export function tokens(line: string, inComment: boolean): { list: Token[]; inComment: boolean } {
  const list: Token[] = [];
  let start = 0;
  if (inComment) {
    const end = line.search(/\*\/|\*\)/);
    if (end < 0) return { list: [{ text: line, kind: 'comment' }], inComment: true };
    list.push({ text: line.slice(0, end + 2), kind: 'comment' });
    start = end + 2;
  }
  let open = false;
  let done = start;
  const rest = line.slice(start);
  for (const match of rest.matchAll(PATTERN)) {
    const at = start + (match.index ?? 0);
    if (at > done) list.push({ text: line.slice(done, at), kind: '' });
    const text = match[0];
    if (match[1] !== undefined) {
      list.push({ text, kind: 'comment' });
      open = (text.startsWith('/*') && !text.endsWith('*/')) || (text.startsWith('(*') && !text.endsWith('*)'));
    } else if (match[2] !== undefined) list.push({ text, kind: 'string' });
    else if (match[3] !== undefined) list.push({ text, kind: 'directive' });
    else if (match[4] !== undefined) list.push({ text, kind: 'number' });
    else list.push({ text, kind: KEYWORDS.has(text) ? 'keyword' : '' });
    done = at + text.length;
  }
  if (done < line.length) list.push({ text: line.slice(done), kind: '' });
  return { list, inComment: open };
}
