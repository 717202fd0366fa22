import { AppError } from '@zhugong/contract/kit/errors'
import { areaBelow, areaName, areaRoots, isAreaCode, isAreaStopped, parentArea } from '@zhugong/contract/settings/dictionaries'
import * as contract from '@zhugong/contract/settings/own-areas'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { areaPrefix } from '../access/public.ts'
import { changesOf } from './changes-of.ts'
import { loadOwnWords } from './own-words.ts'

/** Administrative divisions added or disabled by a deployment or an authority. */
export function ownAreaRoutes(serve: Serve) {
  serve(contract.listOwnAreas, listOwnAreas)
  serve(contract.changeOwnArea, changeOwnArea)
}

type AreaContext = Pick<Context, 'group'>
const objectId = 'areas'

/** The root division of the caller's area; undefined for the whole country. */
const rootOf = ({ group }: AreaContext): string | undefined => (group.type === groupTypes.platform ? undefined : (group.areaCode ?? 'none'))
/** An authority may change the divisions below its own, not its own. */
function isBelow(ctx: AreaContext, code: string): boolean {
  const root = rootOf(ctx)
  return root === undefined || (code !== root && code.startsWith(areaPrefix(root)))
}
function requireReach(ctx: AreaContext, code: string, field: string): void {
  const root = rootOf(ctx)
  if (code !== root && !isBelow(ctx, code)) throw new AppError('notFound', '区划不在您的管辖范围内', { field })
}

const listOwnAreas: HandlerOf<typeof contract.listOwnAreas> = async ({ query }, ctx) => {
  const parent = query.parent || rootOf(ctx)
  if (parent !== undefined) requireReach(ctx, parent, 'parent')
  const nodes = parent === undefined ? areaRoots : areaBelow(parent)
  const added = await sql<{ code: string; groupId: string; groupName: string }>`
    select a.code, a.group_id, t.name as group_name from area_own a join tenant t on t.id = a.group_id where a.name is not null`.execute(
    ctx.system,
  )
  const by = new Map(added.rows.map((row) => [row.code, row.groupName]))
  const owners = await ctx.system.selectFrom('areaOwn').select(['code', 'groupId']).execute()
  const ownerOf = new Map(owners.map(({ code, groupId }) => [code, groupId]))
  const { rows } = await sql<{ code: string; n: number }>`
    select area_code as code, count(*)::int as n from project group by area_code`.execute(ctx.db)
  const projectsIn = (code: string) => rows.reduce((sum, row) => sum + (row.code.startsWith(areaPrefix(code)) ? row.n : 0), 0)
  return {
    parent: parent === undefined ? null : { code: parent, name: areaName(parent) ?? parent },
    path: pathTo(ctx, parent),
    mayAdd: parent?.endsWith('00') === true,
    list: nodes.map((node) => ({
      code: node.code,
      name: areaName(node.code) ?? node.name,
      off: isAreaStopped(node.code),
      addedBy: by.get(node.code) ?? null,
      mine: mayTurn(ctx, node.code, ownerOf.get(node.code)),
      hasChildren: !!node.children?.length || node.code.endsWith('00'),
      projects: projectsIn(node.code),
    })),
    history: await changesOf(ctx, objectId),
  }
}
/** Divisions that another group disabled or added can be changed only by that group or the platform. */
const mayTurn = (ctx: AreaContext, code: string, owner: string | undefined): boolean =>
  isBelow(ctx, code) && (ctx.group.type === groupTypes.platform || owner === undefined || owner === ctx.group.id)

function pathTo(ctx: AreaContext, code: string | undefined): { code: string; name: string }[] {
  const path: { code: string; name: string }[] = []
  for (let at = code; at !== undefined && (at === rootOf(ctx) || isBelow(ctx, at)); at = parentArea(at)) {
    path.unshift({ code: at, name: areaName(at) ?? at })
    if (at === rootOf(ctx)) break
  }
  return path
}

type Change = NonNullable<(typeof contract.changeOwnArea)['types']>['parsed']['body']

const changeOwnArea: HandlerOf<typeof contract.changeOwnArea> = async ({ body }, ctx) => {
  if (body.action === 'add') await add(ctx, body)
  else await turn(ctx, body)
  ctx.afterCommit(() => loadOwnWords(ctx.system))
  return undefined
}

async function add(ctx: Context, { parent, code, name }: Extract<Change, { action: 'add' }>): Promise<void> {
  requireReach(ctx, parent, 'parent')
  const at = (message: string, field = 'code') => new AppError('invalidInput', message, { field })
  if (!parent.endsWith('00')) throw at('县级区划之下不能再设区划', 'parent')
  if (parentArea(code) !== parent || code === parent)
    throw at(`${areaName(parent)}下的区划代码应以 ${areaPrefix(parent)} 开头${parent.endsWith('0000') ? '并以 00 结尾' : ''}`)
  if (isAreaCode(code)) throw at(`代码 ${code} 已是“${areaName(code)}”`)
  if (areaBelow(parent).some((node) => areaName(node.code) === name)) throw at(`${areaName(parent)}下已有“${name}”`, 'name')
  await ctx.db
    .insertInto('areaOwn')
    .values({ code, groupId: ctx.group.id, name, off: false, ...stamp(ctx) })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? at(`代码 ${code} 已被使用`) : error
    })
  ctx.note(`增加行政区划 ${name}（${code}）`, objectId)
}
const stamp = (ctx: Pick<Context, 'clock' | 'user'>) => ({ updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name })

/** Disables or enables a division; existing records keep it. */
async function turn(ctx: Context, body: Exclude<Change, { action: 'add' }>): Promise<void> {
  const { code } = body
  if (!isBelow(ctx, code)) throw new AppError('notFound', '区划不在您的管辖范围内', { field: 'code' })
  const row = await ctx.system.selectFrom('areaOwn').selectAll().where('code', '=', code).executeTakeFirst()
  if (!mayTurn(ctx, code, row?.groupId)) throw new AppError('refused', '该区划由其他机构增加或停用，请由其办理', { field: 'code' })
  const off = body.action === 'stop'
  if (off === (row?.off ?? false)) throw new AppError('refused', off ? '该区划已停用' : '该区划没有停用')
  const mine = ctx.db.updateTable('areaOwn').set({ off, ...stamp(ctx) })
  if (!row)
    await ctx.db
      .insertInto('areaOwn')
      .values({ code, groupId: ctx.group.id, name: null, off: true, ...stamp(ctx) })
      .execute()
  else if (row.name === null && !off) await ctx.db.deleteFrom('areaOwn').where('code', '=', code).execute()
  else await mine.where('code', '=', code).execute()
  ctx.note(
    body.action === 'stop' ? `停用行政区划 ${areaName(code)}（${code}）：${body.reason}` : `启用行政区划 ${areaName(code)}（${code}）`,
    objectId,
  )
}
