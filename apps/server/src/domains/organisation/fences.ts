import { AppError } from '@zhugong/contract/kit/errors'
import { changeStates, projectStates } from '@zhugong/contract/organisation/codes'
import {
  drawnFence,
  type Fence,
  hectaresOf,
  isSameFence,
  placeOutside,
  reasonToDecide,
  ringsOf,
} from '@zhugong/contract/organisation/fence'
import * as contract from '@zhugong/contract/organisation/fences'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, requireProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { getRaw, type RawProject } from './project-rows.ts'

/** The fence of a project: in force, proposed by the site, and its history. */
export function fenceRoutes(serve: Serve) {
  serve(contract.getAreaRule, getAreaRule)
  serve(contract.setAreaRule, setAreaRule)
  serve(contract.auditAreaRule, auditAreaRule)
}

/** Entries of the history shown; older ones stay in the database. */
const shownHistory = 20

/** The stored fence in the contract's format; null if an older format does not match. */
export const storedFence = (areaRule: unknown): Fence | null => drawnFence.safeParse(areaRule).data ?? null

const getAreaRule: HandlerOf<typeof contract.getAreaRule> = async ({ query }, ctx) => {
  const p = await getRaw(ctx, oneProject(ctx, query.projectCode))
  const rows = await ctx.db
    .selectFrom('projectFence')
    .selectAll()
    .where('projectCode', '=', p.projectCode)
    .orderBy('createTime', 'desc')
    .orderBy('id')
    .limit(shownHistory + 1)
    .execute()
  const decided = await decidedFence(ctx, p)
  const waiting = rows.find((row) => row.state === changeStates.waiting)
  const rings = ringsOf(p.areaRule)
  const off = placeOutside(p, rings)
  return {
    ...pick(p, 'projectCode', 'name', 'address', 'lng', 'lat', 'version'),
    areaRule: storedFence(p.areaRule),
    decided: storedFence(decided),
    hectares: hectaresOf(rings),
    offsetMeters: off === null ? null : Math.round(off),
    sitePlan: p.sitePlan ?? null,
    proposes: proposes(ctx),
    proposal: waiting
      ? {
          areaRule: storedFence(waiting.areaRule),
          hectares: waiting.hectares,
          why: reasonToDecide(decided, waiting.areaRule) ?? '围栏变更',
          reason: waiting.reason,
          filedName: waiting.filedName,
          createTime: formatInstant(waiting.createTime),
          version: waiting.version,
        }
      : null,
    history: rows
      .filter((row) => row !== waiting)
      .slice(0, shownHistory)
      .map(toHistory),
  }
}

const setAreaRule: HandlerOf<typeof contract.setAreaRule> = async ({ body }, ctx) => {
  const p = await getRaw(ctx, oneProject(ctx, body.projectCode))
  if (p.version !== body.version) throw await conflictOf(ctx, 'project', { projectCode: p.projectCode }, '项目')
  if (isSameFence(p.areaRule, body.areaRule)) throw new AppError('refused', '围栏没有变化', { field: 'areaRule' })
  requireOpen(p)
  const base = await baseOf(ctx, p, body.areaRule)
  const why = proposes(ctx) ? reasonToDecide(base, body.areaRule) : undefined
  // A newer proposal replaces a pending one; a fence set by a higher group makes it obsolete.
  await ctx.db.deleteFrom('projectFence').where('projectCode', '=', p.projectCode).where('state', '=', changeStates.waiting).execute()
  await keep(ctx, p, body.areaRule, {
    reason: body.reason,
    state: why ? changeStates.waiting : changeStates.passed,
    base: why ? null : base,
  })
  if (!why) await putInForce(ctx, p, body.areaRule, body.version)
  ctx.note(`${why ? '申请变更' : '设置'}电子围栏：${p.name}`, p.projectCode)
  return { state: why ? 'waiting' : 'inForce' }
}

