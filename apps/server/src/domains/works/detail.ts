import { dictName } from '@zhugong/contract/settings/dictionaries'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { livePageFor } from '@zhugong/contract/telemetry/live-pages'
import type { getWork, WorkDetail, WorkDevice } from '@zhugong/contract/works/calls'
import { workDetail } from '@zhugong/contract/works/calls'
import { reviewResults, type WorkAction, workMoves } from '@zhugong/contract/works/moves'
import { needsMonitor } from '@zhugong/contract/works/scale'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { expertsAt } from '../experts/public.ts'
import { linkOf, linksOf } from '../files/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { noticesFrom } from '../rectify/public.ts'
import { source, stepLabels, withFacts, workKind } from './kind.ts'
import { missingFor, type Work } from './missing.ts'
import { rowFor, toRow } from './rows.ts'
import { readPeople } from './seats.ts'
import { stagesOf } from './stages.ts'

export const readWork: HandlerOf<typeof getWork> = async ({ params: { id }, query }, ctx) => {
  const listed = found(await rowFor(ctx, id, query.projectCode), '危大工程')
  const row = await withFacts(ctx, listed)
  const people = await readPeople(ctx, id)
  const timeline = await historyOf(ctx, source, id, stepLabels)
  const ofKind = (kind: string) => people.filter((one) => one.kind === kind).map(({ name, post }) => ({ name, post }))
  const { depth, height, span, totalLoad, lineLoad, pointLoad, pieceWeight, liftWeight, weight } = row
  return rowOf(workDetail, row, {
    ...toRow(listed),
    ...(await placeOf(ctx, row)),
    sizes: { depth, height, span, totalLoad, lineLoad, pointLoad, pieceWeight, liftWeight, weight },
    planFiles: linksOf(ctx, row.planFiles),
    reviewResultName: row.reviewResult && reviewResults[row.reviewResult],
    reviewReport: linkOf(ctx, row.reviewReport),
    experts: row.activityId ? await expertsAt(ctx, row.activityId) : [],
    receivers: ofKind('receiver'),
    inspectors: ofKind('inspector'),
    warnPhotos: linksOf(ctx, row.warnPhotos),
    monitorFiles: linksOf(ctx, row.monitorFiles),
    needsMonitor: needsMonitor(row.category),
    devices: await devicesOf(ctx, id),
    acceptPhotos: linksOf(ctx, row.acceptPhotos),
    notices: (await noticesFrom(ctx, source, id)).map((one) => ({
      ...pick(one, 'id', 'code', 'deadline', 'open'),
      stateName: dictName('rectifyState', one.state) ?? one.state,
      link: noticePage(ctx, one),
    })),
    stages: stagesOf(row, timeline, (files) => linksOf(ctx, files)),
    timeline,
    signatures: await signaturesOf(ctx, workKind, row),
    actions: offersFor(ctx, workKind, row),
    blocked: blockedFor(ctx, row),
    removable: row.state === '0' && offersFor(ctx, workKind, row).some((one) => one.action === 'save'),
  })
}

const noticePage = (ctx: Pick<Context, 'group'>, { id, origin }: { id: string; origin: string }) =>
  origin === 'site'
    ? `/safetyP/abarbeitung/details?id=${id}`
    : ctx.group.type === groupTypes.government
      ? `/jgt/project/project_detail?id=${id}`
      : `/safetySupervisionRectification/details?id=${id}`

/** Actions that are the caller's turn in this state, with what they still lack. */
function blockedFor(ctx: Context, row: Work): WorkDetail['blocked'] {
  const free = offersFor(ctx, { ...workKind, hinder: () => undefined }, row)
  const relevant = (action: string) => (action !== 'revise' && action !== 'passRevised' ? true : row.reviewResult === 'changed')
  return free.flatMap(({ action, label }) => {
    const missing = missingFor(row, action as WorkAction)
    if (missing.length === 0 || !relevant(action) || (action === 'review' && row.reviewResult === 'changed')) return []
    return [
      { action, label, missing: missing.map(({ text, notice }) => ({ text, link: linkFor(ctx, row, action as WorkAction, notice) })) },
    ]
  })
}

/** Where what is missing can be put right: the notice, or the form of the stage. */
function linkFor(ctx: Context, row: Work, action: WorkAction, notice: string | undefined): string | null {
  if (notice) return noticePage(ctx, { id: notice, origin: ctx.group.type === groupTypes.government ? 'gov' : 'any' })
  return workMoves[action].turn === 'builder' ? `/jgt/bigproject/edit?id=${row.id}` : null
}

async function placeOf(ctx: Pick<Context, 'db'>, row: Work) {
  const { rows } = await sql<{ unitName: string | null; placeName: string | null }>`select
    (select u.name from unit_project u where u.id = ${row.unitId}) as unit_name,
    (select q.full_name from site_place q where q.id = ${row.placeId}) as place_name`.execute(ctx.db)
  return rows[0] ?? { unitName: null, placeName: null }
}

async function devicesOf(ctx: Pick<Context, 'db' | 'codes'>, id: string): Promise<WorkDevice[]> {
  type Raw = { id: string; name: string; family: string; online: boolean | null; ts: Date | null; alarms: string[] }
  const { rows } = await sql<Raw>`select d.id, d.name, d.family, l.online, l.ts, array(select a.label from alarm a where a.device_id = d.id
      and a.active and not a.simulated and not a.historical order by a.level, a.start_time) as alarms
    from bigproject_device x join device d on d.id = x.device_id left join device_latest l on l.device_id = d.id
    where x.work_id = ${id} order by d.name, d.id`.execute(ctx.db)
  return rows.map(({ online, ts, ...one }) => {
    const page = livePageFor(one.family, ctx.codes)
    return {
      ...one,
      familyName: familyOf(one.family)?.name ?? one.family,
      state: one.alarms.length > 0 ? 'alarm' : online ? 'normal' : 'offline',
      lastAt: ts?.getTime() ?? null,
      link: page ? `${page}?deviceId=${one.id}` : null,
    }
  })
}
