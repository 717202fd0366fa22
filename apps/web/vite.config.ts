import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': server, '/mqtt': { target: server, ws: true } } },
  build: {
    target: 'es2023',
    sourcemap: false,
    // Splitting is left to the bundler: a vendor chunk made by hand made the first load half as big again.
    chunkSizeWarningLimit: 900,
  },
  define: { __BUILD__: JSON.stringify(new Date().toISOString()) },
})
