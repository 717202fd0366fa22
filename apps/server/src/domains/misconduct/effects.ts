import type { BadEffect } from '@zhugong/contract/misconduct/calls'
import { type BadTarget, badTargets, inForce } from '@zhugong/contract/misconduct/codes'
import { badRecordYears } from '@zhugong/contract/personnel/rules'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { closeFault, deductedOf, openFault } from '../experts/public.ts'
import { changeCredit } from '../organisation/public.ts'
import { badPointsOf, confirmBad, endBad, revokeBad } from '../personnel/public.ts'
import type { Misconduct } from './kind.ts'

/** What a decision does to its target, in the transaction that decides. Returns the columns that remember it. */
export async function applyEffects(ctx: Context, row: Misconduct): Promise<Partial<Misconduct>> {
  if (row.expertId) await openFault(ctx, { id: row.id, expertId: row.expertId, libraryGroup: row.decideGroup ?? '', points: row.score })
  if (row.targetType === badTargets.company && row.corpCode) return { deducted: -(await changeCredit(ctx, row.id, -row.score)) }
  if (!row.workerId || !row.projectCode || !row.corpCode) return {}
  const workerBadId = await confirmBad(ctx, {
    workerId: row.workerId,
    projectCode: row.projectCode,
    corpCode: row.corpCode,
    teamId: row.teamId,
    badRecordType: row.type,
    badRecordLevel: row.level,
    actionDegree: row.degree,
    occurrenceDate: row.occurrenceDate ?? '',
    reason: row.fact,
    score: row.score,
    files: row.files,
    misconductId: row.id,
    processResult: '不良行为认定',
    proposedBy: row.proposerId ?? row.createBy,
  })
  return { workerBadId }
}

/** Gives back what a decision took: repaired, expired or cancelled. Only a cancelled record was never true. */
export async function takeBack(ctx: Context, row: Misconduct, cancelled: boolean): Promise<Partial<Misconduct>> {
  if (row.expertId) await closeFault(ctx, row.id)
  if (row.corpCode && row.deducted) await changeCredit(ctx, row.id, row.deducted)
  if (row.workerBadId) await (cancelled ? revokeBad(ctx, row.workerBadId) : endBad(ctx, row.workerBadId))
  return { returnedAt: new Date(ctx.clock.now()) }
}

/** A case of an expert that waits for its decision: he is not drawn meanwhile. */
export async function holdExpert(ctx: Context, row: Misconduct): Promise<void> {
  if (row.expertId) await openFault(ctx, { id: row.id, expertId: row.expertId, libraryGroup: row.decideGroup ?? '', points: 0 })
}
export async function releaseExpert(ctx: Context, row: Misconduct): Promise<void> {
  if (row.expertId) await closeFault(ctx, row.id)
}

type About = Pick<Misconduct, 'targetType' | 'corpCode' | 'workerId' | 'teamId' | 'expertId' | 'level'>

/** What a record would do: the target's points before and after. `score` points are not counted in `before`. */
export async function effectOf(ctx: Pick<Context, 'db' | 'clock'>, about: About, score: number): Promise<BadEffect | null> {
  const years = badRecordYears[about.level] ?? 1
  switch (about.targetType as BadTarget) {
    case badTargets.company: {
      const { rows } = await sql<{
        score: number
      }>`select credit_score::float8 as score from corporation where corp_code = ${about.corpCode}`.execute(ctx.db)
      const before = rows[0]?.score ?? null
      return {
        label: '信用分',
        before,
        after: before === null ? null : Math.max(0, before - score),
        notes: ['公示期内，参建登记和企业档案显示该记录'],
      }
    }
    case badTargets.worker: {
      const before = await badPointsOf(ctx, about.workerId ?? '')
      return { label: '累计扣分', before, after: before + score, notes: [`写入人员档案的不良记录，影响期 ${years} 年`] }
    }
    case badTargets.team: {
      const { rows } = await sql<{ points: number }>`select coalesce(sum(score), 0)::float8 as points from misconduct
        where team_id = ${about.teamId} and state = any (${[...inForce]})`.execute(ctx.db)
      const before = rows[0]?.points ?? 0
      return { label: '班组累计扣分', before, after: before + score, notes: ['记入班组的不良行为'] }
    }
    case badTargets.expert: {
      const before = await deductedOf(ctx, about.expertId ?? '')
      return { label: '本年扣分', before, after: before + score, notes: ['待审核、公示和申诉期间不参加抽取', '从本年评价得分中扣除'] }
    }
  }
}
