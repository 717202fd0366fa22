import { mayRun, type Progress, progressMoves } from '@zhugong/contract/docking/codes'
import type * as connections from '@zhugong/contract/docking/connections'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaPath } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { Afterwards, type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row, type Tx } from '#kit/db'
import type { Outgoing } from '#kit/outgoing'
import type { HandlerOf } from '#kit/serve'
import { everythingOf, heldAbove } from './sources.ts'
import { askThere, type Line } from './upper-client.ts'

type Platform = Row<'dockingPlatform'>
type Seen = Platform & { projects: { code: string; name: string }[]; waiting: number; failed: number }
type Looker = Pick<Context, 'db' | 'group'>

const instantOf = (at: Date | null) => at && formatInstant(at)

/** Connections in sight with the projects in sight, and how many rows of theirs wait and failed. */
export async function findPlatforms(ctx: Pick<Looker, 'db'>): Promise<Seen[]> {
  const { rows } = await sql<Seen>`
    select pl.*, coalesce(e.list, '[]') as projects, coalesce(r.waiting, 0)::int as waiting, coalesce(r.failed, 0)::int as failed
    from docking_platform pl
      left join lateral (select json_agg(json_build_object('code', p.project_code, 'name', p.name) order by p.name) as list
        from docking_enrol e join project p using (project_code) where e.platform_id = pl.id) e on true
      left join lateral (select count(*) filter (where not r.failed) as waiting, count(*) filter (where r.failed) as failed
        from docking_record r where r.platform_id = pl.id and r.upload_status not in ('1', '3')) r on true
    order by pl.create_time, pl.id`.execute(ctx.db)
  return rows
}

/** Whether the caller's group keeps the connection: others learn its state and not how it is reached. */
const keeps = ({ group }: Pick<Looker, 'group'>, { groupId }: Pick<Platform, 'groupId'>) =>
  group.type === groupTypes.platform || group.id === groupId

const toPlatform = (ctx: Looker, row: Seen): connections.DockingPlatform => {
  const own = keeps(ctx, row)
  return {
    id: row.id,
    name: row.name,
    level: row.level,
    areaCode: row.areaCode,
    areaName: areaPath(row.areaCode) ?? row.areaCode,
    profile: row.profile,
    profileChecked: row.profileChecked,
    endpoint: own ? row.endpoint : null,
    appKey: own ? row.appKey : null,
    hasSecret: row.secret !== null,
    objects: row.objects,
    projects: row.projects,
    progress: row.progress,
    steps: own ? row.steps : [],
    status: row.status,
    paused: row.paused,
    downSince: instantOf(row.downSince),
    downReason: own ? row.downReason : null,
    probeAt: instantOf(row.probeAt),
    lastAnswer: instantOf(row.lastAnswer),
    waiting: row.waiting,
    failed: row.failed,
    own,
    updateTime: formatInstant(row.updateTime ?? row.createTime),
    version: row.version,
  }
}

export const listPlatforms: HandlerOf<typeof connections.listPlatforms> = async (_, ctx) => ({
  list: (await findPlatforms(ctx)).map((row) => toPlatform(ctx, row)),
})

export async function getKept(ctx: Looker, id: string): Promise<Platform> {
  const row = found(await ctx.db.selectFrom('dockingPlatform').selectAll().where('id', '=', id).executeTakeFirst(), '对接平台')
  if (!keeps(ctx, row)) throw new AppError('forbidden', '该连接由上级机构维护，您只能查看')
  return row
}

export function requireVersion(row: { version: number }, version: number): void {
  if (row.version !== version) throw new AppError('refused', '内容已被他人修改，请刷新后再改')
}

async function nameOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '名称已存在', { field: 'name' })
    throw error
  }
}

/** Projects that are new hand up all they have; those that left hand up nothing any more, what waits of theirs goes. */
async function enrolProjects(ctx: Context, platformId: string, wanted: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('dockingEnrol as e')
    .innerJoin('project as p', 'p.projectCode', 'e.projectCode')
    .select('e.projectCode')
    .where('e.platformId', '=', platformId)
    .execute()
  const held = new Set(rows.map((row) => row.projectCode))
  const added = wanted.filter((code) => !held.has(code))
  const left = [...held].filter((code) => !wanted.includes(code))
  const { length: seen } = await ctx.db
    .selectFrom('project')
    .select('projectCode')
    .where('projectCode', 'in', added.length > 0 ? added : [''])
    .execute()
  if (seen < added.length) throw new AppError('notFound', '有项目不存在或不在您的管辖范围内', { field: 'projects' })
  if (left.length > 0) {
    await ctx.db.deleteFrom('dockingEnrol').where('platformId', '=', platformId).where('projectCode', 'in', left).execute()
    await ctx.db
      .deleteFrom('dockingRecord')
      .where('platformId', '=', platformId)
      .where('projectCode', 'in', left)
      .where('uploadStatus', 'in', ['0', '-1'])
      .where('payload', 'is', null)
      .execute()
  }
  for (const projectCode of added) {
    await ctx.db
      .insertInto('dockingEnrol')
      .values({ platformId, projectCode, since: new Date(ctx.clock.now()), createBy: ctx.user.id })
      .execute()
    await tellAll(ctx, platformId, projectCode)
  }
}

