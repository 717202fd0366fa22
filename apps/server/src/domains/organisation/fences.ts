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
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, requireProject } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { getRaw, type RawProject } from './project-rows.ts'

/** The fence of a project: in force, proposed by the site, and as it was. */
export function fenceRoutes(serve: Serve) {
  serve(contract.getAreaRule, getAreaRule)
  serve(contract.setAreaRule, setAreaRule)
  serve(contract.auditAreaRule, auditAreaRule)
}

/** As many as are looked through; older ones stay in the database. */
const shownHistory = 20

/** What is stored, in the form of the contract; an older form that no longer fits it is read as none. */
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
    projectCode: p.projectCode,
    name: p.name,
    address: p.address,
    lng: p.lng,
    lat: p.lat,
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
    version: p.version,
  }
}

const setAreaRule: HandlerOf<typeof contract.setAreaRule> = async ({ body }, ctx) => {
  const p = await getRaw(ctx, oneProject(ctx, body.projectCode))
  if (p.version !== body.version) throw new AppError('conflict', '项目已被他人修改，请刷新后重试')
  if (isSameFence(p.areaRule, body.areaRule)) throw new AppError('refused', '围栏没有变化', { field: 'areaRule' })
  requireOpen(p)
  const base = await baseOf(ctx, p, body.areaRule)
  const why = proposes(ctx) ? reasonToDecide(base, body.areaRule) : undefined
  // A newer proposal takes the place of one that still waits; what somebody above puts in force makes it pointless.
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
  if (proposal.version !== body.version) throw new AppError('conflict', '申请已被他人办理，请刷新后重试')
  requireOpen(p)
  await ctx.db
    .updateTable('projectFence')
    .set({
      state: body.result,
      opinion: body.opinion || null,
      decidedName: asker(ctx),
      decideTime: new Date(ctx.clock.now()),
      version: body.version + 1,
      ...(body.result === changeStates.passed ? { base: JSON.stringify(proposal.areaRule) } : {}),
    })
    .where('id', '=', proposal.id)
    .execute()
  if (body.result === changeStates.passed) await putInForce(ctx, p, storedFence(proposal.areaRule), p.version)
  ctx.note(`${body.result === changeStates.passed ? '通过' : '驳回'}电子围栏变更：${p.name}`, p.projectCode)
  return undefined
}

/** The fence in a project's form: written into the history, and refused where it would have to be decided. */
export async function followFence(ctx: Context, p: RawProject, wanted: Fence | null): Promise<void> {
  if (isSameFence(p.areaRule, wanted)) return
  const base = await baseOf(ctx, p, wanted)
  const why = proposes(ctx) ? reasonToDecide(base, wanted) : undefined
  if (why) throw new AppError('refused', `${why}，须由企业或监管机构审定，请在“电子围栏”中提交`, { field: 'areaRule' })
  await keep(ctx, p, wanted, { reason: '修改项目资料', state: changeStates.passed, base })
}

/** Puts a fence in force as whoever asks, with its history. */
export async function setFence(ctx: Context, projectCode: string, areaRule: Fence, reason: string): Promise<void> {
  const p = await getRaw(ctx, projectCode)
  await keep(ctx, p, areaRule, { reason, state: changeStates.passed, base: areaRule })
  await putInForce(ctx, p, areaRule, p.version)
}

/** The site itself must not draw its fence as far as its people live; whoever stands above it decides. */
const proposes = (ctx: Pick<Context, 'group'>): boolean => ctx.group.type === groupTypes.project

const asker = (ctx: Pick<Context, 'group' | 'user'>): string => `${ctx.group.name} ${ctx.user.name}`

function requireOpen(p: RawProject): void {
  if (p.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
}

/** What others than the site decided last; the site's own steps since then move it by nothing. */
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

/** From what a fence that is put in force now counts: itself when somebody above draws it, or the site its first one. */
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
      filedName: asker(ctx),
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
}

async function putInForce(ctx: Context, p: RawProject, areaRule: Fence | null, version: number): Promise<void> {
  const done = await ctx.db
    .updateTable('project')
    .set({
      areaRule: JSON.stringify(areaRule),
      updateTime: new Date(ctx.clock.now()),
      updateBy: ctx.user.id,
      version: version + 1,
    })
    .where('projectCode', '=', p.projectCode)
    .where('version', '=', version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '项目已被他人修改，请刷新后重试')
}

const toHistory = (row: Row<'projectFence'>) => ({
  id: row.id,
  areaRule: storedFence(row.areaRule),
  hectares: row.hectares,
  state: row.state,
  reason: row.reason,
  filedName: row.filedName,
  at: formatInstant(row.decideTime ?? row.createTime),
  opinion: row.opinion,
})
