import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { helmetList, helmetStates, type listHelmets } from '@zhugong/contract/monitoring/helmet/helmets'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { byPages, exportOf, type ListContext } from '../../exports/registry.ts'
import { veilFor } from '../../readings/public.ts'
import { familyOfCategory, findHelmets, lowBattery, toHelmet } from './helmet-store.ts'

type Query = ParsedFor<typeof listHelmets> extends { query: infer Q } ? Q : never

/** Helmets of a scope, with wearers if the caller may see them; shared by page and export. */
export async function helmetPage(ctx: ListContext, query: Query) {
  const rows = await findHelmets(ctx, {
    families: [familyOfCategory(query.category)],
    projects: projectsFor(ctx, query.projectCode),
    ...pick(query, 'deviceId', 'groupId', 'name'),
  })
  const veil = await veilFor(ctx, rows)
  const kept = rows.flatMap((row) => {
    const helmet = toHelmet(veil, row, ctx.clock.now())
    return !query.status?.length || query.status.includes(helmet.status) ? [{ row, helmet }] : []
  })
  const all = kept.map((one) => one.helmet)
  const { limit, offset } = pageSlice(query)
  return {
    list: all.slice(offset, offset + limit),
    total: all.length,
    online: all.filter((h) => h.online).length,
    notWorn: all.filter((h) => h.online && h.wearing === false && !h.racked).length,
    lowBattery: all.filter((h) => (h.batteryPercent ?? 100) < lowBattery).length,
    openAlarms: kept.reduce((n, { row }) => n + row.wearerAlarms, 0),
  }
}

const yesNo = (value: boolean | null, yes: string, no: string) => (value === null ? null : value ? yes : no)

/** Export of helmets: their state, without wearers. */
export function registerHelmetExports(): void {
  exportOf(
    helmetList,
    {
      title: '安全帽',
      widths: { lastTime: 20 },
      ...byPages(helmetPage),
    },
    {
      status: (r) => helmetStates[r.status] ?? r.status,
      wearing: (r) => (r.racked ? '未使用' : yesNo(r.wearing, '佩戴中', '未佩戴')),
      positioned: (r) => yesNo(r.positioned, '已定位', '未定位'),
      lastTime: (r) => (r.lastTime === null ? null : formatInstant(r.lastTime)),
    },
  )
}
