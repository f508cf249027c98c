// The execution graph: accesses as boxes, a column per thread, relations as arrows. The cycle that sequential
// consistency forbids stands out; on request it is told in words, and everything else steps back.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Edge, Execution, Relation } from './data';
import { arrow, layOut, nodeWidth, NODE_HEIGHT, type Arrow, type Layout, type Point } from './layout';
import { threadColour, type View } from './view';
import { eventText, instead, reasons, type Reason } from './why';

type Shown = Relation | 'ghb';

const MEANING: Record<Shown, string> = {
  po: 'program order: later in the thread',
  rf: 'reads from: the write whose value is read',
  co: 'coherence: the order of writes to one variable',
  fr: 'from read: the write that overwrites what was read',
  ghb: 'global happens-before: what this memory model keeps in order',
};

const MANY = 60; // edges; beyond that only some are labelled

interface Drawn {
  edge: Edge;
  kind: Shown;
  arrow: Arrow;
  cycle: number; // its place in the cycle; -1 if it has none
}

const sameEdge = (a: Edge, b: Edge) => a.from === b.from && a.to === b.to && a.relation === b.relation;

// The cycle may jump along program order, so some of its edges are none of the neighbours'.
function drawnEdges(execution: Execution, { at, width: whole }: Layout, width: number): Drawn[] {
  const twins = new Map<string, number>();
  const draw = (edge: Edge, kind: Shown, jumps = false): Drawn => {
    const key = [Math.min(edge.from, edge.to), Math.max(edge.from, edge.to)].join(' ');
    const number = twins.get(key) ?? 0;
    twins.set(key, number + 1);
    const cycle = kind === 'ghb' ? -1 : execution.cycle.findIndex((other) => sameEdge(other, edge));
    const from = at[edge.from]!;
    const next = kind === 'po' && number === 0 && !jumps;
    const outer = from.x <= whole / 2 ? -1 : 1;
    return { edge, kind, arrow: arrow(from, at[edge.to]!, next, number, width, outer), cycle };
  };
  const drawn = execution.edges.map((edge) => draw(edge, edge.relation));
  for (const edge of execution.cycle)
    if (!execution.edges.some((other) => sameEdge(other, edge))) drawn.push(draw(edge, edge.relation, true));
  for (const edge of execution.globalOrder) drawn.push(draw(edge, 'ghb'));
  return drawn;
}

interface WhyProps {
  view: View;
  chosen: number | null; // an edge of the cycle
  choose(edge: number | null): void;
  close(): void;
}

export function WhyPanel({ view, chosen, choose, close }: WhyProps) {
  const told = useMemo(() => reasons(view.page, view.execution), [view.page, view.execution]);
  const buffers = useMemo(() => instead(view.page, view.execution), [view.page, view.execution]);
  return (
    <section class="panel why" aria-label="Why sequential consistency forbids this">
      <header>
        <h2>Why SC forbids this</h2>
        <button class="close" onClick={close} aria-label="Close the explanation">
          ×
        </button>
      </header>
      <div class="scroll why-body" tabIndex={0} role="region" aria-label="Explanation">
        <p>If accesses happened one after the other, each of these would have to come before the next:</p>
        <ol>
          {told.map((reason: Reason, index) => (
            <li>
              <button
                class={`reason${chosen === index ? ' chosen' : ''}`}
                aria-pressed={chosen === index}
                onClick={() => {
                  choose(chosen === index ? null : index);
                  view.goTo(view.execution.events[reason.edge.to]!.step);
                }}
                onMouseEnter={() => choose(index)}
                onMouseLeave={() => choose(null)}
                onFocus={() => choose(index)}
                onBlur={() => choose(null)}
              >
                <span class={`relation ${reason.edge.relation}`}>{reason.edge.relation}</span> {reason.text}
              </button>
            </li>
          ))}
        </ol>
        <p>
          So the first would have to come before itself. No order of these accesses gives this result: it does not exist
          under sequential consistency.
        </p>
        {buffers.map((text) => (
          <p class="instead">{text}</p>
        ))}
      </div>
    </section>
  );
}

