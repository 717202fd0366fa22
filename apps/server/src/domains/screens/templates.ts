import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/screens/endpoints'
import { templateRow } from '@zhugong/contract/screens/endpoints'
import { layoutFaults, type ScreenBody, screenLevelNames, templateStates } from '@zhugong/contract/screens/model'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, requireCode } from '#kit/context'
import { isUniqueViolation, type Row, type RowUpdate } from '#kit/db'
import { allOf, anyOf, condition, contains, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { levelOf, whoseWall } from './groups.ts'
import { choicesOf } from './in-force.ts'

type Template = Row<'screenTemplate'>
type Listed = Template & { usedCount: number }

const owner = (ctx: Context): string | null => (ctx.group.type === groupTypes.platform ? null : ctx.group.id)

const toRow = (ctx: Context, t: Listed): contract.TemplateRow =>
  rowOf(templateRow, t, {
    pages: t.body.pages.length,
    own: t.groupId === owner(ctx) && !t.delivered,
    updateBy: t.updateBy ?? t.createBy,
    updateTime: formatInstant(t.updateTime ?? t.createTime),
  })

const listed = sql`select t.*, (select count(*)::int from screen_assignment a where a.template_id = t.id) as used_count from screen_template t`

export const listTemplates: HandlerOf<typeof contract.listTemplates> = async ({ query }, ctx) => {
  const { projectCode, corpCode, govCode } = query
  const forOther = projectCode || corpCode || govCode
  const tenant = forOther ? await whoseWall(ctx, { projectCode, corpCode, govCode }) : undefined
  const choices = tenant && (await choicesOf(ctx.system, tenant)).map((one) => one.id)
  const where = allOf(
    ...contains('t.name', query.name),
    // Compared as text, because the address may contain any value.
    ...(query.level?.length ? [condition(sql`t.level::text = any (${query.level})`)] : []),
    ...anyOf('t.state', query.state),
    ...(choices ? [condition(sql`t.id = any (${choices})`)] : []),
    // Visible templates of lower groups may be unusable for the caller, so lists contain only usable ones.
  )
  const by = orderBy(query.sort, { updateTime: sql`coalesce(t.update_time, t.create_time)`, name: 't.name' }, '-updateTime', 't.id')
  const { limit, offset } = pageSlice(query)
  // The choices of a lower group are the same for every caller.
  const db = tenant ? ctx.system : ctx.db
  const { rows } = await sql<Listed>`${listed} where ${where} order by ${by} limit ${limit} offset ${offset}`.execute(db)
  const total = await sql<{ n: number }>`select count(*)::int as n from screen_template t where ${where}`.execute(db)
  return { list: rows.map((t) => toRow(ctx, t)), total: total.rows[0]?.n ?? 0 }
}

async function seen(ctx: Context, id: string): Promise<Listed> {
  const { rows } = await sql<Listed>`${listed} where t.id = ${id}`.execute(ctx.db)
  return found(rows[0], '大屏模板')
}

export const getTemplate: HandlerOf<typeof contract.getTemplate> = ({ params }, ctx) => detailOf(ctx, params.id)

async function detailOf(ctx: Context, id: string) {
  const t = await seen(ctx, id)
  const own = t.groupId === owner(ctx)
  const versions = await ctx.db
    .selectFrom('screenVersion')
    .selectAll()
    .where('templateId', '=', t.id)
    .orderBy('version', 'desc')
    .limit(50)
    .execute()
  // A draft is visible to its owner only; others see the published version.
  const published = versions.find((one) => one.version === t.publishedVersion)
  const assigned = own
    ? await sql<{ groupId: string; name: string; inherit: boolean }>`
        select a.group_id, g.name, a.inherit from screen_assignment a join tenant g on g.id = a.group_id
        where a.template_id = ${t.id} order by g.name, a.group_id`.execute(ctx.system)
    : { rows: [] }
  return {
    ...toRow(ctx, t),
    sourceId: t.sourceId,
    body: own ? t.body : (published?.body ?? t.body),
    versions: versions.map((one) => ({
      version: one.version,
      note: one.note,
      time: formatInstant(one.publishTime),
      byName: one.publishBy,
    })),
    assignments: assigned.rows,
  }
}

const nameTaken = () => new AppError('refused', '同级已有同名模板', { field: 'name' })

async function insert(ctx: Context, given: { name: string; level: number; description: string; body: ScreenBody; sourceId?: string }) {
  const id = ctx.newId()
  await ctx.db
    .insertInto('screenTemplate')
    .values({
      id,
      groupId: owner(ctx),
      ...pick(given, 'level', 'name', 'description'),
      body: JSON.stringify(given.body),
      sourceId: given.sourceId ?? null,
      createTime: new Date(ctx.clock.now()),
      createBy: ctx.user.name,
      updateTime: null,
      updateBy: null,
      publishedVersion: null,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? nameTaken() : error
    })
  return { id }
}

/** A group may create screens for its own level and those below. */
function requireLevel(ctx: Context, level: number): void {
  const upmost = levelOf({ type: ctx.group.type })
  if (level < upmost) throw new AppError('refused', `不能制作${screenLevelNames[level]}大屏`, { field: 'level' })
}

export const createTemplate: HandlerOf<typeof contract.createTemplate> = async ({ body }, ctx) => {
  requireLevel(ctx, body.level)
  ctx.note(`新增大屏模板 ${body.name}`)
  return insert(ctx, body)
}

const longestName = 40
export const copyTemplate: HandlerOf<typeof contract.copyTemplate> = async ({ params }, ctx) => {
  const source = await detailOf(ctx, params.id)
  requireLevel(ctx, source.level)
  const base = `${source.name} 副本`.slice(0, longestName - 3)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from screen_template
    where group_id is not distinct from ${owner(ctx)} and level = ${source.level} and name like ${`${base.replace(/[\\%_]/g, '\\$&')}%`}`.execute(
    ctx.db,
  )
  const others = rows[0]?.n ?? 0
  ctx.note(`复制大屏模板 ${source.name}`)
  const { level, description, body } = source
  return insert(ctx, { name: others ? `${base} ${others + 1}` : base, level, description, body, sourceId: source.id })
}

async function own(ctx: Context, id: string): Promise<Listed> {
  const t = await seen(ctx, id)
  if (t.delivered) throw new AppError('refused', '随产品交付的模板不能修改，请先复制')
  if (t.groupId !== owner(ctx)) throw new AppError('forbidden', '只能修改本机构的模板，请先复制')
  return t
}

type Act = Parameters<HandlerOf<typeof contract.updateTemplate>>[0]['body']
type ActOf<A extends Act['action']> = Extract<Act, { action: A }>
const codeOf = {
  save: 'screens.edit',
  publish: 'screens.publish',
  rollback: 'screens.publish',
  disable: 'screens.publish',
  assign: 'screens.assign',
} as const

export const updateTemplate: HandlerOf<typeof contract.updateTemplate> = async ({ params, body }, ctx) => {
  requireCode(ctx, codeOf[body.action])
  const t = await own(ctx, params.id)
  if (t.version !== body.version) throw await conflictOf(ctx, 'screenTemplate', { id: t.id }, '模板')
  const values = await acted(ctx, t, body)
  const version = await changeRow(ctx, 'screenTemplate', {
    key: { id: t.id },
    version: t.version,
    noun: '模板',
    by: ctx.user.name,
    values,
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTaken() : error
  })
  return { version, publishedVersion: values.publishedVersion === undefined ? t.publishedVersion : values.publishedVersion }
}

async function acted(ctx: Context, t: Listed, body: Act): Promise<RowUpdate<'screenTemplate'>> {
  switch (body.action) {
    case 'save':
      ctx.note(`保存大屏模板 ${body.name}`, t.id)
      checked(t.level, body.body)
      return { name: body.name, description: body.description, body: JSON.stringify(body.body) }
    case 'publish':
      return publish(ctx, t, body)
    case 'rollback':
      return rollBack(ctx, t, body)
    case 'assign':
      return assign(ctx, t, body)
    case 'disable': {
      await requireUnused(ctx, [t], '停用')
      ctx.note(`停用大屏模板 ${t.name}`, t.id)
      return { state: '2' as const }
    }
  }
}

function checked(level: number, body: ScreenBody): void {
  const faults = layoutFaults(level, body).map(({ path, message }) => ({ field: ['body', ...path].join('.'), message }))
  if (faults[0]) throw new AppError('invalidInput', faults[0].message, { field: faults[0].field, fields: faults })
}

async function publish(ctx: Context, t: Listed, { note }: ActOf<'publish'>) {
  checked(t.level, t.body)
  const latest = await ctx.db
    .selectFrom('screenVersion')
    .select((eb) => eb.fn.max('version').as('version'))
    .where('templateId', '=', t.id)
    .executeTakeFirst()
  const version = (latest?.version ?? 0) + 1
  await ctx.db
    .insertInto('screenVersion')
    .values({
      templateId: t.id,
      version,
      body: JSON.stringify(t.body),
      note,
      publishTime: new Date(ctx.clock.now()),
      publishBy: ctx.user.name,
    })
    .execute()
  ctx.note(`发布大屏模板 ${t.name} 第 ${version} 版`, t.id)
  return { state: '1' as const, publishedVersion: version }
}

async function rollBack(ctx: Context, t: Listed, { to }: ActOf<'rollback'>) {
  const row = await ctx.db
    .selectFrom('screenVersion')
    .select('body')
    .where('templateId', '=', t.id)
    .where('version', '=', to)
    .executeTakeFirst()
  if (!row) throw new AppError('notFound', `没有第 ${to} 版`, { field: 'to' })
  ctx.note(`大屏模板 ${t.name} 退回第 ${to} 版`, t.id)
  return { state: '1' as const, publishedVersion: to, body: JSON.stringify(row.body) }
}

/** Replaces all assignments. Throws with the names of groups the caller has no access to. */
async function assign(ctx: Context, t: Listed, { assignments }: ActOf<'assign'>) {
  if (t.state !== '1') throw new AppError('refused', `模板${templateStates[t.state]}，发布后才能分配`)
  const groups = new Map<string, boolean>()
  for (const { groupId, inherit } of assignments) {
    const tenant = await whoseWall(ctx, { groupId })
    if (!inherit && levelOf(tenant) !== t.level)
      throw new AppError('refused', `${tenant.name}不用${screenLevelNames[t.level]}大屏`, { field: 'assignments' })
    groups.set(groupId, inherit)
  }
  await ctx.db.deleteFrom('screenAssignment').where('templateId', '=', t.id).execute()
  const stamp = { updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name }
  for (const [groupId, inherit] of groups)
    await ctx.db
      .insertInto('screenAssignment')
      .values({ templateId: t.id, groupId, inherit, ...stamp })
      .execute()
  ctx.note(`分配大屏模板 ${t.name} 给 ${groups.size} 个机构`, t.id)
  return {}
}

/** Refuses to remove a template in use; the error names the groups. */
async function requireUnused(ctx: Context, templates: readonly Template[], verb: string): Promise<void> {
  const { rows } = await sql<{ template: string; name: string }>`
    select distinct t.name as template, g.name from screen_template t
      join lateral (
        select a.group_id from screen_assignment a where a.template_id = t.id
        union select s.group_id from screen_setting s where s.value ->> 'templateId' = t.id
        union select k.group_id from screen_token k where k.template_id = t.id and k.revoked_at is null and k.expires_at > ${new Date(ctx.clock.now())}) u on true
      join tenant g on g.id = u.group_id
    where t.id = any (${templates.map((t) => t.id)}) order by 1, 2 limit 5`.execute(ctx.system)
  if (rows[0]) throw new AppError('refused', `“${rows[0].template}”正在使用，不能${verb}：${rows.map((one) => one.name).join('、')}`)
}

async function remove(ctx: Context, ids: readonly string[]): Promise<undefined> {
  const templates = []
  for (const id of new Set(ids)) templates.push(await own(ctx, id))
  await requireUnused(ctx, templates, '删除')
  await ctx.db
    .deleteFrom('screenTemplate')
    .where(
      'id',
      'in',
      templates.map((t) => t.id),
    )
    .execute()
  ctx.note(`删除大屏模板 ${templates.map((t) => t.name).join('、')}`)
  return undefined
}
export const removeTemplate: HandlerOf<typeof contract.removeTemplate> = ({ params }, ctx) => remove(ctx, [params.id])
export const removeTemplates: HandlerOf<typeof contract.removeTemplates> = ({ body }, ctx) => remove(ctx, body.ids)
