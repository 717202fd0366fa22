import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { line } from './measure.ts'

/** Kilobytes after gzip that a browser loads, against the budgets: login 230, shell 280, shell and first list 430, one page 15. */
const budgets = { login: 230, shell: 280, list: 430, page: 15 }

export function benchSizes(dist: string): void {
  const assets = join(dist, 'assets')
  if (!existsSync(assets)) {
    console.log('sizes: the web is not built')
    return
  }
  const files = new Map(readdirSync(assets).map((name) => [name, readFileSync(join(assets, name))]))
  const imports = (name: string) =>
    [...(files.get(name)?.toString('utf8') ?? '').matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)].map((m) => m[1] ?? '')
  const css = (name: string) => [...(files.get(name)?.toString('utf8') ?? '').matchAll(/assets\/([\w.-]+\.css)/g)].map((m) => m[1] ?? '')
  const closure = (roots: string[]): Set<string> => {
    const seen = new Set<string>()
    const visit = (name: string) => {
      if (seen.has(name) || !files.has(name)) return
      seen.add(name)
      for (const next of imports(name)) visit(next)
    }
    for (const root of roots) visit(root)
    return seen
  }
  const kb = (names: Iterable<string>) => [...names].reduce((n, name) => n + gzipSync(files.get(name) ?? '').length, 0) / 1024
  const named = (stem: string) => {
    const found = [...files.keys()].filter((name) => new RegExp(`^${stem}-[\\w-]{8}\\.js$`).test(name))
    if (found.length !== 1) throw new Error(`${stem}: ${found.length} files of that name in ${assets}`)
    return found[0] ?? ''
  }
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const entry = [...html.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map((m) => m[1] ?? '')
  const withStyles = (roots: string[]) =>
    new Set([
      ...closure(roots),
      ...entry.filter((n) => n.endsWith('.css')),
      ...roots
        .flatMap((r) => [r.replace(/-[\w-]{8}\.js$/, '')])
        .flatMap((stem) => [...files.keys()].filter((f) => f.startsWith(`${stem}-`) && f.endsWith('.css'))),
      ...roots.flatMap(css).filter((n) => files.has(n) && entry.includes(n)),
    ])
  const login = kb(withStyles([...entry, named('login-page')]))
  // The shell and the first page are in one file, see apps/web/chunks.ts.
  const shell = kb(withStyles([...entry, named('frame')]))
  const list = kb(withStyles([...entry, named('frame'), named('stay-list-page')]))
  const pages = [...files.keys()]
    .filter((n) => /-page-[\w-]{8}\.js$/.test(n))
    .map((n) => [n, gzipSync(files.get(n) ?? '').length / 1024] as const)
    .sort((a, b) => b[1] - a[1])
  const show = (name: string, value: number, budget: number) =>
    line(`gz ${name}`, `${value.toFixed(0)} KB`, `budget ${budget} KB`, (value / budget).toFixed(2))
  show('login', login, budgets.login)
  show('shell and home', shell, budgets.shell)
  show('shell, home and first list', list, budgets.list)
  show(`largest page (${pages[0]?.[0].replace(/-[\w-]{8}\.js$/, '')})`, pages[0]?.[1] ?? 0, budgets.page)
}
