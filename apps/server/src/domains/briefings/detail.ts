import type { BriefingDetail, BriefingReceiver } from '@zhugong/contract/briefings/calls'
import { type BriefingType, briefingStates } from '@zhugong/contract/briefings/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { runningDay } from '../attendance/public.ts'
import { linksOf } from '../files/public.ts'
import { contentHash, historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { cameOn } from './gaps.ts'
import { briefingLabels, hasSigned, kindOf, readBriefingRow, signatureOf } from './kind.ts'
import { briefingFor, cameThatDay } from './rows.ts'
import { briefingContent } from './seats.ts'
import { hindranceOf } from './writes.ts'

export async function readBriefing(ctx: Context, type: BriefingType, id: string): Promise<BriefingDetail> {
  const kind = kindOf(type)
  const shown = found(await briefingFor(ctx, type, id), kind.noun)
  const row = await readBriefingRow(ctx, { id, type })
  const signatures = row.state === briefingStates.draft ? [] : await signaturesOf(ctx, kind, row)
  const [replaces] = await linked(ctx, sql`id = ${row.replacesId}`)
  const [replacedBy] = await linked(ctx, sql`replaces_id = ${id} and state <> '9'`)
  const [work] = row.bigProjectId ? await worksOf(ctx, sql`w.id = ${row.bigProjectId}`) : []
  return {
    ...shown,
    content: row.content,
    files: linksOf(ctx, row.files),
    scans: linksOf(ctx, row.scans),
    witness: row.witness,
    measures: (await measuresOf(ctx, sql`m.id = any (${row.measureIds})`)).map(({ content: _content, ...one }) => one),
    work: work ?? null,
    receivers: await receiversOf(ctx, row),
    digest: contentHash(briefingContent(row)),
    signatureCount: signatures.filter((one) => one.state === 'signed').length,
    replaces: replaces ?? null,
    replacedBy: replacedBy ?? null,
    timeline: await historyOf(ctx, type, id, briefingLabels),
    signatures,
    actions: offersFor(ctx, kind, row),
  }
}

async function linked(ctx: Pick<Context, 'db'>, where: ReturnType<typeof sql>) {
  const { rows } = await sql<{
    id: string
    code: string | null
  }>`select id, code from briefing where ${where} order by create_time desc limit 1`.execute(ctx.db)
  return rows
}

export async function receiversOf(ctx: Pick<Context, 'db' | 'clock'>, row: Row<'briefing'>): Promise<BriefingReceiver[]> {
  type Raw = Pick<Row<'briefingReceiver'>, 'id' | 'stayId' | 'name' | 'unit' | 'role' | 'absentReason' | 'paperAt'> & {
    at: Date | null
    signed: boolean
    gone: boolean
    onSite: boolean | null
    presentToday: boolean
  }
  const today = await runningDay(ctx, row.projectCode)
  const { rows } = await sql<Raw>`select r.id, r.stay_id, r.name, r.unit, r.role, r.absent_reason, r.paper_at, g.at, ${hasSigned} as signed,
      w.exit_time is not null as gone, ${cameThatDay} as on_site, coalesce(${cameOn(today)}, false) as present_today
    from briefing b join briefing_receiver r on r.briefing_id = b.id ${signatureOf} left join project_worker w on w.id = r.stay_id
    where b.id = ${row.id} order by r.seq`.execute(ctx.db)
  return rows.map(({ absentReason, paperAt, at, signed, gone, ...one }) => ({
    ...one,
    state: paperAt ? 'paper' : signed ? 'signed' : absentReason !== null ? 'excused' : gone ? 'gone' : 'waiting',
    reason: absentReason,
    signedAt: (at ?? paperAt) && formatInstant(at ?? paperAt ?? 0),
  }))
}

/** Dangerous works `w`, with why they cannot be briefed yet. */
export async function worksOf(ctx: Pick<Context, 'db'>, where: ReturnType<typeof sql>) {
  type Raw = Pick<Row<'bigproject'>, 'id' | 'name' | 'part' | 'category' | 'planName' | 'overScale' | 'state'>
  const { rows } = await sql<Raw>`select w.id, w.name, w.part, w.category, w.plan_name, w.over_scale, w.state from bigproject w
    where ${where} order by w.plan_start_date desc, w.id limit 200`.execute(ctx.db)
  return rows.map(({ overScale, state, ...one }) => ({
    ...one,
    stateName: dictName('bigProjectState', state) ?? state,
    hindrance: hindranceOf({ name: one.name, overScale, state }) ?? null,
  }))
}

/** Safety measures `m`. */
export async function measuresOf(ctx: Pick<Context, 'db'>, where: ReturnType<typeof sql>) {
  type Raw = Pick<Row<'safetyMeasure'>, 'id' | 'name' | 'hazardSource' | 'content'>
  const { rows } = await sql<Raw>`select m.id, m.name, m.hazard_source, m.content from safety_measure m where ${where}
    order by m.start_date desc, m.id limit 200`.execute(ctx.db)
  return rows.map(({ hazardSource, ...one }) => ({ ...one, hazardName: dictName('hazardSource', hazardSource) ?? hazardSource }))
}
