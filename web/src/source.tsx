// The program, with the line that each thread is at. Lines are drawn once; what moves lies in a layer above them.
import { memo } from './memo';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Fence, Page } from './data';
import { tokens } from './highlight';
import { threadColour, type View } from './view';

const LINE = 21; // pixels; style.css has the same number

interface Row {
  line: number; // 0: a fence that is not in the file
  text: string;
  fence?: Fence;
}

function rowsOf(page: Page, file: number, fences: boolean): Row[] {
  const rows: Row[] = [];
  const text = page.sources[file]?.text ?? '';
  const lines = text.replace(/\n$/, '').split('\n');
  lines.forEach((line, index) => {
    for (const fence of page.fences)
      if (fences && fence.file === file && fence.line === index + 1)
        rows.push({ line: 0, text: `${/^\s*/.exec(line)?.[0] ?? ''}${fence.text}`, fence });
    rows.push({ line: index + 1, text: line.replace(/\t/g, '  ') });
  });
  return rows;
}

const Lines = memo(function Lines({ rows }: { rows: Row[] }) {
  let inComment = false;
  return (
    <ol class="lines">
      {rows.map((row) => {
        if (row.fence)
          return (
            <li class="fence-row" title={row.fence.without ? `Without it, ${row.fence.without}` : undefined}>
              <span class="line-number">+</span>
              <code>
                {row.text}
                <span class="fence-note"> in {row.fence.threads}</span>
              </code>
            </li>
          );
        const found = tokens(row.text, inComment);
        inComment = found.inComment;
        return (
          <li>
            <span class="line-number">{row.line}</span>
            <code>{found.list.map((token) => (token.kind ? <i class={token.kind}>{token.text}</i> : token.text))}</code>
          </li>
        );
      })}
    </ol>
  );
});

interface Mark {
  row: number;
  threads: number[];
  active: number | null; // the thread that has just moved
  flushed: boolean; // by its buffer
}

function marksOf(view: View, file: number, rowOf: Map<number, number>): Mark[] {
  const marks = new Map<number, Mark>();
  const mark = (line: number | undefined): Mark | null => {
    const row = rowOf.get(line ?? 0);
    if (row === undefined) return null;
    const found = marks.get(row) ?? { row, threads: [], active: null, flushed: false };
    marks.set(row, found);
    return found;
  };
  view.state.last.forEach((index, thread) => {
    const step = view.execution.steps[index];
    if (step && step.file === file) mark(step.line)?.threads.push(thread);
  });
  if (view.step && view.step.file === file) {
    const found = mark(view.step.line);
    if (found) {
      found.active = view.step.thread;
      found.flushed = view.step.action === 'flush';
    }
  }
  return [...marks.values()];
}

export function SourcePanel({ view }: { view: View }) {
  const { page } = view;
  const [chosen, choose] = useState<number | null>(null);
  const [fences, showFences] = useState(true);
  const current = view.step?.file;
  useLayoutEffect(() => choose(null), [view.cursor, view.execution]);
  const file = chosen ?? current ?? view.execution.violation?.file ?? 0;
  const rows = useMemo(() => rowsOf(page, file, fences), [page, file, fences]);
  const rowOf = useMemo(() => {
    const map = new Map<number, number>();
    rows.forEach((row, index) => row.line > 0 && map.set(row.line, index));
    return map;
  }, [rows]);
  const marks = marksOf(view, file, rowOf);
  const scroller = useRef<HTMLDivElement>(null);
  const activeRow = marks.find((mark) => mark.active !== null)?.row;
  const hoveredStep = view.hovered === null ? undefined : view.execution.steps[view.hovered];
  const hoveredRow = hoveredStep && hoveredStep.file === file ? rowOf.get(hoveredStep.line ?? 0) : undefined;
  const violation = view.execution.violation;
  // Where it goes wrong, at the end; of a race both accesses.
  const wrong = view.cursor === view.stops.length && violation ? (violation.accesses ?? [violation]) : [];
  const badRows = wrong.flatMap((place) => {
    const row = place.file === file ? rowOf.get(place.line ?? 0) : undefined;
    return row === undefined ? [] : [{ row, access: 'thread' in place ? place : undefined }];
  });
  // Notes about one line stand below each other.
  const earlierIn = (row: number, index: number) => badRows.slice(0, index).filter((other) => other.row === row).length;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || activeRow === undefined) return;
    const top = activeRow * LINE;
    if (top < element.scrollTop + 2 * LINE || top > element.scrollTop + element.clientHeight - 4 * LINE)
      element.scrollTo({ top: top - element.clientHeight / 2 });
  }, [activeRow, file]);
  return (
    <section class="panel source" aria-label="Source">
      <header>
        <h2>{page.sources[file]?.path ?? 'Source'}</h2>
        {page.fences.length > 0 && (
          <label class="check">
            <input type="checkbox" checked={fences} onChange={(e) => showFences(e.currentTarget.checked)} /> fences
          </label>
        )}
        {page.sources.length > 1 && (
          <select aria-label="File" value={file} onChange={(e) => choose(Number(e.currentTarget.value))}>
            {page.sources.map((source, index) => (
              <option value={index}>{source.path}</option>
            ))}
          </select>
        )}
      </header>
      <div class="code scroll" ref={scroller} tabIndex={0} role="region" aria-label="Program text">
        <div class="page">
          {badRows.map(({ row }) => (
            <div class="mark bad" style={{ top: `${row * LINE}px` }} />
          ))}
          {hoveredRow !== undefined && <div class="mark hovered" style={{ top: `${hoveredRow * LINE}px` }} />}
          {marks.map((mark) => (
            <div
              class={`mark${mark.active !== null ? ' active' : ''}`}
              style={{ top: `${mark.row * LINE}px`, '--colour': threadColour(mark.active ?? mark.threads[0] ?? 0) }}
            />
          ))}
          <Lines rows={rows} />
          {marks.map((mark) => (
            <div class="tags" style={{ top: `${mark.row * LINE}px` }}>
              <span>
                {[...new Set([...mark.threads, ...(mark.active === null ? [] : [mark.active])])].map((thread) => (
                  <span class="tag" style={{ '--colour': threadColour(thread) }}>
                    {mark.flushed && mark.active === thread ? `flush of ${page.threads[thread]}` : page.threads[thread]}
                  </span>
                ))}
              </span>
            </div>
          ))}
          {badRows.map(
            ({ row, access }, index) =>
              access && (
                <div class="tags" style={{ top: `${(row + earlierIn(row, index)) * LINE}px` }}>
                  <span>
                    <span class="bad-note">
                      {page.threads[access.thread]} {access.text}
                    </span>
                  </span>
                </div>
              ),
          )}
        </div>
      </div>
    </section>
  );
}
