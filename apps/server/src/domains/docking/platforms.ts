import { mayRun, type Progress, progressMoves } from '@zhugong/contract/docking/codes'
import type * as connections from '@zhugong/contract/docking/connections'
import { dockingPlatform } from '@zhugong/contract/docking/connections'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaPath } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { AfterCommit, type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row, type Tx } from '#kit/db'
import type { Outgoing } from '#kit/outgoing'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { everythingOf, keptAbove } from './sources.ts'
import { askThere, type Line } from './upper-client.ts'

type Platform = Row<'dockingPlatform'>
type Seen = Platform & { projects: { code: string; name: string }[]; waiting: number; failed: number }
type Looker = Pick<Context, 'db' | 'group'>

const instantOf = (at: Date | null) => at && formatInstant(at)

/** Visible connections with their visible projects, and counts of waiting and failed records. */
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

/** Whether the caller's group owns the connection; other groups see its state but not its access settings. */
const keeps = ({ group }: Pick<Looker, 'group'>, { groupId }: Pick<Platform, 'groupId'>) =>
  group.type === groupTypes.platform || group.id === groupId

const toPlatform = (ctx: Looker, row: Seen): connections.DockingPlatform => {
  const own = keeps(ctx, row)
  return rowOf(dockingPlatform, row, {
    areaName: areaPath(row.areaCode) ?? row.areaCode,
    endpoint: own ? row.endpoint : null,
    appKey: own ? row.appKey : null,
    hasSecret: row.secret !== null,
    steps: own ? row.steps : [],
    downSince: instantOf(row.downSince),
    downReason: own ? row.downReason : null,
    probeAt: instantOf(row.probeAt),
    lastAnswer: instantOf(row.lastAnswer),
    own,
    updateTime: formatInstant(row.updateTime ?? row.createTime),
  })
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

/** New projects send all their data. Removed projects send nothing more, and their waiting records are deleted. */
async function enrolProjects(ctx: Context, platformId: string, wanted: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('dockingEnrol as e')
    .innerJoin('project as p', 'p.projectCode', 'e.projectCode')
    .select('e.projectCode')
    .where('e.platformId', '=', platformId)
    .execute()
  const existing = new Set(rows.map((row) => row.projectCode))
  const added = wanted.filter((code) => !existing.has(code))
  const left = [...existing].filter((code) => !wanted.includes(code))
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

/** Queues all data of a project. Changes made while a connection is stopped are not recorded for it, so they are queued when it starts. */
async function tellAll(ctx: Context, platformId: string, projectCode: string): Promise<void> {
  for (const statement of everythingOf(projectCode)) await statement.execute(ctx.db)
  await keptAbove(platformId, projectCode).execute(ctx.db)
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
  // A changed address requires the secret again, so that a stored secret cannot be sent to an address of the caller's choice.
  if (fields.endpoint !== row.endpoint && !secret)
    throw new AppError('invalidInput', '接口地址已改动，请重新填写接入密钥', { field: 'secret' })
  // With another address or secret, the connection counts as up until it is tried.
  const isOtherLine = fields.endpoint !== row.endpoint || secret !== undefined
  const next = await nameOnce(() =>
    changeRow(ctx, 'dockingPlatform', {
      key: { id },
      version,
      noun: '平台',
      by: ctx.user.id,
      values: {
        ...fields,
        secret: secret ? ctx.secrets.seal(secret) : undefined,
        probeAt: isOtherLine && row.downSince ? new Date(ctx.clock.now()) : undefined,
      },
    }),
  )
  await enrolProjects(ctx, id, projects)
  if (fields.status === '01' && row.status !== '01') for (const project of projects) await tellAll(ctx, id, project)
  ctx.note(`修改对接平台 ${body.name}${secret ? '，更换密钥' : ''}`, id)
  return { id, version: next }
}

export const pausePlatform: HandlerOf<typeof connections.pausePlatform> = async ({ params, body }, ctx) => {
  const row = await getKept(ctx, params.id)
  requireVersion(row, body.version)
  const resumed = body.paused ? {} : row.downSince ? { probeAt: new Date(ctx.clock.now()) } : {}
  const version = await changeRow(ctx, 'dockingPlatform', {
    key: { id: row.id },
    version: row.version,
    by: ctx.user.id,
    noun: '平台',
    values: { paused: body.paused, ...resumed },
  })
  ctx.note(`${body.paused ? '暂停' : '恢复'}上传到 ${row.name}`, row.id)
  return { version }
}

export const lineTo = (ctx: Pick<Context, 'secrets'>, row: Platform): Line => ({
  ...pick(row, 'profile', 'endpoint', 'appKey'),
  secret: ctx.secrets.open(row.secret) ?? '',
})

export const testPlatform =
  (outgoing: Outgoing): HandlerOf<typeof connections.testPlatform> =>
  async ({ params }, ctx) => {
    const row = await getKept(ctx, params.id)
    ctx.note(`测试对接连接 ${row.name}`, row.id)
    return new AfterCommit(async () => {
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
  const version = await changeRow(ctx, 'dockingPlatform', {
    key: { id: row.id },
    version: row.version,
    by: ctx.user.id,
    noun: '平台',
    values: { progress: move.to, steps: JSON.stringify([step, ...row.steps]) },
  })
  ctx.note(`${row.name}：${move.name}`, row.id)
  return { progress: move.to, version }
}

/** A visible connection, whichever group owns it. */
export async function getSeen(db: Tx, id: string): Promise<Platform> {
  return found(await db.selectFrom('dockingPlatform').selectAll().where('id', '=', id).executeTakeFirst(), '对接平台')
}
export const keepsPlatform = keeps
