// Builds the page into one file: scripts and styles go into the HTML, and nothing else is left to load.
import { defineConfig, type Plugin } from 'vite';

function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (!page || page.type !== 'asset') throw new Error('there is no page to put everything into');
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        const text = part.type === 'chunk' ? part.code : String(part.source);
        const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        const reference = new RegExp(`<(script|link)[^>]*"[^"]*${quoted}"[^>]*>(</script>)?`);
        if (!reference.test(html)) throw new Error(`the page does not refer to ${name}`);
        html = html.replace(reference, '');
        const element =
          part.type === 'chunk'
            ? `<script type="module">${text.replace(/<\/script/g, '<\\/script').trim()}</script>\n  </body>`
            : `<style>${text.trim()}</style>\n  </head>`;
        const end = part.type === 'chunk' ? '</body>' : '</head>';
        html = html.replace(end, () => element);
        delete bundle[name];
      }
      page.source = html.replace(/\n\s*\n/g, '\n');
      page.fileName = 'explorer.html';
    },
  };
}

export default defineConfig({
  plugins: [singleFile()],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: 'es2020',
    assetsInlineLimit: 100_000_000,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
});
