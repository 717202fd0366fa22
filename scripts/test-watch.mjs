// npm run test:watch -- DOMAIN: runs the unit and integration tests of one domain (contract, server, web), and repeats them on every save.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages, main, root, runNode } from './bootstrap.mjs'

const sources = ['packages/contract/src', 'apps/server/src/domains', 'apps/web/src/domains']

await main(async () => {
  await ensurePackages()
  const [domain, ...rest] = process.argv.slice(2)
  if (!domain || !sources.some((folder) => existsSync(join(root, folder, domain)))) {
    console.error('用法：npm run test:watch -- 模块名，例如 npm run test:watch -- labour')
    return 1
  }
  return runNode(['node_modules/vitest/vitest.mjs', 'watch', ...sources.map((folder) => `${folder}/${domain}/`), ...rest])
})
