import { inject } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { apiAs } from './browser.ts'
import { needNoSample, samples, showsOneRecord } from './page-samples.ts'

/** Which pages there are, who may open each, and at which address: generated from the registry, so that new pages join by standing there. */
export const demo = inject('demo')
// Named at run time, so that the web's sources are checked by its own project alone.
const registry = new URL('../apps/web/src/app/routes.ts', import.meta.url).href
export const { allPages } = (await import(registry)) as { allPages: readonly PageEntry[] }

/** One of each kind: what they see and may differs by kind, hardly within one. */
export const accounts = { project: 'hospital-pm', company: 'yunze-lu', district: 'bj-zhao', city: 'city-fang', platform: 'admin' } as const
export type Kind = keyof typeof accounts
export const kinds = Object.keys(accounts) as Kind[]

interface MenuNode {
  path?: string
  relevance: string[]
  code?: string
  operator: string[]
  children: MenuNode[]
}
const codesIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((one) => [...(one.code ? [one.code] : []), ...one.operator, ...codesIn(one.children)])

const apis = Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await apiAs(demo, accounts[kind])] as const))) as Record<
  Kind,
  Awaited<ReturnType<typeof apiAs>>
>
const pathsIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((one) => [...(one.path ? [one.path] : []), ...one.relevance, ...pathsIn(one.children)])
/** What each kind may open: the codes of the person and of the menu, as the page itself asks; and what its menu offers. */
const rights = new Map(
  await Promise.all(
    kinds.map(async (kind) => {
      const info = await apis[kind].get<{ operator: string[] }>('/api/v1/sys/my/info')
      const menu = (await apis[kind].post('/api/v1/sys/ui/tree/init', {})).data as MenuNode[]
      return [kind, { codes: new Set([...info.operator, ...codesIn(menu)]), paths: new Set(pathsIn(menu)) }] as const
    }),
  ),
)
/** Whether a page stands in the menu of such accounts. */
export const offered = (kind: Kind, path: string) => rights.get(kind)?.paths.has(path) ?? false
export const mayEnter = (kind: Kind, { code, path }: PageEntry): boolean => {
  // Some pages belong to kinds of groups that the code does not tell of: whoever is not offered them has no business there.
  if (!offered(kind, path) && kinds.some((other) => offered(other, path))) return false
  return code === undefined || (typeof code === 'string' ? [code] : code).some((one) => rights.get(kind)?.codes.has(one))
}

export const inside = allPages.filter((page) => page.auth !== 'public' && page.path !== '/')
/** District and city are authorities both and see pages of the same build: what both may enter they open by turns. */
const authorities: readonly Kind[] = ['district', 'city']
export const visitors = new Map(
  inside.map((page, i) => {
    const able = kinds.filter((kind) => mayEnter(kind, page))
    const rests = authorities.every((kind) => able.includes(kind)) ? authorities[i % 2] : undefined
    return [page.name, able.filter((kind) => kind !== rests)] as const
  }),
)

/** Who looks at a page thoroughly: once is enough, by turns as everybody. */
const judges = new Map(inside.map(({ name }, i) => [name, visitors.get(name)?.at(i % (visitors.get(name)?.length ?? 1))] as const))
export const judge = (page: PageEntry) => judges.get(page.name)

export async function addressOf(kind: Kind, page: PageEntry): Promise<string> {
  const sample = await samples[page.path]?.(apis[kind])
  if (sample === undefined) {
    if (samples[page.path])
      throw new Error(`the call for ${page.path} in e2e/page-samples.ts answers ${accounts[kind]} no record: name another list`)
    if (showsOneRecord(page.path) && !(page.path in needNoSample))
      throw new Error(
        `${page.path} shows one record: say in e2e/page-samples.ts which call names one (or in needNoSample why it needs none)`,
      )
    return page.path
  }
  return page.path.includes(':') ? page.path.replace(/:\w+/, sample) : page.path + sample
}
