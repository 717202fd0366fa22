import { inject } from 'vitest'
import type { Api } from './browser.ts'

/**
 * Query to append to the path of a page that shows one record (or, for a path with `:id`, the id). Found by a call of the account that
 * opens the page, so that the account may see the record.
 */
export type Samples = Readonly<Record<string, Sample>>
type Sample = (api: Api) => Promise<string | undefined>

interface Listed {
  list: Record<string, unknown>[]
}

/** `?id=` of the first row of a list. */
export const first =
  (path: string, field = 'id', as = field): Sample =>
  async (api) => {
    const { list } = await api.get<Listed>(path)
    const value = list[0]?.[field]
    return typeof value === 'string' ? `?${as}=${encodeURIComponent(value)}` : undefined
  }

/** For pages that without a record say where to find one. */
export const firstIfAny =
  (path: string): Sample =>
  async (api) =>
    (await first(path)(api)) ?? ''

interface Head {
  head: { code: string } | null
  recent: { code: string }[]
}

/** Project, company or government whose settings are opened: the account's own, otherwise one it may choose. */
export const settingsOf =
  (kind: 'project' | 'enterprise' | 'government', as: string): Sample =>
  async (api) => {
    const { head, recent } = await api.get<Head>(`/api/v1/oa/settings/head?kind=${kind}`)
    if (head) return ''
    // Not a recent project: another test may be creating it, and facts may be missing.
    const codes =
      kind === 'project'
        ? inject('demo').accounts.flatMap(({ projectCode }) => projectCode ?? [])
        : recent.map(({ code }) => code).reverse()
    for (const code of codes) {
      const chosen = await api.get<Head>(`/api/v1/oa/settings/head?kind=${kind}&${as}=${code}`).catch(() => undefined)
      if (chosen?.head) return `?${as}=${encodeURIComponent(code)}`
    }
    return undefined
  }
