import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/helmet/helmet-care'
import { commandResults } from '@zhugong/contract/telemetry/commands'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { changedMeanwhile } from '#kit/change-row'
import type { Config } from '#kit/config'
import { AfterCommit, type Context, oneProject, projectsFor, requireCode } from '#kit/context'
import { allOf, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { veilFor } from '../../readings/public.ts'
import { askIngest, type CommandAnswer } from '../../telemetry/public.ts'
import { numberOr } from '../shared/family.ts'
import { metersBetween } from '../shared/track.ts'
import { keptSince } from './helmet-places.ts'
import { findHelmets, type HelmetRow } from './helmet-store.ts'

/** Helmets commanded concurrently: each call is open until the helmet answers. */
const atOnce = 20
/** A warning delivered later than this is useless. */
const heardWithinMs = 60_000

export function helmetCareRoutes(serve: Serve, config: Pick<Config, 'ingestSocket'>): void {
  serve(calls.listBroadcasts, listBroadcasts)
  serve(calls.sendBroadcast, sendBroadcast(config))
  serve(calls.getPlaceSetting, ({ query }, ctx) => placeSetting(ctx, oneProject(ctx, query.projectCode)))
  serve(calls.setPlaceSetting, setPlaceSetting)
}

interface Circle {
  lng: number
  lat: number
  radiusMeters: number
}

/** Helmets within a circle by their newest positions, and helmets that may be inside but cannot be reached. */
function within(rows: readonly HelmetRow[], circle: Circle, now: number): { reachable: HelmetRow[]; missed: number } {
  const inside = rows.filter((row) => {
    const [lng, lat] = [numberOr(row.v?.longitude), numberOr(row.v?.latitude)]
    return lng !== null && lat !== null && row.v?.positioned !== false && metersBetween(circle, { lng, lat }) <= circle.radiusMeters
  })
  const reachable = inside.filter((row) => row.online && now - (row.ts?.getTime() ?? 0) <= calls.placeMinutes * 60_000)
  return { reachable, missed: inside.length - reachable.length }
}

/** Runs `ask` with limited concurrency; results in input order. */
async function inTurns<In, Out>(all: readonly In[], ask: (one: In) => Promise<Out>): Promise<Out[]> {
  const out: Out[] = []
  for (let i = 0; i < all.length; i += atOnce) out.push(...(await Promise.all(all.slice(i, i + atOnce).map(ask))))
  return out
}

const sendBroadcast =
  (config: Pick<Config, 'ingestSocket'>): HandlerOf<typeof calls.sendBroadcast> =>
  async ({ query, body }, ctx) => {
    // The list of receivers reveals positions.
    requireCode(ctx, 'helmet.location')
    const projectCode = oneProject(ctx, query.projectCode)
    const rows = await findHelmets(ctx, { families: ['smartHelmet'], projects: [projectCode] })
    const veil = await veilFor(ctx, rows)
    const now = ctx.clock.now()
    const { reachable, missed } = within(
      rows.filter((row) => veil.seesPerson(row)),
      body,
      now,
    )
    if (reachable.length === 0)
      throw new AppError('refused', missed > 0 ? `范围内 ${missed} 人离线或位置过期，没有可呼叫的人` : '范围内没有人')
    if (reachable.length > calls.mostCalled)
      throw new AppError('refused', `范围内有 ${reachable.length} 人，一次最多呼叫 ${calls.mostCalled} 人，请缩小范围`)
    const people = reachable.map((row) => ({ deviceId: row.id, cmdId: ctx.newId(), name: row.workerName ?? row.name }))
    const id = ctx.newId()
    await sql`insert into helmet_broadcast (id, project_code, at, lng, lat, radius_meters, text, by_name, people)
      values (${id}, ${projectCode}, ${new Date(now)}, ${body.lng}, ${body.lat}, ${body.radiusMeters}, ${body.text}, ${ctx.user.name},
        ${JSON.stringify(people.map(({ deviceId, cmdId }) => ({ deviceId, cmdId })))})`.execute(ctx.db)
    ctx.note(`圈选播报 ${people.length} 人（半径 ${body.radiusMeters} 米）：${body.text}`, id)
    const by = ctx.user.name
    return new AfterCommit(async () => {
      const answers = await inTurns(people, async ({ deviceId, cmdId, name }) => {
        const request = { deviceId, cmdId, cmd: 'helmet.text', params: { text: body.text }, expireAt: ctx.clock.now() + heardWithinMs, by }
        const answer = await askIngest(config, '/command', request).catch(
          (error: unknown): CommandAnswer => ({
            cmdId,
            result: commandResults.unreachable,
            message: error instanceof AppError ? error.message : '没有送出',
          }),
        )
        return { deviceId, name, result: answer.result, message: answer.message }
      })
      const done = answers.filter((one) => one.result === commandResults.done).length
      const { text, lng, lat, radiusMeters } = body
      return { id, projectCode, at: now, lng, lat, radiusMeters, text, byName: by, people: answers, done, missed }
    })
  }

interface Receiver {
  deviceId: string
  cmdId: string
}
interface Row extends Omit<calls.HelmetBroadcast, 'at' | 'people' | 'done'> {
  at: Date
  people: Receiver[]
}

const listBroadcasts: HandlerOf<typeof calls.listBroadcasts> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const projects = projectsFor(ctx, query.projectCode)
  const { rows } = await sql<Row & { total: number }>`
    select b.id, b.project_code, b.at, b.lng, b.lat, b.radius_meters, b.text, b.by_name, b.people, count(*) over ()::int as total from helmet_broadcast b
    where ${allOf(...inProjects('b.project_code', projects))} order by b.at desc, b.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  const entries = rows.flatMap((row) => row.people)
  const helmets = new Map((await findHelmets(ctx, { families: ['smartHelmet'], projects })).map((row) => [row.id, row]))
  const veil = await veilFor(ctx, [...helmets.values()])
  const commands = await sql<{ id: string; result: number | null; message: string | null }>`
    select id, result, message from device_command where id = any (${entries.map((one) => one.cmdId)})`.execute(ctx.db)
  const answers = new Map(commands.rows.map((one) => [one.id, one]))
  return {
    list: rows.map(({ total: _total, at, people, ...row }) => {
      const shown = people.map(({ deviceId, cmdId }) => {
        const helmet = helmets.get(deviceId)
        const answer = answers.get(cmdId)
        return {
          deviceId,
          name: helmet && veil.seesPerson(helmet) ? (helmet.workerName ?? helmet.name) : null,
          result: answer?.result ?? null,
          message: answer?.message ?? '',
        }
      })
      return { ...row, at: at.getTime(), people: shown, done: shown.filter((one) => one.result === commandResults.done).length }
    }),
    total: rows[0]?.total ?? 0,
  }
}

interface Setting {
  placeDays: number
  version: number
  updateBy: string
  updateTime: Date
}

async function settingOf(ctx: Context, projectCode: string): Promise<Setting | undefined> {
  const { rows } =
    await sql<Setting>`select place_days, version, update_by, update_time from helmet_setting where project_code = ${projectCode}`.execute(
      ctx.db,
    )
  return rows[0]
}

async function placeSetting(ctx: Context, projectCode: string) {
  const setting = await settingOf(ctx, projectCode)
  const placeDays = setting?.placeDays ?? calls.placeDaysRange.usual
  const { rows } = await sql<{ at: Date | null }>`
    select min(first.ts) as at from device d, lateral (
      select t.ts from telemetry t where t.device_id = d.id and t.ts >= ${new Date(keptSince(ctx.clock.now(), placeDays))} order by t.ts limit 1) first
    where d.project_code = ${projectCode} and d.family = 'smartHelmet'`.execute(ctx.db)
  return {
    projectCode,
    placeDays,
    version: setting?.version ?? 0,
    updateBy: setting?.updateBy ?? null,
    updateTime: setting?.updateTime.getTime() ?? null,
    oldest: rows[0]?.at?.getTime() ?? null,
    editable: ctx.codes.has('helmet.group') && mayAct(ctx, 'site', { projectCode }),
  }
}

const setPlaceSetting: HandlerOf<typeof calls.setPlaceSetting> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const before = await settingOf(ctx, projectCode)
  const conflict = () => changedMeanwhile('保存期', { by: before?.updateBy ?? undefined, version: before?.version ?? 0 })
  if ((before?.version ?? 0) !== body.version) throw conflict()
  const done = await sql`insert into helmet_setting as s (project_code, place_days, update_by, update_time)
    values (${projectCode}, ${body.placeDays}, ${ctx.user.name}, ${new Date(ctx.clock.now())})
    on conflict (project_code) do update set place_days = excluded.place_days, update_by = excluded.update_by, update_time = excluded.update_time,
      version = s.version + 1 where s.version = ${body.version}`.execute(ctx.db)
  if (done.numAffectedRows !== 1n) throw conflict()
  ctx.note(`安全帽位置保存期：${before?.placeDays ?? calls.placeDaysRange.usual} 天 → ${body.placeDays} 天`, projectCode)
  return placeSetting(ctx, projectCode)
}
