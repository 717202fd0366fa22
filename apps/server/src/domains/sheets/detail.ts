import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { getSheet, SheetDetail, sheetStart } from '@zhugong/contract/sheets/calls'
import { sheetStates } from '@zhugong/contract/sheets/moves'
import { partySeats } from '@zhugong/contract/sheets/seats'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { openParties, type Sheet, selectSheet, sheetKind, stepLabels } from './kind.ts'
import { readRows, waitDaysOf } from './rows.ts'
import { personsOf, problemsOf } from './seats.ts'
import { officersOf, photoStage } from './writes.ts'

/** @throws AppError `notFound` when the sheet is not of the project that the call names, or outside the scope */
export async function readSheetRow(ctx: Context, id: string, projectCode: string): Promise<Sheet> {
  const within = allOf(...equals('m.id', id), ...inProjects('m.projectCode', projectsFor(ctx, projectCode)))
  const { rows } = await sql<Sheet>`${selectSheet} where ${within}`.execute(ctx.db)
  return found(rows[0], '监督记录单')
}

export const readSheet: HandlerOf<typeof getSheet> = async ({ params: { id }, query }, ctx) => {
  const row = await readSheetRow(ctx, id, query.projectCode)
  const [listed] = await readRows(ctx, allOf(...equals('m.id', id)), {})
  const { actions: _actions, ...head } = found(listed, '监督记录单')
  const notes = await photoNotesOf(ctx, id)
  const { progress, content, meetPlace, authorName, voidReason, groupName, version } = row
  const allowedActions = offersFor(ctx, sheetKind, row)
  return {
    ...head,
    ...{ progress, content, meetPlace, authorName, voidReason, groupName, version },
    ...(await partiesOf(ctx, row)),
    progressName: progress && (dictName('projectPhase', progress) ?? progress),
    problems: await problemLines(ctx, id),
    photos: linksOf(ctx, row.photos),
    photoNotes: row.photos.map((file) => notes.get(`${photoStage} ${file}`) ?? null),
    scans: linksOf(ctx, row.scans),
    meetTime: row.meetTime && formatInstant(row.meetTime),
    persons: await personsOf(ctx, id),
    submitTime: row.submitTime && formatInstant(row.submitTime),
    notices: await noticesOf(ctx, id),
    waiting: waitingText(row, ctx.clock.now()),
    timeline: await historyOf(ctx, sheetKind.kind, id, stepLabels),
    signatures: await signaturesOf(ctx, sheetKind, row),
    actions: allowedActions,
    derivable:
      (row.state === sheetStates.signing || row.state === sheetStates.signed) &&
      ctx.group.id === row.groupId &&
      ctx.codes.has('supervision.rectifyIssue'),
    removable: allowedActions.some((one) => one.action === 'save'),
  }
}

/** The names of the three units, for the paper and its page. */
export async function partiesOf(ctx: Pick<Context, 'db'>, { projectCode }: Pick<Sheet, 'projectCode'>) {
  const { rows } = await sql<Pick<SheetDetail, 'ownerCorp' | 'contractorCorp' | 'supervisorCorp'>>`select
      (select c.corp_name from corporation c where c.corp_code = p.build_corp_code) as owner_corp,
      (select c.corp_name from corporation c where c.corp_code = p.contractor_corp_code) as contractor_corp,
      (select k.corp_name from project_corp u join corporation k using (corp_code) where u.project_code = p.project_code and u.corp_type = '007'
        and u.exit_time is null order by u.entry_time limit 1) as supervisor_corp
    from project p where p.project_code = ${projectCode}`.execute(ctx.db)
  return rows[0] ?? { ownerCorp: null, contractorCorp: null, supervisorCorp: null }
}

async function problemLines(ctx: Context, id: string): Promise<SheetDetail['problems']> {
  const lines = await problemsOf(ctx, id)
  const codes = lines.flatMap((one) => one.unitCode ?? [])
  const { rows } = await sql<{ corpCode: string; corpName: string }>`select corp_code, corp_name from corporation
    where corp_code = any (${codes})`.execute(ctx.db)
  const names = new Map(rows.map((one) => [one.corpCode, one.corpName]))
  return lines.map(({ description, clause, unitCode, photos }) => ({
    description,
    clause,
    corpCode: unitCode,
    corpName: unitCode && (names.get(unitCode) ?? null),
    photos: linksOf(ctx, photos),
  }))
}

async function noticesOf(ctx: Pick<Context, 'db'>, id: string): Promise<SheetDetail['notices']> {
  const { rows } = await sql<{ id: string; code: string | null; state: string }>`select id, code, state from rectify
    where source_kind = ${sheetKind.kind} and source_id = ${id} order by create_time`.execute(ctx.db)
  return rows.map((one) => ({
    id: one.id,
    code: one.code,
    stateName: dictName('rectifyState', one.state) ?? one.state,
    closed: one.state === '7' || one.state === '8',
  }))
}

/** For example: 等待建设单位、监理单位签字，已 2 天. */
function waitingText(row: Sheet, now: number): string {
  if (row.state === sheetStates.draft) return '草稿，监督人员签名后提交'
  if (row.state === sheetStates.signed) return '三方已签，等待归档'
  if (row.state !== sheetStates.signing) return sheetKind.stateName(row.state)
  const days = waitDaysOf(row, now) ?? 0
  const parties = openParties(row).map((seat) => partySeats[seat])
  return `等待${parties.join('、')}签字${days > 0 ? `，已 ${days} 天` : ''}`
}

export const readStart: HandlerOf<typeof sheetStart> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  const officers = await officersOf(ctx)
  return {
    projectCode,
    projectName: found(rows[0], '项目').name,
    officers,
    self: officers.includes(ctx.user.name) ? ctx.user.name : null,
    corps: await unitsOf(ctx, projectCode),
  }
}

/** Units on the site, by name. */
async function unitsOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<{ code: string; name: string }[]> {
  const { rows } = await sql<{ code: string; name: string }>`select distinct u.corp_code as code, c.corp_name as name
    from project_corp u join corporation c using (corp_code) where u.project_code = ${projectCode} and u.exit_time is null
    order by 2`.execute(ctx.db)
  return rows
}