/** All that a project has to hand up. What is told while a connection is stopped goes nowhere on it: it is told anew when that runs. */
async function tellAll(ctx: Context, platformId: string, projectCode: string): Promise<void> {
  for (const statement of everythingOf(projectCode)) await statement.execute(ctx.db)
  await heldAbove(platformId, projectCode).execute(ctx.db)
}

export const createPlatform: HandlerOf<typeof connections.createPlatform> = async ({ body }, ctx) => {
  const { projects, secret, ...fields } = body
  if (!secret) throw new AppError('invalidInput', '请填写接入密钥', { field: 'secret' })
  const id = ctx.newId()
  await nameOnce(() =>
    ctx.db
      .insertInto('dockingPlatform')
      .values({
        ...fields,
        id,
        groupId: ctx.group.id,
        secret: ctx.secrets.seal(secret),
        createBy: ctx.user.id,
        createTime: new Date(ctx.clock.now()),
      })
      .execute(),
  )
  await enrolProjects(ctx, id, projects)
  ctx.note(`新增对接平台 ${body.name}`, id)
  return { id }
}

export const changePlatform: HandlerOf<typeof connections.changePlatform> = async ({ body }, ctx) => {
  const { id, version, projects, secret, ...fields } = body
  const row = await getKept(ctx, id)
  requireVersion(row, version)
  if (fields.status === '01' && !mayRun(row.progress)) throw new AppError('refused', '测试尚未开始，不能启用', { field: 'status' })
  // What is written and never read back does not go to whoever writes another address.
  if (fields.endpoint !== row.endpoint && !secret)
    throw new AppError('invalidInput', '接口地址已改动，请重新填写接入密钥', { field: 'secret' })
  // Another address or secret is another chance: the line is not down any more until it is tried.
  const isOtherLine = fields.endpoint !== row.endpoint || secret !== undefined
  await nameOnce(() =>
    ctx.db
      .updateTable('dockingPlatform')
      .set({
        ...fields,
        secret: secret ? ctx.secrets.seal(secret) : undefined,
        probeAt: isOtherLine && row.downSince ? new Date(ctx.clock.now()) : undefined,
        updateBy: ctx.user.id,
        updateTime: new Date(ctx.clock.now()),
        version: version + 1,
      })
      .where('id', '=', id)
      .execute(),
  )
  await enrolProjects(ctx, id, projects)
  if (fields.status === '01' && row.status !== '01') for (const project of projects) await tellAll(ctx, id, project)
  ctx.note(`修改对接平台 ${body.name}${secret ? '，更换密钥' : ''}`, id)
  return { id, version: version + 1 }
}

export const pausePlatform: HandlerOf<typeof connections.pausePlatform> = async ({ params, body }, ctx) => {
  const row = await getKept(ctx, params.id)
  requireVersion(row, body.version)
  const resumed = body.paused ? {} : row.downSince ? { probeAt: new Date(ctx.clock.now()) } : {}
  await ctx.db
    .updateTable('dockingPlatform')
    .set({ paused: body.paused, ...resumed, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute()
  ctx.note(`${body.paused ? '暂停' : '恢复'}上传到 ${row.name}`, row.id)
  return { version: row.version + 1 }
}

export const lineTo = (ctx: Pick<Context, 'secrets'>, row: Platform): Line => ({
  profile: row.profile,
  endpoint: row.endpoint,
  appKey: row.appKey,
  secret: ctx.secrets.open(row.secret) ?? '',
})

export const testPlatform =
  (outgoing: Outgoing): HandlerOf<typeof connections.testPlatform> =>
  async ({ params }, ctx) => {
    const row = await getKept(ctx, params.id)
    ctx.note(`测试对接连接 ${row.name}`, row.id)
    return new Afterwards(async () => {
      const begun = performance.now()
      const why = await askThere(outgoing, lineTo(ctx, row), ctx.clock.now())
      return { ok: why === undefined, text: why ?? '对方应答正常，凭证有效', tookMs: Math.round(performance.now() - begun) }
    })
  }

export const movePlatform: HandlerOf<typeof connections.movePlatform> = async ({ params, body }, ctx) => {
  const row = await getKept(ctx, params.id)
  requireVersion(row, body.version)
  const move = progressMoves[body.move]
  if (!(move.from as readonly Progress[]).includes(row.progress as Progress)) throw new AppError('refused', `当前进度不能“${move.name}”`)
  const isRefusal = body.move === 'papersRefused' || body.move === 'testRefused'
  if (isRefusal && !body.note) throw new AppError('invalidInput', '请填写不通过的原因', { field: 'note' })
  const step = { step: move.name, at: formatInstant(ctx.clock.now()), by: ctx.user.name, note: body.note }
  await ctx.db
    .updateTable('dockingPlatform')
    .set({ progress: move.to, steps: JSON.stringify([step, ...row.steps]), version: row.version + 1 })
    .where('id', '=', row.id)
    .execute()
  ctx.note(`${row.name}：${move.name}`, row.id)
  return { progress: move.to, version: row.version + 1 }
}

/** Of a connection in sight, whoever keeps it. */
export async function getSeen(db: Tx, id: string): Promise<Platform> {
  return found(await db.selectFrom('dockingPlatform').selectAll().where('id', '=', id).executeTakeFirst(), '对接平台')
}
export const keepsPlatform = keeps
