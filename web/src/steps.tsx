// The steps in words. Only those that can be seen are in the document.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Filter } from './machine';
import { factsOf, threadColour, type View } from './view';

const ROW = 30; // pixels; style.css has the same number
const MARGIN = 10; // rows above and below

export function FilterBar({ view, filter, setFilter }: { view: View; filter: Filter; setFilter(filter: Filter): void }) {
  const { threads: used, hasLocal } = factsOf(view.execution);
  const toggle = (thread: number) => {
    const threads = new Set(filter.threads);
    if (!threads.delete(thread)) threads.add(thread);
    setFilter({ ...filter, threads });
  };
  return (
    <div class="filters" role="group" aria-label="Filters">
      {used.map((thread) => (
        <button
          class="chip thread"
          style={{ '--colour': threadColour(thread) }}
          aria-pressed={!filter.threads.has(thread)}
          onClick={() => toggle(thread)}
        >
          {view.page.threads[thread]}
        </button>
      ))}
      <select
        aria-label="Only steps about"
        value={filter.cell ?? ''}
        onChange={(e) => setFilter({ ...filter, cell: e.currentTarget.value === '' ? null : Number(e.currentTarget.value) })}
      >
        <option value="">every variable</option>
        {view.execution.cells.map((cell, index) => (cell.internal ? null : <option value={index}>{cell.name}</option>))}
      </select>
      {hasLocal && (
        <label class="check" title="Steps that no other thread could notice">
          <input
            type="checkbox"
            checked={filter.local}
            onChange={(e) => setFilter({ ...filter, local: e.currentTarget.checked })}
          />{' '}
          local
        </label>
      )}
    </div>
  );
}

export function StepsPanel({ view, filter, setFilter }: { view: View; filter: Filter; setFilter(filter: Filter): void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 60 });
  const follow = () => {
    const element = scroller.current;
    if (!element) return;
    const first = Math.max(0, Math.floor(element.scrollTop / ROW) - MARGIN);
    const last = Math.ceil((element.scrollTop + element.clientHeight) / ROW) + MARGIN;
    if (first !== range.first || last !== range.last) setRange({ first, last });
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const top = (view.cursor - 1) * ROW;
    if (top < element.scrollTop + ROW) element.scrollTo({ top: Math.max(0, top - ROW) });
    else if (top > element.scrollTop + element.clientHeight - 2 * ROW)
      element.scrollTo({ top: top - element.clientHeight + 2 * ROW });
    follow();
  }, [view.cursor, view.stops]);
  const shown = view.stops.slice(range.first, range.last);
  return (
    <section class="panel steps" aria-label="Steps">
      <header>
        <h2>Steps</h2>
        <FilterBar view={view} filter={filter} setFilter={setFilter} />
      </header>
      <div class="scroll" ref={scroller} onScroll={follow} tabIndex={0} role="region" aria-label="List of steps">
        <ol class="step-list" style={{ height: `${view.stops.length * ROW}px` }}>
          {shown.map((stop, offset) => {
            const index = range.first + offset;
            const step = view.execution.steps[stop.step]!;
            const repeated = view.execution.loop !== undefined && stop.step >= view.execution.loop;
            const classes = ['step'];
            if (index + 1 === view.cursor) classes.push('current');
            if (index + 1 > view.cursor) classes.push('future');
            if (view.hovered === stop.step) classes.push('hovered');
            if (repeated) classes.push('repeated');
            return (
              <li key={stop.step} class={classes.join(' ')} style={{ top: `${index * ROW}px`, '--colour': threadColour(step.thread) }}>
                <button
                  tabIndex={-1}
                  aria-current={index + 1 === view.cursor ? 'step' : undefined}
                  onClick={() => view.moveTo(index + 1)}
                  onMouseEnter={() => view.hover(stop.step)}
                  onMouseLeave={() => view.hover(null)}
                >
                  <span class="number">{step.n}</span>
                  <span class="thread">{view.page.threads[step.thread]}</span>
                  <span class={`text ${step.action}`}>
                    {step.text}
                    {stop.arrival && <em> at {stop.arrival}</em>}
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
        {view.stops.length === 0 && <p class="quiet pad">No step passes the filters.</p>}
      </div>
      {view.execution.leftOut !== undefined && (
        <p class="quiet pad">{view.execution.leftOut} local steps were left out to keep this page small.</p>
      )}
      {view.execution.noGraph && <p class="quiet pad">There are too many accesses for a graph.</p>}
      {view.execution.skipped !== undefined && (
        <p class="quiet pad">
          The first {view.execution.skipped} steps were left out to keep this page small; memory starts as they left it.
        </p>
      )}
    </section>
  );
}
