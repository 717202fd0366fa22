import { inject } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { apiAs } from './browser.ts'
import { needNoSample, samples, showsOneRecord } from './page-samples.ts'

/** Pages, accounts that may open them, and their addresses, generated from the registry. */
export const demo = inject('demo')
// Imported by a computed path, so that the web sources are type-checked in their own project only.
const registry = new URL('../apps/web/src/app/routes.ts', import.meta.url).href
export const { allPages } = (await import(registry)) as { allPages: readonly PageEntry[] }

/** One account of each kind. */
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
/** Permission codes and menu entries of each kind. */
const rights = new Map(
  await Promise.all(
    kinds.map(async (kind) => {
      const info = await apis[kind].get<{ operator: string[] }>('/api/v1/sys/my/info')
      const menu = (await apis[kind].post('/api/v1/sys/ui/tree/init', {})).data as MenuNode[]
      return [kind, { codes: new Set([...info.operator, ...codesIn(menu)]), paths: new Set(pathsIn(menu)) }] as const
    }),
  ),
)
/** Whether the menu of such accounts has the page. */
export const available = (kind: Kind, path: string) => rights.get(kind)?.paths.has(path) ?? false
export const mayEnter = (kind: Kind, { code, path }: PageEntry): boolean => {
  // Some pages are only for certain kinds of groups, which the permission code does not express; the menu does.
  if (!available(kind, path) && kinds.some((other) => available(other, path))) return false
  return code === undefined || (typeof code === 'string' ? [code] : code).some((one) => rights.get(kind)?.codes.has(one))
}

export const inside = allPages.filter((page) => page.auth !== 'public' && page.path !== '/')
/** Authorities and the platform see whole areas: of those that may enter a page, one opens it, in rotation. */
const overseers: readonly Kind[] = ['district', 'city', 'platform']
export const visitors = new Map(
  inside.map((page, i) => {
    const able = kinds.filter((kind) => mayEnter(kind, page))
    const overseeing = overseers.filter((kind) => able.includes(kind))
    const overseer = overseeing[i % overseeing.length]
    return [page.name, able.filter((kind) => !overseers.includes(kind) || kind === overseer)] as const
  }),
)

/** The account that checks a page in detail: one per page, in rotation. */
const judges = new Map(inside.map(({ name }, i) => [name, visitors.get(name)?.at(i % (visitors.get(name)?.length ?? 1))] as const))
export const judge = (page: PageEntry) => judges.get(page.name)

export async function addressOf(kind: Kind, page: PageEntry): Promise<string> {
  const sample = await samples[page.path]?.(apis[kind])
  if (sample === undefined) {
    if (samples[page.path])
      throw new Error(`the call for ${page.path} in e2e/page-samples/ finds no record for ${accounts[kind]}: name another list`)
    if (showsOneRecord(page.path) && !(page.path in needNoSample))
      throw new Error(`${page.path} shows one record: name a call that finds one in e2e/page-samples/<domain>.ts`)
    return page.path
  }
  return page.path.includes(':') ? page.path.replace(/:\w+/, sample) : page.path + sample
}
