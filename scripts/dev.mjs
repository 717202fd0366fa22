import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages, ensureWebBuilt, main, ownNode, root, runNode } from './bootstrap.mjs'

/**
 * Runs the demonstration and reloads everything on save: Vite reloads the web application, and the supervisor restarts the roles of the
 * server on the same data folder.
 */
const watched = ['apps/server/src', 'packages/contract/src']
const settleMs = 120
const port = process.env.PORT ?? '8080'
const webPort = process.env.WEB_PORT ?? '5173'

await main(async () => {
  await ensurePackages()
  // The server delivers the built pages at its own port. Development uses the pages of Vite, so an outdated build is good enough.
  if (!existsSync(join(root, 'apps/web/dist/index.html'))) await ensureWebBuilt()
  const vite = spawn(
    ownNode(),
    [join(root, 'node_modules/vite/bin/vite.js'), '--port', webPort, '--strictPort', '--clearScreen', 'false'],
    {
      cwd: join(root, 'apps/web'),
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PORT: port },
    },
  )
  process.once('exit', () => vite.kill())
  return runNode(['apps/server/src/main.ts', 'demo', ...process.argv.slice(2)], (server) => {
    console.log(`改动后：网页 http://127.0.0.1:${webPort} 立即更新，服务端自动重启（迁移文件的改动须重新运行 npm run dev）`)
    let timer
    const saved = (_event, file) => {
      if (!file || !/\.(ts|json)$/.test(file) || /\.(test|fixtures)\.ts$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        console.log(`${file} 已改动，正在重启服务端`)
        if (server.connected) server.send('restart')
      }, settleMs)
    }
    for (const folder of watched) watch(join(root, folder), { recursive: true }, saved)
  })
})
