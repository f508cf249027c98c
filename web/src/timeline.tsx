// All steps from left to right, one lane per thread, with a slider. A bar from a store to its flush is the time that
// it waits in the buffer. The lanes are drawn once; only the slider moves.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { memo } from './memo';
import type { Execution } from './data';
import { cursorAt, type Stop } from './machine';
import { factsOf, threadColour, type View } from './view';

const LANE = 18;
const EDGE = 9; // half the width of the slider's thumb
const LASSO = 20;

interface LanesProps {
  execution: Execution;
  stops: Stop[];
  threads: number[];
  width: number;
}

const Lanes = memo(function Lanes({ execution, stops, threads, width }: LanesProps) {
  const count = Math.max(stops.length, 1);
  const x = (cursor: number) => EDGE + ((width - 2 * EDGE) * cursor) / count;
  const size = Math.max(1.5, Math.min(5, ((width - 2 * EDGE) / count) * 0.36));
  const repeats = execution.loop !== undefined && execution.loop < execution.steps.length;
  const top = repeats ? LASSO : 0;
  const y = new Map(threads.map((thread, index) => [thread, top + LANE * (index + 0.5)]));
  const height = top + LANE * threads.length;
  const flushOf = new Map<number, number>();
  stops.forEach((stop, index) => {
    const store = execution.steps[stop.step]!.store;
    if (store !== undefined) flushOf.set(store, index + 1);
  });
  const loop = repeats ? cursorAt(stops, execution.loop! - 1) : null;
  return (
    <svg class="lanes" width={width} height={height} aria-hidden="true">
      {loop !== null && <rect class="loop-area" x={x(loop)} y={top} width={Math.max(2, x(count) - x(loop))} height={height - top} />}
      {threads.map((thread) => (
        <line class="lane" x1={x(0)} x2={x(count)} y1={y.get(thread)} y2={y.get(thread)} />
      ))}
      {stops.map((stop, index) => {
        const step = execution.steps[stop.step]!;
        if (!step.buffered) return null;
        const end = flushOf.get(stop.step) ?? stops.length + 0.5;
        return (
          <rect
            class="waits"
            style={{ '--colour': threadColour(step.thread) }}
            x={x(index + 1)}
            y={y.get(step.thread)! - 2}
            width={Math.max(1, Math.min(x(end), width) - x(index + 1))}
            height={4}
          />
        );
      })}
      {stops.map((stop, index) => {
        const step = execution.steps[stop.step]!;
        const place = { cx: x(index + 1), cy: y.get(step.thread)! };
        const colour = { '--colour': threadColour(step.thread) };
        return step.action === 'flush' ? (
          <circle class="dot flush" style={colour} {...place} r={size} />
        ) : (
          <circle class={`dot${step.buffered ? ' store' : ''}`} style={colour} {...place} r={size} />
        );
      })}
      {loop !== null && (
        <g class="lasso">
          <path
            d={`M${x(count)} ${top - 2}C${x(count)} ${top - LASSO} ${x(loop)} ${top - LASSO} ${x(loop)} ${top - 3}`}
            marker-end="url(#lasso-head)"
          />
          <defs>
            <marker id="lasso-head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" orient="auto">
              <path d="M0 0.6L7.4 4L0 7.4z" />
            </marker>
          </defs>
        </g>
      )}
    </svg>
  );
});

interface TimelineProps {
  view: View;
  playing: boolean;
  setPlaying(on: boolean): void;
  round: number; // of the loop
  forward(): void;
}

export function Timeline({ view, playing, setPlaying, round, forward }: TimelineProps) {
  const { execution, stops, cursor, page } = view;
  const { threads } = factsOf(execution);
  const track = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const measure = () => track.current && setWidth(track.current.clientWidth);
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(track.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!playing) return;
    const timer = setInterval(forward, 900);
    return () => clearInterval(timer);
  }, [playing, forward]);
  const looping = execution.loop !== undefined && execution.loop < execution.steps.length;
  const atEnd = cursor === stops.length;
  const step = view.step;
  const text = step ? `${page.threads[step.thread]}: ${step.text}` : 'before the first step';
  return (
    <footer class="timeline" aria-label="Timeline">
      <div class="now" aria-live="polite">
        <span class="count">
          {step ? `step ${step.n}` : 'start'}
          <span class="quiet"> of {execution.steps[execution.steps.length - 1]?.n ?? 0}</span>
        </span>
        {step && (
          <span class="tag" style={{ '--colour': threadColour(step.thread) }}>
            {page.threads[step.thread]}
          </span>
        )}
        <span class="what">
          {step ? step.text : 'before the first step'}
          {view.stop?.arrival && <em> at {view.stop.arrival}</em>}
        </span>
        {atEnd && execution.violation && !looping && (
          <span class="verdict-note">
            {execution.loop === undefined ? execution.violation.message : 'nothing more can happen, for ever'}
          </span>
        )}
        {looping && view.stop && view.stop.step >= execution.loop! && (
          <span class="verdict-note">round {round} of the loop, which never ends</span>
        )}
      </div>
      <div class="transport">
        <div class="buttons">
          <button onClick={() => view.moveTo(0)} disabled={cursor === 0} aria-label="To the start (Home)" title="To the start (Home)">
            <Icon path="M5 4v12M16 4l-8 6 8 6z" />
          </button>
          <button onClick={() => view.moveTo(cursor - 1)} disabled={cursor === 0} aria-label="Step back (left arrow)" title="Step back (←)">
            <Icon path="M14 4l-8 6 8 6z" />
          </button>
          <button class="play" onClick={() => setPlaying(!playing)} aria-label={playing ? 'Pause (space)' : 'Play (space)'} title="Play or pause (space)">
            <Icon path={playing ? 'M6 4h3v12H6zM11 4h3v12h-3z' : 'M6 3l11 7-11 7z'} />
          </button>
          <button onClick={forward} disabled={atEnd && !looping} aria-label="Step (right arrow)" title="Step (→)">
            <Icon path="M6 4l8 6-8 6z" />
          </button>
          <button onClick={() => view.moveTo(stops.length)} disabled={atEnd} aria-label="To the end (End)" title="To the end (End)">
            <Icon path="M15 4v12M4 4l8 6-8 6z" />
          </button>
          {looping && (
            <button class="loop" onClick={() => view.goTo(execution.loop! - 1)} aria-label="To the start of the loop" title="To the start of the loop">
              <Icon path="M4 10a6 6 0 1 0 2-4.5M4 3v4h4" stroke />
            </button>
          )}
        </div>
        <div class="track" ref={track}>
          <Lanes execution={execution} stops={stops} threads={threads} width={width} />
          <input
            type="range"
            min={0}
            max={stops.length}
            value={cursor}
            onInput={(e) => view.moveTo(Number(e.currentTarget.value))}
            aria-label="Step"
            aria-valuetext={text}
          />
        </div>
      </div>
    </footer>
  );
}

function Icon({ path, stroke }: { path: string; stroke?: boolean }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" class={stroke ? 'icon stroke' : 'icon'}>
      <path d={path} />
    </svg>
  );
}
