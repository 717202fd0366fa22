import { randomBytes } from 'node:crypto'
import * as calls from '@zhugong/contract/equipment/open-apps'
import { AppError } from '@zhugong/contract/kit/errors'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { knownFamilies } from './factories.ts'

interface Row {
  id: string
  name: string
  projectCode: string
  projectName: string
  families: string[]
  remark: string | null
  status: string
  devices: number
  lastData: Date | null
  createTime: Date
  createBy: string | null
  version: number
}

export function openAppRoutes(serve: Serve): void {
  serve(calls.listOpenApps, listOpenApps)
  serve(calls.createOpenApp, createOpenApp)
  serve(calls.updateOpenApp, updateOpenApp)
  serve(calls.renewOpenAppSecret, renewOpenAppSecret)
  serve(calls.switchOpenApp, switchOpenApp)
}

const tables = sql`open_app a join project p on p.project_code = a.project_code
  cross join lateral (select count(d.id)::int as devices, max(l.received_at) as last_data from device d left join device_latest l on l.device_id = d.id
    where d.project_code = a.project_code and d.access ->> 'appId' = a.id) used`
const columns = sql`a.id, a.name, a.project_code, p.name as project_name, a.families, a.remark, a.status, used.devices, used.last_data,
  a.create_time, a.create_by, a.version`
/** Internal applications of dockings cannot be changed here. */
const ownOnes: Condition = condition(sql`not a.is_internal`)
const sorts = { name: 'a.name', projectName: 'p.name', lastData: 'used.last_data', status: 'a.status', createTime: 'a.create_time' }

const listOpenApps: HandlerOf<typeof calls.listOpenApps> = async ({ query }, ctx) => {
  const where = allOf(
    ownOnes,
    ...inProjects('a.project_code', projectsFor(ctx, query.projectCode)),
    ...namedLike(query.name),
    ...contains('p.name', query.projectName),
    ...anyOf('a.status', query.status),
  )
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row>`select ${columns} from ${tables} where ${where}
    order by ${orderBy(query.sort, sorts, '-createTime', 'a.id')} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from ${tables} where ${where}`.execute(ctx.db)
  const list = rows.map((row) => ({
    ...row,
    familyNames: row.families.map((key) => familyOf(key)?.name ?? key),
    lastData: row.lastData ? formatInstant(row.lastData) : null,
    createTime: formatInstant(row.createTime),
  }))
  return { list, total: total.rows[0]?.n ?? 0 }
}

const createOpenApp: HandlerOf<typeof calls.createOpenApp> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const [id, secret] = [randomBytes(8).toString('hex'), newSecret()]
  await refuseTakenName(() =>
    sql`insert into open_app (id, name, project_code, secret, families, remark, create_time, create_by)
      values (${id}, ${body.name}, ${projectCode}, ${ctx.secrets.seal(secret)}, ${knownFamilies(body.families)}, ${body.remark ?? null},
        ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(ctx.db),
  )
  ctx.note(`新增开放应用 ${body.name}`, id)
  return { id, secret }
}

const updateOpenApp: HandlerOf<typeof calls.updateOpenApp> = async ({ params, body }, ctx) => {
  const row = await getOpenApp(ctx, params.id)
  await refuseTakenName(() =>
    changeRow(ctx, 'openApp', {
      key: { id: row.id },
      version: body.version,
      noun: '开放应用',
      by: ctx.user.name,
      values: { name: body.name, families: knownFamilies(body.families), remark: body.remark ?? null },
    }),
  )
  ctx.note(`修改开放应用 ${body.name}`, row.id)
  return undefined
}

const renewOpenAppSecret: HandlerOf<typeof calls.renewOpenAppSecret> = async ({ params }, ctx) => {
  const row = await getOpenApp(ctx, params.id)
  const secret = newSecret()
  await changeRow(ctx, 'openApp', {
    key: { id: row.id },
    version: row.version,
    noun: '开放应用',
    by: ctx.user.name,
    values: { secret: ctx.secrets.seal(secret) ?? undefined },
  })
  ctx.note(`更换开放应用密钥 ${row.name}`, row.id)
  return { id: row.id, secret }
}

const switchOpenApp: HandlerOf<typeof calls.switchOpenApp> = async ({ body }, ctx) => {
  const row = await getOpenApp(ctx, body.id)
  if (row.status !== body.status)
    await changeRow(ctx, 'openApp', {
      key: { id: row.id },
      version: row.version,
      noun: '开放应用',
      by: ctx.user.name,
      values: { status: body.status },
    })
  ctx.note(`${body.status === '1' ? '启用' : '停用'}开放应用 ${row.name}`, row.id)
  return undefined
}

/** Filter by part of the name or of the id. */
const namedLike = (text: string | undefined): Condition[] => {
  const [[byName], [byNumber]] = [contains('a.name', text), contains('a.id', text)]
  return byName && byNumber ? [condition(sql`(${byName} or ${byNumber})`)] : []
}

const newSecret = (): string => randomBytes(16).toString('hex')

async function getOpenApp(ctx: Context, id: string): Promise<Row> {
  const where = allOf(ownOnes, ...equals('a.id', id), ...inProjects('a.project_code', projectsFor(ctx)))
  const { rows } = await sql<Row>`select ${columns} from ${tables} where ${where}`.execute(ctx.db)
  return found(rows[0], '开放应用')
}

async function refuseTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '本项目已有同名的开放应用', { field: 'name' })
    throw error
  }
}
