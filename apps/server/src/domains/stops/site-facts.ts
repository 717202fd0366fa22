import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { StopDetail, StopEffect, StopStart } from '@zhugong/contract/stops/calls'
import { resumeItems, stopTypes } from '@zhugong/contract/stops/moves'
import { runningWorks } from '@zhugong/contract/works/moves'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { openNotices } from '../rectify/public.ts'
import { campaignPage, unpassedResumeChecks } from '../themes/public.ts'
import { missingPapers } from './file-check.ts'
import { holdingStops, nameOf } from './project-stop.ts'

/** What the platform knows of a site, for a decision about stopping, resuming or ending. Reads tables of several domains, as home pages do. */
export interface SiteFacts {
  people: number
  trained: number
  teams: number
  /** Cranes and lifts in use, those online, and those past their inspection date. */
  machines: number
  online: number
  uninspected: number
  /** Active alarms of pits and formwork. */
  structureAlarms: number
  /** Dangerous works being carried out or waiting for acceptance. */
  works: number
}

export async function siteFacts(ctx: Pick<Context, 'db' | 'clock'>, projectCode: string): Promise<SiteFacts> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<SiteFacts>`select
    (select count(*)::int from project_worker w where w.project_code = ${projectCode} and w.exit_time is null) as people,
    (select count(*)::int from project_worker w where w.project_code = ${projectCode} and w.exit_time is null and w.entry_trained) as trained,
    (select count(*)::int from team t where t.project_code = ${projectCode} and t.exit_time is null) as teams,
    m.*, (select count(*)::int from alarm a where a.project_code = ${projectCode} and a.active and a.family in ('foundationPit', 'highFormwork')) as structure_alarms,
    (select count(*)::int from bigproject b where b.project_code = ${projectCode} and b.state = any (${[...runningWorks]}::text[])) as works
    from (select count(*)::int as machines, (count(*) filter (where l.online))::int as online,
      (count(*) filter (where exists (select from device_due x where x.device_id = d.id and x.kind = 'inspection' and x.notice_state <> '2'
        and x.due_date < ${today}::date)))::int as uninspected
      from device d left join device_latest l on l.device_id = d.id
      where d.project_code = ${projectCode} and d.status = '1' and d.family in ('towerCrane', 'lifter')) m`.execute(ctx.db)
  return rows[0] ?? { people: 0, trained: 0, teams: 0, machines: 0, online: 0, uninspected: 0, structureAlarms: 0, works: 0 }
}

/** What the platform knows about each group of the resumption table. */
export function knownOf(facts: SiteFacts): StopStart['known'] {
  const { people, trained, machines, uninspected, structureAlarms } = facts
  const known: Record<string, { fact: string; ok: boolean }> = {
    1: { fact: `在场 ${people} 人，已完成入场教育 ${trained} 人`, ok: trained === people },
    2: {
      fact: machines === 0 ? '平台无在用塔机、升降机' : `在用塔机、升降机 ${machines} 台，检验已过期 ${uninspected} 台`,
      ok: uninspected === 0,
    },
    4: { fact: structureAlarms === 0 ? '基坑、高支模无告警' : `基坑、高支模有 ${structureAlarms} 条告警未恢复`, ok: structureAlarms === 0 },
  }
  return resumeItems.map(({ item }) => ({ item, fact: known[item]?.fact ?? null, ok: known[item]?.ok ?? null }))
}

const noticeList = (ctx: Pick<Context, 'group'>, projectCode: string) =>
  ctx.group.type === groupTypes.government
    ? `/jgt/project/tgzg_index?projectCode=${projectCode}&tab=running`
    : `/safetySupervisionRectification/list?projectCode=${projectCode}&tab=running`
export const noticePage = (ctx: Pick<Context, 'group'>, id: string) =>
  ctx.group.type === groupTypes.government ? `/jgt/project/project_detail?id=${id}` : `/safetySupervisionRectification/details?id=${id}`

