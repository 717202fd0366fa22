import type { CampaignDetail, CampaignTask, getCampaign } from '@zhugong/contract/campaigns/calls'
import { campaignStates, recheckers } from '@zhugong/contract/campaigns/moves'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, condition, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { historyOf, offersFor } from '../process/public.ts'
import { sheetName } from '../scoring/public.ts'
import { runsOf } from './draws.ts'
import { type Campaign, campaignKind, readCampaign, settledChecks, stepLabels } from './kind.ts'
import { counted, quotaLabel, quotasOf } from './pool.ts'
import { rowFor } from './rows.ts'
import { groupsOf, membersOf, whyNotOf } from './tasks.ts'

export const readDetail: HandlerOf<typeof getCampaign> = async ({ params: { id } }, ctx) => {
  const { mine: _mine, ...row } = found(await rowFor(ctx, id), '督查')
  const campaign = await readCampaign(ctx, id)
  const isOwn = campaign.organiserGroup === ctx.group.id
  const isAuthority = ctx.group.type === groupTypes.government || ctx.scope.all
  const members = isAuthority ? await membersOf(ctx, id) : []
  const { quotas } = isAuthority ? await quotasOf(ctx, id) : { quotas: [] }
  return {
    ...row,
    deadlineDays: campaign.deadlineDays,
    recheck: campaign.recheck,
    recheckName: recheckers[campaign.recheck],
    summary: campaign.publishedAt === null && !isOwn ? null : campaign.summary,
    finishTime: campaign.finishTime && formatInstant(campaign.finishTime),
    groups: (isAuthority ? await groupsOf(ctx, id) : []).map(({ seq, name, areaCode }) => ({
      seq,
      name,
      areaCode,
      members: members
        .filter((one) => one.groupSeq === seq)
        .map(({ userId, expertId, name, unit, leader, disciplines }) => ({ userId, expertId, name, unit, leader, disciplines })),
    })),
    quotas: quotas.map(({ areaCode, riskLevel, category, seats, ...one }) => ({
      areaCode,
      riskLevel,
      category,
      seats,
      label: quotaLabel({ areaCode, riskLevel, category, ...one }),
    })),
    sheets: isAuthority ? await sheetsFor(ctx, id) : [],
    runs: isOwn ? await readRuns(ctx, id) : [],
    tasks: await readTasks(ctx, campaign, members),
    open: isOwn && campaign.state === campaignStates.mending ? await openOf(ctx, id) : [],
    timeline: isOwn ? await historyOf(ctx, campaignKind.kind, id, stepLabels) : [],
    actions: offersFor(ctx, campaignKind, campaign),
    removable: isOwn && campaign.state === campaignStates.draft,
  }
}

async function sheetsFor(ctx: Pick<Context, 'db'>, id: string): Promise<CampaignDetail['sheets']> {
  const { rows } = await sql<Row<'campaignSheet'>>`select * from campaign_sheet where campaign_id = ${id} order by seq`.execute(ctx.db)
  return rows.map(({ discipline, sheetCode }) => ({
    discipline,
    disciplineName: dictName('checkDiscipline', discipline) ?? discipline,
    sheetCode,
    sheetName: sheetName(sheetCode),
  }))
}

async function readRuns(ctx: Pick<Context, 'db'>, id: string): Promise<CampaignDetail['runs']> {
  const { rows } = await sql<{ runId: string; reason: string }>`select l.run_id, l.reason from campaign_left_out l
    join campaign_run r on r.id = l.run_id where r.campaign_id = ${id}`.execute(ctx.db)
  return (await runsOf(ctx, id)).map((one) => ({
    ...pick(one, 'id', 'run', 'reason', 'candidates', 'listHash', 'commitment', 'witnesses'),
    leftOut: counted(rows.filter((left) => left.runId === one.id)),
    frozenTime: formatInstant(one.frozenAt),
    frozenBy: one.frozenName,
    drawnTime: one.drawnAt && formatInstant(one.drawnAt),
  }))
}

const sourceNames = { named: '指定', drawn: '抽取', replacement: '递补' } as const

/** Lines of the campaign that the caller may know; the organiser also those that are no longer in. */
async function readTasks(ctx: Context, campaign: Campaign, members: readonly Row<'campaignMember'>[]): Promise<CampaignTask[]> {
  const isOwn = campaign.organiserGroup === ctx.group.id
  type Raw = Row<'campaignProject'> & {
    projectName: string
    areaCode: string
    category: string
    run: number | null
    groupName: string | null
    replacedName: string | null
  }
  const where = allOf(
    condition(sql`t.campaign_id = ${campaign.id}`),
    ...inProjects('t.projectCode', projectsFor(ctx)),
    condition(isOwn ? sql`true` : sql`t.dropped_at is null`),
    condition(isOwn || ctx.scope.all ? sql`true` : sql`(${ctx.group.id} = any (t.groups) or t.shown_at is not null)`),
  )
  const { rows } = await sql<Raw>`select t.*, p.name as project_name, p.area_code, p.category, r.run, g.name as group_name,
      (select q.name from campaign_project x join project q on q.project_code = x.project_code where x.id = t.replaces) as replaced_name
    from campaign_project t join project p on p.project_code = t.project_code left join campaign_run r on r.id = t.run_id
    left join campaign_group g on g.campaign_id = t.campaign_id and g.seq = t.group_seq
    where ${where} order by t.dropped_at is not null, r.run desc nulls last, t.quota_seq, t.rank, p.name`.execute(ctx.db)
  const choosing = isOwn && campaign.state === campaignStates.issued
  const whyNot = choosing
    ? await whyNotOf(
        ctx,
        members,
        rows.map((one) => one.projectCode),
      )
    : undefined
  const groups = [...new Set(members.map((one) => one.groupSeq))]
  return rows.map((one) => ({
    taskId: one.id,
    ...pick(one, 'projectCode', 'projectName', 'areaCode', 'source', 'run', 'groupSeq', 'groupName', 'checkId', 'dropped'),
    areaName: areaName(one.areaCode) ?? one.areaCode,
    category: dictName('projectCategory', one.category) ?? one.category,
    sourceName: sourceNames[one.source],
    rank: isOwn ? one.rank : null,
    reason: isOwn ? one.reason : null,
    replaces: isOwn ? one.replacedName : null,
    conflicts: groups.flatMap((groupSeq) => {
      const why = whyNot?.(groupSeq, one.projectCode)
      return why ? [{ groupSeq, why }] : []
    }),
  }))
}

/** Projects that hold up the report. */
async function openOf(ctx: Pick<Context, 'db'>, id: string): Promise<CampaignDetail['open']> {
  const { rows } = await sql<{ id: string; name: string; state: string }>`select t.id, p.name, d.state from campaign_project t
    join project p using (project_code) join day_check d on d.id = t.check_id
    where t.campaign_id = ${id} and t.dropped_at is null and d.state <> all (${[...settledChecks]}::text[]) order by p.name`.execute(ctx.db)
  return rows.map((one) => ({
    label: `${one.name}：${dictName('dayCheckState', one.state) ?? one.state}`,
    link: `/jgt/provinces/checkResult?taskId=${one.id}`,
  }))
}
