// usage: node complete-lock.mjs package-lock.json  - adds entries for optional platform packages that the configured npm registry does not
// provide
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.argv[2]
const lock = JSON.parse(readFileSync(file, 'utf8'))
const packages = lock.packages
const resolves = (from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (!at || !at.includes('/node_modules/')) return Boolean(packages[`node_modules/${name}`])
  }
}
let added = 0
for (const [path, entry] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (resolves(path, name)) continue
    const words = name.replace('cli-', '').split(/[-/]/)
    const os = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'openharmony'].find((o) => words.includes(o))
    const cpu = ['arm64', 'x64', 'arm', 'ppc64', 'riscv64', 's390x', 'ia32', 'loong64'].find((c) => words.includes(c))
    if (!os || !cpu || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) {
      console.log('left alone:', path, name, version)
      continue
    }
    packages[`node_modules/${name}`] = { version, cpu: [cpu], optional: true, os: [os], ...(entry.dev ? { dev: true } : {}) }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log('added', added)