/** What stands in the way of ending the supervision: nothing of it may be left open. */
export async function openThings(ctx: Pick<Context, 'db' | 'clock' | 'group'>, projectCode: string): Promise<StopEffect[]> {
  const [facts, notices] = [await siteFacts(ctx, projectCode), await openNotices(ctx, projectCode)]
  const block = (label: string, value: string, link: string | null): StopEffect => ({ label, value, link, level: 'block' })
  return [
    ...(notices.length ? [block('未闭合整改', `${notices.length} 份整改通知未闭合`, noticeList(ctx, projectCode))] : []),
    ...(facts.teams ? [block('班组', `${facts.teams} 个班组未退场`, `/teamSystem?projectCode=${projectCode}`)] : []),
    ...(facts.people ? [block('人员', `${facts.people} 人未退场`, null)] : []),
    ...(facts.works
      ? [
          block(
            '危大工程',
            `${facts.works} 项危大工程实施中或待验收`,
            `/jgt/bigproject?projectCode=${projectCode}&state=${runningWorks.join(',')}`,
          ),
        ]
      : []),
    ...(facts.online ? [block('起重机械', `${facts.online} 台塔机、升降机仍在运行上报`, null)] : []),
  ]
}

/** What stands in the way of resuming: the stop-work notices that still hold, and a check of the site that is not passed. */
export async function orderedStops(ctx: Pick<Context, 'db' | 'group'>, projectCode: string): Promise<StopEffect[]> {
  const checks = (await unpassedResumeChecks(ctx, projectCode)).map((one) => ({
    label: '节后复工检查',
    value: `“${one.title}”还有 ${one.uncheckedCount} 个对象未检、${one.openCount} 个问题未闭合`,
    link: campaignPage(one.id),
    level: 'block' as const,
  }))
  const orders = (await holdingStops(ctx, projectCode))
    .filter((stop) => stop.source === 'rectify')
    .map((stop) => ({
      label: '全面停工整改',
      value: `${nameOf(stop)} 未复查合格，复工由该通知的复查办理`,
      link: noticePage(ctx, stop.sourceId),
      level: 'block' as const,
    }))
  return [...orders, ...checks]
}

/** What a decision in favour of the application changes, and what stands in its way. Shown before it is taken. */
export async function effectsOf(
  ctx: Pick<Context, 'db' | 'clock' | 'group' | 'scope' | 'scopeChecks'>,
  row: Pick<Row<'stopapply'>, 'type' | 'projectCode' | 'stopDate' | 'affectAttendance'>,
  project: Pick<StopDetail, 'prjStatus'>,
): Promise<StopEffect[]> {
  const { projectCode, type } = row
  const facts = await siteFacts(ctx, projectCode)
  const notices = await openNotices(ctx, projectCode)
  const now = dictName('projectState', project.prjStatus) ?? ''
  const info = (label: string, value: string): StopEffect => ({ label, value, link: null, level: 'info' })
  const warn = (label: string, value: string, link: string | null): StopEffect => ({ label, value, link, level: 'warn' })
  const open = notices.length ? [warn('未闭合整改', `${notices.length} 份整改通知未闭合`, noticeList(ctx, projectCode))] : []
  if (type === stopTypes.stop)
    return [
      info('项目状态', `${now} → 停工，自 ${row.stopDate ?? '停工日期'} 起（不早于审定当日）`),
      info('考勤', row.affectAttendance ? `在场 ${facts.people} 人的停工日记“停工”，不计缺勤` : '停工期间考勤照常统计'),
      ...(facts.machines
        ? [warn('起重机械', `在用塔机、升降机 ${facts.machines} 台（在线 ${facts.online} 台），停工期间应停用断电`, null)]
        : [info('起重机械', '平台无在用塔机、升降机')]),
      ...open,
      info('文书', '出具中止施工安全监督告知书（301）'),
    ]
  if (type === stopTypes.resume) {
    const holding = await holdingStops(ctx, projectCode)
    return [
      ...(await orderedStops(ctx, projectCode)),
      info('项目状态', `${now} → 在建，结束 ${holding.filter((one) => one.source !== 'rectify').length} 项停工`),
      info('考勤', `在场 ${facts.people} 人恢复按日考勤`),
      ...knownOf(facts)
        .filter((one) => one.ok === false)
        .map((one) => warn(resumeItems.find(({ item }) => item === one.item)?.name ?? one.item, one.fact ?? '', null)),
      ...open,
      info('文书', '出具恢复施工安全监督告知书（302）'),
    ]
  }
  return [
    ...(await openThings(ctx, projectCode)),
    // Only the authority sees its whole file.
    ...(ctx.group.type === groupTypes.government ? await missingPapers(ctx, projectCode) : []),
    info('项目状态', `${now} → 终止监督，项目资料转为只读`),
    info('文书', '出具终止施工安全监督告知书（303）'),
  ]
}