const auditAreaRule: HandlerOf<typeof contract.auditAreaRule> = async ({ body }, ctx) => {
  requireProject(ctx, body.projectCode)
  const p = await getRaw(ctx, body.projectCode)
  const proposal = found(
    await ctx.db
      .selectFrom('projectFence')
      .selectAll()
      .where('projectCode', '=', p.projectCode)
      .where('state', '=', changeStates.waiting)
      .executeTakeFirst(),
    '待审的围栏',
  )
  if (proposal.version !== body.version) throw await conflictOf(ctx, 'projectFence', { id: proposal.id }, '申请')
  requireOpen(p)
  await changeRow(ctx, 'projectFence', {
    key: { id: proposal.id },
    version: body.version,
    noun: '围栏',
    values: {
      state: body.result,
      opinion: body.opinion || null,
      decidedName: requester(ctx),
      decideTime: new Date(ctx.clock.now()),
      ...(body.result === changeStates.passed ? { base: JSON.stringify(proposal.areaRule) } : {}),
    },
  })
  if (body.result === changeStates.passed) await putInForce(ctx, p, storedFence(proposal.areaRule), p.version)
  ctx.note(`${body.result === changeStates.passed ? '通过' : '驳回'}电子围栏变更：${p.name}`, p.projectCode)
  return undefined
}

/** Applies the fence of a project's form and records its history. Throws if the change needs a decision. */
export async function followFence(ctx: Context, p: RawProject, wanted: Fence | null): Promise<void> {
  if (isSameFence(p.areaRule, wanted)) return
  const base = await baseOf(ctx, p, wanted)
  const why = proposes(ctx) ? reasonToDecide(base, wanted) : undefined
  if (why) throw new AppError('refused', `${why}，须由企业或监管机构审定，请在“电子围栏”中提交`, { field: 'areaRule' })
  await keep(ctx, p, wanted, { reason: '修改项目资料', state: changeStates.passed, base })
}

/** Sets a fence in force in the caller's name, with its history. */
export async function setFence(ctx: Context, projectCode: string, areaRule: Fence, reason: string): Promise<void> {
  const p = await getRaw(ctx, projectCode)
  await keep(ctx, p, areaRule, { reason, state: changeStates.passed, base: areaRule })
  await putInForce(ctx, p, areaRule, p.version)
}

/** A site only proposes: it must not extend its fence to where its people live, so a higher group decides. */
const proposes = (ctx: Pick<Context, 'group'>): boolean => ctx.group.type === groupTypes.project

const requester = (ctx: Pick<Context, 'group' | 'user'>): string => `${ctx.group.name} ${ctx.user.name}`

function requireOpen(p: RawProject): void {
  if (p.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
}

/** The fence last decided by a group other than the site; the site's own changes do not move it. */
async function decidedFence(ctx: Pick<Context, 'db'>, p: RawProject): Promise<unknown> {
  const row = await ctx.db
    .selectFrom('projectFence')
    .select('base')
    .where('projectCode', '=', p.projectCode)
    .where('state', '=', changeStates.passed)
    .orderBy((eb) => eb.fn.coalesce('decideTime', 'createTime'), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.base ?? p.areaRule
}

/** The reference for later changes of a new fence: the fence itself if a higher group sets it, or if it is the site's first. */
async function baseOf(ctx: Context, p: RawProject, areaRule: Fence | null): Promise<unknown> {
  if (!proposes(ctx)) return areaRule
  const decided = await decidedFence(ctx, p)
  return ringsOf(decided).length ? decided : areaRule
}

interface Kept {
  reason: string
  state: string
  base: unknown
}
async function keep(ctx: Context, p: RawProject, areaRule: Fence | null, { reason, state, base }: Kept) {
  await ctx.db
    .insertInto('projectFence')
    .values({
      id: ctx.newId(),
      projectCode: p.projectCode,
      areaRule: JSON.stringify(areaRule),
      base: base ? JSON.stringify(base) : null,
      hectares: hectaresOf(ringsOf(areaRule)),
      state,
      reason,
      filedName: requester(ctx),
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
}

async function putInForce(ctx: Context, p: RawProject, areaRule: Fence | null, version: number): Promise<void> {
  await changeRow(ctx, 'project', {
    key: { projectCode: p.projectCode },
    version,
    noun: '项目',
    by: ctx.user.id,
    values: { areaRule: JSON.stringify(areaRule) },
  })
}

const toHistory = (row: Row<'projectFence'>) => ({
  ...pick(row, 'id', 'hectares', 'state', 'reason', 'filedName', 'opinion'),
  areaRule: storedFence(row.areaRule),
  at: formatInstant(row.decideTime ?? row.createTime),
})