interface GraphProps {
  view: View;
  why: boolean;
  showWhy(on: boolean): void;
  chosen: number | null; // an edge of the cycle
}

export function GraphPanel({ view, why, showWhy, chosen }: GraphProps) {
  const { execution, page } = view;
  const layout = useMemo(() => layOut(execution), [execution]);
  const width = useMemo(() => nodeWidth(execution), [execution]);
  const drawn = useMemo(() => drawnEdges(execution, layout, width), [execution, layout, width]);
  const [relations, setRelations] = useState<ReadonlySet<Shown>>(new Set<Shown>(['po', 'rf', 'co', 'fr']));
  const [pointed, point] = useState<number | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const scale = execution.events.length <= 24 ? 1.3 : 1; // at most: the drawing is never wider than its panel
  const [seen, see] = useState({ top: 0, bottom: 2000 });
  // From pixels of the panel to those of the drawing.
  const ratio = () => layout.width / Math.max(1, drawing.current?.clientWidth ?? layout.width);
  const follow = () => {
    const element = scroller.current;
    if (!element) return;
    see({ top: element.scrollTop * ratio() - 400, bottom: (element.scrollTop + element.clientHeight) * ratio() + 400 });
  };
  useEffect(follow, [execution]);

  const eventOfStep = useMemo(() => {
    const map = new Map<number, number>();
    execution.events.forEach((event, index) => {
      map.set(event.step, index);
      if (event.visible !== null) map.set(event.visible, index);
    });
    return map;
  }, [execution]);
  const done = view.stop?.end ?? 0;
  const current = view.stop ? eventOfStep.get(view.stop.step) : undefined;
  const hovered = pointed ?? (view.hovered === null ? undefined : eventOfStep.get(view.hovered));
  const near = useMemo(() => {
    if (hovered === undefined) return null;
    const set = new Set([hovered]);
    for (const { edge, kind } of drawn)
      if (relations.has(kind) && (edge.from === hovered || edge.to === hovered)) set.add(edge.from).add(edge.to);
    return set;
  }, [hovered, drawn, relations]);
  const inCycle = useMemo(() => new Set(execution.cycle.flatMap((edge) => [edge.from, edge.to])), [execution]);

  useEffect(() => {
    const element = scroller.current;
    const place = current === undefined ? undefined : layout.at[current];
    if (!element || !place) return;
    const x = place.x / ratio();
    if (x < element.scrollLeft + 60 || x > element.scrollLeft + element.clientWidth - 60)
      element.scrollTo({ left: x - element.clientWidth / 2 });
    const y = place.y / ratio();
    if (y < element.scrollTop + 40 || y > element.scrollTop + element.clientHeight - 40)
      element.scrollTo({ top: y - element.clientHeight / 2 });
  }, [current, layout]);

  const toggle = (kind: Shown) => {
    const next = new Set(relations);
    if (!next.delete(kind)) next.add(kind);
    setRelations(next);
  };
  // Of large graphs, only what can be seen is in the document.
  const [nodes, edges] = useMemo(() => {
    const visible = ({ y }: Point) => execution.events.length < 150 || (y > seen.top && y < seen.bottom);
    const shown = (item: Drawn) => relations.has(item.kind) || item.cycle >= 0;
    return [
      [...execution.events.keys()].filter((event) => visible(layout.at[event]!)),
      drawn.filter((item) => shown(item) && (visible(layout.at[item.edge.from]!) || visible(layout.at[item.edge.to]!))),
    ];
  }, [execution, layout, drawn, relations, seen.top, seen.bottom]);
  const edgeClass = ({ edge, kind, cycle }: Drawn): string => {
    const touches = near !== null && (edge.from === hovered || edge.to === hovered);
    const dim = why ? cycle < 0 : near !== null && !touches;
    return [
      'edge',
      kind,
      cycle >= 0 ? 'in-cycle' : '',
      dim ? 'dim' : '',
      why && chosen === cycle && cycle >= 0 ? 'chosen' : '',
      touches ? 'touches' : '',
    ].join(' ');
  };
  const nodeClass = (index: number): string => {
    const event = execution.events[index]!;
    const state = event.step >= done ? 'future' : event.visible === null || event.visible >= done ? 'waiting' : 'done';
    const dim = why ? !inCycle.has(index) : near !== null && !near.has(index);
    return ['node', state, index === current ? 'current' : '', dim ? 'dim' : '', inCycle.has(index) ? 'in-cycle' : ''].join(' ');
  };
  const counts = useMemo(() => {
    const map = new Map<Shown, number>();
    for (const { kind } of drawn) map.set(kind, (map.get(kind) ?? 0) + 1);
    return map;
  }, [drawn]);

  return (
    <section class="panel graph" aria-label="Execution graph">
      <header>
        <h2>Graph</h2>
        <div class="chips" role="group" aria-label="Relations">
          {(['po', 'rf', 'co', 'fr', 'ghb'] as Shown[]).map((kind) =>
            counts.has(kind) ? (
              <button
                class={`chip relation ${kind}`}
                aria-pressed={relations.has(kind)}
                title={MEANING[kind]}
                onClick={() => toggle(kind)}
              >
                {kind}
              </button>
            ) : null,
          )}
        </div>
        {execution.cycle.length > 0 ? (
          <button class="why-switch" role="switch" aria-checked={why} onClick={() => showWhy(!why)}>
            Why does SC forbid this?
          </button>
        ) : (
          <span class="quiet">{execution.events.length > 0 ? 'no cycle: SC allows it, too' : 'no access to shared memory'}</span>
        )}
      </header>
      <div class="scroll canvas" ref={scroller} onScroll={follow} tabIndex={0} role="region" aria-label="Drawing">
        <svg
          ref={drawing}
          width={layout.width * scale}
          style={{ minWidth: `${layout.width * 0.8}px` }}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          role="group"
          aria-label="Accesses and relations"
        >
          <defs>
            {['po', 'rf', 'co', 'fr', 'ghb', 'cycle'].map((kind) => (
              <marker id={`head-${kind}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">
                <path d="M0 0.6L7.4 4L0 7.4z" class={`head ${kind}`} />
              </marker>
            ))}
          </defs>
          {layout.columns.map((column) => (
            <g style={{ '--colour': threadColour(column.thread) }}>
              <line class="lane" x1={column.x} x2={column.x} y1={34} y2={layout.height - 8} />
              <text class="lane-name" x={column.x} y={20} text-anchor="middle">
                {page.threads[column.thread]}
              </text>
            </g>
          ))}
          {edges.map((item) => (
            <g class={edgeClass(item)} data-edge={`${item.edge.from}-${item.kind}-${item.edge.to}`}>
              <path d={item.arrow.path} marker-end={`url(#head-${item.cycle >= 0 ? 'cycle' : item.kind})`}>
                <title>{MEANING[item.kind]}</title>
              </path>
              {(drawn.length <= MANY || item.cycle >= 0) && (
                <text x={item.arrow.label.x} y={item.arrow.label.y + 4} text-anchor="middle">
                  {item.kind}
                </text>
              )}
            </g>
          ))}
          {nodes.map((index) => {
            const event = execution.events[index]!;
            const step = execution.steps[event.step]!;
            const enter = () => {
              point(index);
              view.hover(event.step);
            };
            const leave = () => {
              point(null);
              view.hover(null);
            };
            return (
              <g
                class={nodeClass(index)}
                style={{ '--colour': threadColour(step.thread) }}
                transform={`translate(${layout.at[index]!.x} ${layout.at[index]!.y})`}
                tabIndex={0}
                role="button"
                aria-label={`${eventText(page, execution, index)}, step ${step.n}`}
                data-event={index}
                onClick={() => view.goTo(event.step)}
                onKeyDown={(e) => {
                  if (e.key === 'Enter') view.goTo(event.step);
                }}
                onMouseEnter={enter}
                onMouseLeave={leave}
                onFocus={enter}
                onBlur={leave}
              >
                <rect x={-width / 2} y={-NODE_HEIGHT / 2} width={width} height={NODE_HEIGHT} rx="7" />
                <text y="4.5" text-anchor="middle">
                  {event.label.replace('->', '→')}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </section>
  );
}
