import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './chunks.ts'
import { usedStyles, withoutIdleStyles } from './library-styles.ts'
import { pageFiles } from './page-files.ts'
import { serviceWorker } from './service-worker.ts'

const server = `http://127.0.0.1:${process.env.PORT ?? 8080}`

/**
 * antd's table brings a tree for a filter menu of its own, which our tables replace by theirs: 14 KB (gzip) in front of every list.
 * Only that one import is answered with nothing; a tree that a page shows is the real one.
 */
const withoutFilterTree: Plugin = {
  name: 'table-without-filter-tree',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '../../../tree' && /antd\/es\/table\/hooks\/useFilter\/FilterDropdown\.js$/.test(importer ?? '') ? '\0no-filter-tree' : null,
  load: (id) => (id === '\0no-filter-tree' ? 'export default () => null' : null),
}

// antd's parts do nothing by being loaded, but few of them say so: without this a list page brings the whole tree for two functions
// that the table borrows from it.
const treeshake = { moduleSideEffects: [{ test: /node_modules\/@rc-component\//, sideEffects: false }] }

const common = {
  root: import.meta.dirname,
  plugins: [react(), withoutFilterTree],
  css: { postcss: { plugins: [withoutIdleStyles] } },
  define: { __BUILD__: JSON.stringify(new Date().toISOString()) },
}
const output = { target: 'es2023', sourcemap: false, chunkSizeWarningLimit: 900 } as const

export default defineConfig(async ({ command }) => ({
  ...common,
  plugins: [...common.plugins, usedStyles, pageFiles(import.meta.dirname), serviceWorker(import.meta.dirname)],
  server: { proxy: { '/api': server, '/mqtt': { target: server, ws: true } } },
  build: {
    ...output,
    rolldownOptions: {
      treeshake,
      ...(command === 'build' && {
        output: { codeSplitting: await chunks({ ...common, build: { ...output, rolldownOptions: { treeshake } } }) },
      }),
    },
  },
}))
