// The execution graph: accesses as boxes, a column per thread, relations as arrows. The cycle that sequential
// consistency forbids stands out; on request it is told in words, and everything else steps back.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Edge, Execution, Relation } from './data';
import { arrows, fitted, layOut, nodeWidth, NODE_HEIGHT, type Arrow, type Layout, type Point } from './layout';
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
const SEVERAL = 24; // events; beyond that the arrows of program order are not

interface Relationship {
  edge: Edge;
  kind: Shown;
  cycle: number; // its place in the cycle; -1 if it has none
  straight: boolean; // to the next access of the thread
}

interface Drawn extends Relationship {
  arrow: Arrow;
}

const sameEdge = (a: Edge, b: Edge) => a.from === b.from && a.to === b.to && a.relation === b.relation;

// The cycle may jump along program order, so some of its edges are none of the neighbours'.
function relationshipsOf(execution: Execution): Relationship[] {
  const list: Relationship[] = execution.edges.map((edge) => ({
    edge,
    kind: edge.relation,
    cycle: execution.cycle.findIndex((other) => sameEdge(other, edge)),
    straight: edge.relation === 'po',
  }));
  execution.cycle.forEach((edge, cycle) => {
    if (!execution.edges.some((other) => sameEdge(other, edge))) list.push({ edge, kind: edge.relation, cycle, straight: false });
  });
  for (const edge of execution.globalOrder) list.push({ edge, kind: 'ghb', cycle: -1, straight: false });
  return list;
}

function draw(list: Relationship[], layout: Layout, width: number): Drawn[] {
  const links = list.map(({ edge, straight }) => ({ from: edge.from, to: edge.to, straight }));
  const drawn = arrows(layout, width, links);
  return list.map((item, index) => ({ ...item, arrow: drawn[index]! }));
}

// Events are in the order of their steps.
function latestBefore(execution: Execution, step: number): number {
  let low = 0;
  let high = execution.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (execution.events[middle]!.step < step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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
  large: boolean; // source and machine have made room
  enlarge(on: boolean): void;
}

export function GraphPanel({ view, why, showWhy, chosen, large, enlarge }: GraphProps) {
  const { execution, page } = view;
  const layout = useMemo(() => layOut(execution), [execution]);
  const width = useMemo(() => nodeWidth(execution), [execution]);
  const related = useMemo(() => relationshipsOf(execution), [execution]);
  const [relations, setRelations] = useState<ReadonlySet<Shown>>(new Set<Shown>(['po', 'rf', 'co', 'fr']));
  const drawn = useMemo(
    () => draw(related.filter(({ kind, cycle }) => relations.has(kind) || cycle >= 0), layout, width),
    [related, relations, layout, width],
  );
  const [pointed, point] = useState<number | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const several = execution.events.length > SEVERAL;
  const scale = several ? 1 : 1.3; // at most: the drawing is never wider than its panel
  const [seen, see] = useState({ top: 0, bottom: 2000 });
  // From pixels of the panel to those of the drawing.
  const ratio = () => layout.width / Math.max(1, drawing.current?.clientWidth ?? layout.width);
  const follow = () => {
    const element = scroller.current;
    if (!element) return;
    see({ top: element.scrollTop * ratio() - 400, bottom: (element.scrollTop + element.clientHeight) * ratio() + 400 });
  };
  useLayoutEffect(follow, [execution]);

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
  // What the drawing follows: the step's access, or the latest one before it.
  const latest = current ?? latestBefore(execution, done);
  const hovered = pointed ?? (view.hovered === null ? undefined : eventOfStep.get(view.hovered));
  const near = useMemo(() => {
    if (hovered === undefined) return null;
    const set = new Set([hovered]);
    for (const { edge } of drawn)
      if (edge.from === hovered || edge.to === hovered) set.add(edge.from).add(edge.to);
    return set;
  }, [hovered, drawn]);
  const inCycle = useMemo(() => new Set(execution.cycle.flatMap((edge) => [edge.from, edge.to])), [execution]);

  useLayoutEffect(() => {
    const element = scroller.current;
    const place = latest < 0 ? undefined : layout.at[latest];
    if (!element || !place) return;
    const x = place.x / ratio();
    if (x < element.scrollLeft + 60 || x > element.scrollLeft + element.clientWidth - 60)
      element.scrollTo({ left: x - element.clientWidth / 2 });
    const y = place.y / ratio();
    if (y < element.scrollTop + 40 || y > element.scrollTop + element.clientHeight - 40)
      element.scrollTo({ top: y - element.clientHeight / 2 });
  }, [latest, layout, large]);
  useLayoutEffect(follow, [large]);

  const toggle = (kind: Shown) => {
    const next = new Set(relations);
    if (!next.delete(kind)) next.add(kind);
    setRelations(next);
  };
  // Of large graphs, only what can be seen is in the document.
  const [nodes, edges] = useMemo(() => {
    const visible = ({ y }: Point) => execution.events.length < 150 || (y > seen.top && y < seen.bottom);
    return [
      [...execution.events.keys()].filter((event) => visible(layout.at[event]!)),
      drawn.filter(({ edge }) => visible(layout.at[edge.from]!) || visible(layout.at[edge.to]!)),
    ];
  }, [execution, layout, drawn, seen.top, seen.bottom]);
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
    for (const { kind } of related) map.set(kind, (map.get(kind) ?? 0) + 1);
    return map;
  }, [related]);

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
          <span class="quiet">{execution.violation?.kind === 'memory' ? 'no cycle before the failure' : 'no cycle: SC allows it, too'}</span>
        )}
        <button class="enlarge" aria-pressed={large} onClick={() => enlarge(!large)} aria-label="Large graph (G)" title="Large graph (G)">
          <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" class="icon stroke">
            <path d={large ? 'M8 3v5H3M12 17v-5h5M3 3l5 5M17 17l-5-5' : 'M3 8V3h5M17 12v5h-5M3 3l5.5 5.5M17 17l-5.5-5.5'} />
          </svg>
        </button>
      </header>
      <div class="scroll canvas" ref={scroller} onScroll={follow} tabIndex={0} role="region" aria-label="Drawing">
        <svg
          ref={drawing}
          width={layout.width * scale}
          style={{ minWidth: `${layout.width * 0.75}px` }}
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
              {(item.cycle >= 0 || (drawn.length <= MANY && !(several && item.straight))) && (
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
                <title>{event.label}</title>
                <text y="4.5" text-anchor="middle">
                  {fitted(event.label.replace('->', '→'), width)}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </section>
  );
}
