// What the tests of the explorer page share: running weir, and a real Chromium without a network.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const required = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run these tests with ctest`);
  return value;
};

export const WEIR = required('WEIR');
export const SOURCE = required('WEIR_SOURCE');
export const FOLDER = required('WEIR_WEB'); // where scripts/web.sh has built the page
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const fromPackages = createRequire(join(FOLDER, 'package.json'));
const { chromium } = fromPackages('playwright-core');
export const { PNG } = fromPackages('pngjs');

export const PAGES = join(FOLDER, 'pages', basename(process.argv[1], '.mjs')); // tests may run at the same time
mkdirSync(PAGES, { recursive: true });

const SEARCHING = ['check', 'robust', 'fence', 'explore', 'explain'];

// Runs weir in the source folder; exit codes of answers are fine, others are not. With one job, so that the same
// engine answers, and finds the same execution, however busy the machine is.
export function weir(...given) {
  const args = SEARCHING.includes(given[0]) ? [...given, '--jobs', '1'] : given;
  try {
    return execFileSync(WEIR, args, { cwd: SOURCE, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error.status === 10 || error.status === 5) return error.stdout;
    throw new Error(`weir ${args.join(' ')}: exit code ${error.status}\n${error.stderr}`);
  }
}

// The page of a command, written once per run.
const written = new Map();
export function pageOf(name, ...args) {
  const path = join(PAGES, `${name}.html`);
  if (!written.has(name)) {
    weir(...args, '-q', '--html', path);
    written.set(name, path);
  }
  return path;
}

export function dataOf(path) {
  const html = readFileSync(path, 'utf8');
  const data = JSON.parse(/id="weir-data">(.*?)<\/script>/s.exec(html)[1]);
  for (const execution of data.executions)
    for (const list of ['edges', 'globalOrder', 'cycle'])
      execution[list] = execution[list].map(([from, to, relation]) => ({ from, to, relation }));
  return data;
}

let browser;
export async function launch() {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}`);
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
           '--disable-background-networking', '--disable-component-update', '--font-render-hinting=none'],
  });
}
export const close = () => browser.close();

// As on a machine so busy that it paints a tenth of a second late: what a key or a click brings must be in the document
// before that, or the next one meets the page of the last.
function paintLate() {
  const late = 100;
  const frame = requestAnimationFrame;
  const timer = setTimeout;
  window.requestAnimationFrame = (callback) => timer(() => frame(callback), late);
  window.setTimeout = (callback, wait = 0) => timer(callback, wait + late);
}

// A page with everything that went wrong in it: errors, messages on the console, requests that leave the file.
export async function open(path, { busy = true, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
    offline: true,
    ...options,
  });
  const page = await context.newPage();
  if (busy) await page.addInitScript(paintLate);
  const problems = [];
  page.on('console', (message) => problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('.app');
  return { page, problems, done: () => context.close() };
}

export async function press(page, key, times = 1) {
  for (let i = 0; i < times; ++i) await page.keyboard.press(key);
}

// What the page shows of the machine.
export const machineOf = (page) =>
  page.evaluate(() => {
    const buffers = {};
    for (const thread of document.querySelectorAll('[data-thread]'))
      buffers[thread.dataset.thread] = [...thread.querySelectorAll('.queue .entry:not(.leaving)')]
        .map((entry) => `${entry.querySelector('span').textContent}=${entry.querySelector('b').textContent}`)
        .reverse();
    const memory = {};
    for (const cell of document.querySelectorAll('[data-cell]'))
      memory[cell.dataset.cell] = cell.querySelector('b').textContent;
    return { buffers, memory, step: document.querySelector('.count').firstChild.textContent };
  });
