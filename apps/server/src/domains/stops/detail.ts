import { dayMs } from '@zhugong/contract/kit/time'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import type { getStop, StopCheck, StopDetail, stopStart } from '@zhugong/contract/stops/calls'
import { resumeItems, runningStops, type StopType, stopStates, stopTypes } from '@zhugong/contract/stops/moves'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { type Application, doerOf, selectApplication, stepLabels, stopKind } from './kind.ts'
import { holdingStops, nameOf } from './project-stop.ts'
import { rowFor } from './rows.ts'
import { effectsOf, knownOf, openThings, orderedStops, siteFacts } from './site-facts.ts'
import { notOwner, papers, wrongState } from './writes.ts'

export const readStop: HandlerOf<typeof getStop> = async ({ params: { id }, query }, ctx) => {
  const listed = found(await rowFor(ctx, id, query.projectCode), '申请')
  const { rows } = await sql<Application>`${selectApplication} where a.id = ${id}`.execute(ctx.db)
  const row = found(rows[0], '申请')
  const project = await stateOf(ctx, row.projectCode)
  const timeline = await historyOf(ctx, stopKind.kind, id, stepLabels)
  const isOpen = row.state === stopStates.draft || runningStops.some((state) => state === row.state)
  const { ongoingParts, guardPersons, affectAttendance, applicantName, checkDate, docCode, version } = row
  return {
    ...listed,
    ongoingParts,
    guardPersons,
    affectAttendance,
    applicantName,
    checkDate,
    docCode,
    version,
    ...project,
    checks: row.type === stopTypes.resume ? await checksOf(ctx, id) : [],
    completeCert: linksOf(ctx, row.completeCert),
    attachments: linksOf(ctx, row.attachments),
    submitTime: row.submitTime && formatInstant(row.submitTime),
    officers: row.officer && `${row.officer}、${row.secondOfficer ?? ''}`,
    audit: decisionOf(row.auditName, row.auditGroup, row.auditTime, row.auditPassed, row.auditOpinion),
    decided: decisionOf(row.decideName, row.decideGroup, row.decideTime, row.decidePassed, row.decideOpinion),
    docType: papers[row.type]?.docType ?? '',
    waiting: waitingText(row, ctx.clock.now()),
    effects: isOpen ? await effectsOf(ctx, row, project) : [],
    timeline,
    signatures: await signaturesOf(ctx, stopKind, row),
    actions: offersFor(ctx, stopKind, row),
    removable: row.state === stopStates.draft && row.applyGroup === ctx.group.id && ctx.codes.has('supervision.stopApply'),
  }
}

async function stateOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const { rows } = await sql<{
    prjStatus: string
    name: string
  }>`select prj_status, name from project where project_code = ${projectCode}`.execute(ctx.db)
  const { prjStatus } = found(rows[0], '项目')
  return { prjStatus, prjStatusName: dictName('projectState', prjStatus) ?? prjStatus }
}

async function checksOf(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, id: string): Promise<StopCheck[]> {
  const { rows } = await sql<Row<'stopapplyCheck'>>`select * from stopapply_check where apply_id = ${id}`.execute(ctx.db)
  return resumeItems.map(({ item, name, asks }) => {
    const one = rows.find((row) => row.item === item)
    return {
      item,
      name,
      asks,
      passed: one?.passed ?? null,
      note: one?.note ?? null,
      photos: linksOf(ctx, one?.photos ?? []),
      sitePassed: one?.sitePassed ?? null,
      siteNote: one?.siteNote ?? null,
    }
  })
}

function decisionOf(
  byName: string | null,
  groupName: string | null,
  at: Date | null,
  passed: boolean | null,
  opinion: string | null,
): StopDetail['audit'] {
  if (byName === null || at === null || passed === null) return null
  return { byName, groupName: groupName ?? '', at: formatInstant(at), passed, opinion }
}

const sides: Readonly<Record<string, string>> = { supervisor: '监理', authority: '监管机构' }

/** For example: 等待监管机构审定，已 2 天. */
function waitingText(row: Application, now: number): string {
  const doer = doerOf(row.state)
  if (!doer) return row.state === stopStates.draft ? '草稿，提交后进入审核' : `申请${stopKind.stateName(row.state)}`
  const days = row.waitSince === null ? 0 : Math.floor((now - row.waitSince.getTime()) / dayMs)
  return `等待${sides[doer.turn] ?? ''}${doer.verb}${days > 0 ? `，已 ${days} 天` : ''}`
}

export const readStart: HandlerOf<typeof stopStart> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await sql<{ name: string; prjStatus: string; owner: string | null }>`select p.name, p.prj_status, c.corp_name as owner
    from project p left join corporation c on c.corp_code = p.build_corp_code where p.project_code = ${projectCode}`.execute(ctx.db)
  const project = found(rows[0], '项目')
  const stops = await holdingStops(ctx, projectCode)
  const orders = await orderedStops(ctx, projectCode)
  const open = await openThings(ctx, projectCode)
  return {
    projectCode,
    projectName: project.name,
    prjStatusName: dictName('projectState', project.prjStatus) ?? project.prjStatus,
    applyCorp: project.owner,
    refusal: (await notOwner(ctx, projectCode)) ?? null,
    types: (dictionaryOf('stopApplyType')?.items ?? []).map(({ code, name }) => ({
      type: code,
      name,
      refusal:
        wrongState(code as StopType, project.prjStatus) ??
        (code === stopTypes.resume && orders[0] ? orders[0].value : null) ??
        (code === stopTypes.end && open.length > 0 ? open.map((one) => one.value).join('，') : null),
    })),
    stops: stops.map((stop) => ({
      id: stop.id,
      text: `${nameOf(stop)}，自 ${stop.fromDay} 停工${stop.reason && stop.code ? `：${stop.reason}` : ''}`,
      noticeId: stop.source === 'rectify' ? stop.sourceId : null,
      planResumeDate: stop.planResumeDate,
    })),
    known: knownOf(await siteFacts(ctx, projectCode)),
    open: [...orders, ...open],
  }
}
