import { permissionModules } from '@zhugong/contract/access/codes'
import { menuTabs } from '@zhugong/contract/access/menus'
import type * as work from '@zhugong/contract/access/role-work'
import { type FunctionNode, type FunctionTree, riskCodes } from '@zhugong/contract/access/role-work'
import type { Permission } from '@zhugong/contract/kit/permissions'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { openCodes } from './open-codes.ts'

/** Contains functions whose pages are in no menu. */
const elsewhere = { id: 'other', title: '其他功能' }

/** Changes made by this platform to delivered functions, by code. */
export async function functionStates(db: Db | Tx): Promise<ReadonlyMap<string, Row<'functionState'>>> {
  const rows = await db.selectFrom('functionState').selectAll().execute()
  return new Map(rows.map((row) => [row.code, row]))
}

/** Risk class: 1 ordinary, 2 important, 3 personal data. */
export function riskOf(permission: Pick<Permission, 'code' | 'sensitive'>): string {
  if (/\.(unmask|health|track|photo|sensitive|location|account)$/.test(permission.code)) return riskCodes.personal
  return permission.sensitive ? riskCodes.important : riskCodes.ordinary
}

export const roleFunctions: HandlerOf<typeof work.roleFunctions> = async ({ query }, ctx) => {
  // Only the platform may request the tree of another kind of group.
  const requested = ctx.group.type === groupTypes.platform ? query.groupsType : undefined
  return treeFor(ctx, requested ?? ctx.group.type)
}
export const groupFunctions: HandlerOf<typeof work.groupFunctions> = (_, ctx) => treeFor(ctx, ctx.group.type)

async function treeFor(ctx: Context, groupsType: number): Promise<FunctionTree> {
  const states = await functionStates(ctx.db)
  const isOwnKind = groupsType === ctx.group.type
  const open = isOwnKind ? await openCodes(ctx.system, ctx.group.id, ctx.user.id, formatDay(ctx.clock.now())) : 'every'
  const ours = new Set(permissionModules.flatMap((m) => m.permissions.flatMap((p) => (p.types.includes(ctx.group.type) ? [p.code] : []))))
  const functions = permissionModules.flatMap((m) =>
    m.permissions
      .filter((p) => p.types.includes(groupsType))
      .map((p): FunctionNode => {
        const state = states.get(p.code)
        return {
          code: p.code,
          name: state?.title ?? p.name,
          remark: state?.remark ?? '',
          risk: state?.risk ?? riskOf(p),
          // In a template for another kind of group, the platform may grant permissions that it cannot hold itself.
          held: ctx.codes.has(p.code) || (!isOwnKind && !ours.has(p.code)),
          open: open === 'every' || open.has(p.code),
          enable: state?.enable ?? '1',
        }
      }),
  )
  return {
    apps: appsOf(
      functions.map((one) => one.code),
      groupsType,
    ),
    functions,
  }
}

/** The delivered menus with their functions: the permission that opens the page, and those of its buttons. */
function appsOf(codes: readonly string[], groupsType: number): FunctionTree['apps'] {
  const byModule = Map.groupBy(codes, (code) => code.split('.')[0] ?? '')
  const possible = new Set(codes)
  const placed = new Set<string>()
  const apps = menuTabs.flatMap((tab) => {
    const pages = tab.entries.flatMap((entry) => ('pages' in entry ? entry.pages : [entry]))
    const menus = pages.flatMap((page) => {
      if (!possible.has(page.code) || (page.types && !page.types.includes(groupsType))) return []
      const own = [...new Set([page.code, ...(page.buttons ?? []).flatMap((module) => byModule.get(module) ?? [])])]
      for (const code of own) placed.add(code)
      return [{ path: page.path, title: page.title, codes: own }]
    })
    return menus.length ? [{ id: tab.name, title: tab.title, menus }] : []
  })
  const rest = permissionModules.flatMap((m) => {
    const left = m.permissions.flatMap((p) => (possible.has(p.code) && !placed.has(p.code) ? [p.code] : []))
    return left.length ? [{ path: `module:${m.module}`, title: m.name, codes: left }] : []
  })
  return rest.length ? [...apps, { ...elsewhere, menus: rest }] : apps
}
