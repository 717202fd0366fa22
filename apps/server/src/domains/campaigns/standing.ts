import type { campaignStanding } from '@zhugong/contract/campaigns/checks'
import { furtherLook, recheckers } from '@zhugong/contract/campaigns/moves'
import { scoreAll } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { offersFor } from '../process/public.ts'
import { sheetName, sheetsOf, standardCategories } from '../scoring/public.ts'
import { checkFor } from './checks.ts'
import { authorityOf, entrustOf, ownNotices } from './entrust.ts'
import { campaignKind, readCampaign } from './kind.ts'
import { ranksFor } from './rank.ts'
import { seenTasks } from './seen.ts'

export const readStanding: HandlerOf<typeof campaignStanding> = async ({ params: { taskId } }, ctx) => {
  const { rows } = await sql<{ campaignId: string }>`select t.campaign_id from campaign_project t
    where t.id = ${taskId} and ${seenTasks(ctx)}`.execute(ctx.db)
  const { campaignId } = found(rows[0], '受检项目')
  const campaign = await readCampaign(ctx, campaignId)
  const task = found(await checkFor(ctx, campaignId, taskId), '受检项目')
  const { ranked, avgScore } = await ranksFor(ctx, campaignId)
  const entrust = await entrustOf(ctx, taskId)
  const isOwn = campaign.organiserGroup === ctx.group.id
  return {
    campaignId,
    campaignName: campaign.name,
    organiserName: campaign.organiserName,
    own: isOwn,
    recheck: campaign.recheck,
    recheckName: recheckers[campaign.recheck],
    task,
    ranked,
    avgScore,
    disciplines: await disciplinesOf(ctx, campaignId, task),
    looks: await looksOf(ctx, campaignId, task.projectCode),
    summary: campaign.publishedAt === null ? null : campaign.summary,
    entrust: entrust
      ? {
          toName: entrust.toName,
          at: formatInstant(entrust.entrustedAt),
          byName: entrust.entrustedBy,
          acceptedAt: entrust.acceptedAt && formatInstant(entrust.acceptedAt),
        }
      : null,
    canEntrust:
      isOwn && !entrust && (await ownNotices(ctx, task.checkId)) > 0 ? ((await authorityOf(ctx, task.projectCode))?.name ?? null) : null,
    canAccept: entrust !== undefined && entrust.toGroup === ctx.group.id && entrust.acceptedAt === null,
    canLook: offersFor(ctx, campaignKind, campaign).some((one) => one.action === 'furtherLook'),
  }
}

/** The points of each discipline: those of its sheets. */
async function disciplinesOf(
  ctx: Pick<Context, 'db'>,
  campaignId: string,
  task: { checkId: string | null; disciplines: readonly { code: string; name: string; byName: string | null }[] },
) {
  const { rows } = await sql<{ discipline: string; sheetCode: string }>`select discipline, sheet_code from campaign_sheet
    where campaign_id = ${campaignId}`.execute(ctx.db)
  const stored = task.checkId === null ? [] : await sheetsOf(ctx, task.checkId)
  return task.disciplines.map(({ code, name, byName }) => {
    const codes = rows.filter((one) => one.discipline === code).map((one) => one.sheetCode)
    const own = stored.filter((one) => codes.includes(one.sheet.sheetCode))
    const { score } = scoreAll(
      own.map(({ sheet, results }) => ({
        name: sheetName(sheet.sheetCode),
        category: sheet.category,
        notApplicable: sheet.notApplicable !== null,
        items: results,
      })),
      standardCategories,
    )
    return { code, name, sheetCodes: codes, score, byName }
  })
}

async function looksOf(ctx: Pick<Context, 'db'>, campaignId: string, projectCode: string) {
  const { rows } = await sql<{
    checkId: string
    plannedDate: string
    state: string
  }>`select d.id as check_id, d.planned_date, d.state from day_check d
    join site_check k on k.id = d.id where d.campaign_id = ${campaignId} and d.project_code = ${projectCode} and k.inspect_type = ${furtherLook}
    order by d.planned_date`.execute(ctx.db)
  return rows.map(({ state, ...one }) => ({ ...one, stateName: dictName('dayCheckState', state) ?? state }))
}
