import { dayMs } from '@zhugong/contract/kit/time'
import { badSources, badStates, badTargets, proposalFor, refusedCorrection } from '@zhugong/contract/misconduct/codes'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { replaceTodos, writeLog } from '../process/public.ts'
import { type Notice, registerLateStep } from '../rectify/public.ts'
import { factOf } from './detail.ts'
import { badKind } from './kind.ts'

/** 区县级 in dictionary actionDegree. */
const district = '4'
const suggestDays = 7

/** A notice of an authority that is seven days late brings about a draft for its officer, who submits it or drops it with a reason. */
export function suggestForLateNotices(): void {
  registerLateStep('misconduct', suggestDays, suggest)
}

async function suggest(ctx: Context, notice: Notice): Promise<void> {
  if (notice.origin !== 'gov') return
  const { rows } = await sql<{
    corpName: string
    party: string | null
    site: string | null
    problems: string | null
    known: boolean
  }>`select c.corp_name,
      (select id from tenant where type = ${groupTypes.corporation} and code = c.corp_code) as party,
      (select id from tenant where type = ${groupTypes.project} and code = ${notice.projectCode}) as site,
      (select string_agg(l.description, '；' order by l.seq) from rectify_line l where l.rectify_id = ${notice.id} and l.state <> 'passed') as problems,
      exists (select from misconduct m where m.source_id = ${notice.id} and m.state not in ('3', '7')) as known
    from corporation c where c.corp_code = ${notice.corpCode}`.execute(ctx.db)
  const about = rows[0]
  if (!about || about.known) return
  const now = ctx.clock.now()
  const today = formatDay(now)
  const { level, score, basis } = proposalFor(badTargets.company, refusedCorrection)
  const id = ctx.newId()
  await ctx.db
    .insertInto('misconduct')
    .values({
      id,
      projectCode: notice.projectCode,
      corpCode: notice.corpCode,
      groups: [notice.issuerGroup],
      targetType: badTargets.company,
      targetName: about.corpName,
      type: refusedCorrection,
      level,
      degree: district,
      occurrenceDate: notice.deadline,
      fact: factOf(notice.code, notice.deadline, Math.round((Date.parse(today) - Date.parse(notice.deadline)) / dayMs), about.problems),
      basis,
      score,
      source: badSources.rectify,
      sourceId: notice.id,
      system: true,
      proposeGroup: notice.issuerGroup,
      proposeGroupName: notice.issuerGroupName,
      partyGroup: about.party,
      siteGroup: about.site,
      state: badStates.draft,
      createBy: 'system',
      createTime: new Date(now),
    })
    .execute()
  const row = await badKind.lock(ctx, id)
  await writeLog(ctx, badKind.kind, row, {
    action: 'suggest',
    from: null,
    to: row.state,
    opinion: `整改通知 ${notice.code ?? ''} 逾期 ${suggestDays} 天`,
  })
  await replaceTodos(ctx, badKind, row)
}
