import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/onboarding/endpoints'
import { mayBeOff, onboardingSteps, whole } from '@zhugong/contract/onboarding/steps'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { type Context, found, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { tellOne } from '../notify/public.ts'
import { peopleFor } from './detail.ts'
import type { Step } from './judge.ts'
import { readinessRows } from './readiness.ts'

type Place = keyof typeof onboardingSteps | typeof whole
const placeName = (place: Place): string => (place === whole ? '开通' : onboardingSteps[place])

export const changeOnboarding: HandlerOf<typeof contract.changeOnboarding> = async ({ params: { id: place }, query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  if (body.action === 'send') return send(ctx, projectCode)
  if (body.action === 'assign') {
    const { assigneeId, dueDay, note } = body
    await save(ctx, { projectCode, step: place }, body.version, { ...(await assigneeOf(ctx, projectCode, assigneeId)), dueDay, note })
    ctx.note(`登记${placeName(place)}的负责人和期限`, `${projectCode}:${place}`)
    return { told: 0 }
  }
  if (place === whole || !mayBeOff.includes(place)) throw new AppError('refused', `“${placeName(place)}”每个项目都需要，不能标记不适用`)
  await save(ctx, { projectCode, step: place }, body.version, { notNeeded: body.action === 'off' ? body.reason : null })
  ctx.note(body.action === 'off' ? `标记${placeName(place)}不适用：${body.reason}` : `恢复${placeName(place)}`, `${projectCode}:${place}`)
  return { told: 0 }
}

interface Said {
  assigneeId?: string | null
  assigneeName?: string | null
  dueDay?: string | null
  note?: string
  notNeeded?: string | null
}

/** Stores a step's state with optimistic locking. Version 0: no row exists yet. */
async function save(ctx: Context, at: { projectCode: string; step: string }, version: number, said: Said): Promise<void> {
  const noun = '此步骤'
  if (version > 0) {
    await changeRow(ctx, 'projectOnboarding', { key: at, version, noun, by: ctx.user.name, values: said })
    return
  }
  const stamp = { updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name, version: 1 }
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('projectOnboarding')
    .values({ assigneeId: null, assigneeName: null, dueDay: null, notNeeded: null, ...at, ...said, ...stamp })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) throw await conflictOf(ctx, 'projectOnboarding', at, noun)
}

async function assigneeOf(ctx: Context, projectCode: string, assigneeId: string | null) {
  if (assigneeId === null) return { assigneeId: null, assigneeName: null }
  const person = (await peopleFor(ctx, projectCode)).find((one) => one.id === assigneeId)
  if (!person) throw new AppError('invalidInput', '只能指派本机构或该项目的人员', { field: 'assigneeId' })
  return { assigneeId, assigneeName: person.name }
}

/** Notifies the site's administrators of the missing steps. */
async function send(ctx: Context, projectCode: string): Promise<{ told: number }> {
  const [one] = await readinessRows(ctx, projectCode)
  const { row, steps } = found(one, '项目')
  const open = steps.filter((step) => step.state === 'open' || step.state === 'broken')
  if (open.length === 0) throw new AppError('refused', '该项目已全部就绪，没有要发送的清单')
  const { rows } = await sql<{ userId: string }>`
    select distinct m.user_id from tenant t join member m on m.group_id = t.id and m.enable = '1' join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and mr.enable = '1' join role r on r.id = mr.role_id and r.administrator
    where t.type = 3 and t.code = ${projectCode}`.execute(ctx.system)
  if (rows.length === 0) throw new AppError('refused', '该项目还没有管理员，请先发管理员邀请链接')
  const text = open.map(missing).join('；')
  for (const { userId } of rows)
    await tellOne(
      ctx.system,
      {
        userId,
        kind: 'notify',
        title: `${row.name} 开通清单：还差 ${open.length} 步`,
        text,
        link: `/projectNavigationDetails?projectCode=${projectCode}`,
      },
      ctx.clock.now(),
    )
  ctx.note(`发送开通清单给项目管理员 ${rows.length} 人`, projectCode)
  return { told: rows.length }
}
const missing = ({ key, checks }: Step): string =>
  `${onboardingSteps[key]}（${checks.flatMap(({ ok, cause }) => (ok ? [] : [cause])).join('，')}）`
