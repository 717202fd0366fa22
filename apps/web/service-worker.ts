import { build, type Plugin } from 'vite'

/** Builds the service worker beside the product: one classic script at the root, whose scope is every page. */
export function serviceWorker(root: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async closeBundle() {
      await build({
        root,
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
        build: {
          target: 'es2023',
          emptyOutDir: false,
          lib: { entry: `${root}/src/sw.ts`, formats: ['iife'], name: 'sw', fileName: () => 'sw.js' },
        },
      })
    },
  }
}
