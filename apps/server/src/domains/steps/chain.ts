import { AppError } from '@zhugong/contract/kit/errors'
import type { nextSteps, StepDetail } from '@zhugong/contract/steps/calls'
import { linkBefore, linkName, type StepLink, stepChain } from '@zhugong/contract/steps/chain'
import { type StepState, stepStates } from '@zhugong/contract/steps/moves'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'

type Linked = Pick<Row<'siteStep'>, 'id' | 'code' | 'work' | 'kind' | 'state' | 'checkTime' | 'acceptedAt' | 'early'>

/**
 * What was submitted at a place, for the guard that opens the next step: read past the caller's sight, because a company that sees its own
 * rows only must not be told that a step of another company is missing.
 */
async function linksAt(ctx: Pick<Context, 'system'>, placeId: string): Promise<Linked[]> {
  const { rows } = await sql<Linked>`select id, code, work, kind, state, check_time, accepted_at, early from site_step
    where place_id = ${placeId} and state <> '0' and kind <> '1'`.execute(ctx.system)
  return rows
}

const isAccepted = (state: string) => state === '2' || state === '4'

/**
 * When the step before was accepted; undefined for the first one and for samples.
 * @throws AppError `refused` while the step before is not accepted, or this one is submitted already
 */
export async function requireOpen(ctx: Pick<Context, 'system'>, placeId: string, link: StepLink, own: string): Promise<Date | undefined> {
  const links = await linksAt(ctx, placeId)
  const same = links.find((one) => one.id !== own && one.work === link.work && one.kind === link.kind)
  if (same) throw new AppError('refused', `该部位的${linkName(link)}已验收（${same.code ?? ''}），不能重复提交；不合格的请复验`)
  const before = linkBefore(link)
  if (!before) return undefined
  const last = links.find((one) => one.work === before.work && one.kind === before.kind)
  if (last && isAccepted(last.state)) return last.acceptedAt ?? last.checkTime
  const why = last ? stepStates[last.state] : '尚未验收'
  throw new AppError('refused', `上一工序“${linkName(before)}”${why}，不能验收“${linkName(link)}”`, { field: 'work' })
}

/** The chain of a place as its page shows it; only what the caller sees is linked. */
export async function chainOf(ctx: Pick<Context, 'db' | 'system'>, placeId: string, current?: string): Promise<StepDetail['chain']> {
  const links = await linksAt(ctx, placeId)
  const { rows: seen } = await sql<{ id: string }>`select id from site_step where place_id = ${placeId}`.execute(ctx.db)
  const known = new Set(seen.map((one) => one.id))
  return stepChain.map((link) => {
    const row = links.find((one) => one.work === link.work && one.kind === link.kind)
    const visible = row !== undefined && known.has(row.id)
    return {
      ...link,
      name: linkName(link),
      id: visible ? row.id : null,
      code: visible ? row.code : null,
      checkTime: row ? formatInstant(row.checkTime) : null,
      stateName: row ? stepStates[row.state as StepState] : '未验收',
      accepted: row !== undefined && isAccepted(row.state),
      failed: row?.state === '3',
      early: row?.early ?? false,
      current: row?.id === current && current !== undefined,
    }
  })
}

export const readNext: HandlerOf<typeof nextSteps> = async ({ query: { projectCode, placeId } }, ctx) => {
  const project = oneProject(ctx, projectCode)
  const place = await sql`select from site_place where id = ${placeId} and project_code = ${project}`.execute(ctx.db)
  if (place.rows.length === 0) throw new AppError('invalidInput', '部位不存在或不属于该项目', { field: 'placeId' })
  const chain = await chainOf(ctx, placeId)
  const open = chain.find((one) => !one.accepted)
  if (!open) return { chain, next: null, locked: '该部位的工序已全部验收' }
  const recorded = open.checkTime !== null
  return {
    chain,
    next: recorded ? null : { work: open.work, kind: open.kind, name: open.name },
    locked: recorded ? `“${open.name}”${open.stateName}，验收通过后才能进行下一工序` : null,
  }
}
