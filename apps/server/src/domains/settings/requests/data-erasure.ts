import { AppError } from '@zhugong/contract/kit/errors'
import { addYears } from '@zhugong/contract/kit/years'
import type { eraseMyData, previewErasure } from '@zhugong/contract/settings/my-requests'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { requireOwnPassword } from '../../identity/public.ts'
import { eraseOptional } from '../../personnel/public.ts'
import { asOwner } from '../own-file.ts'
import { ask, registerPersonKind } from './request.ts'

/**
 * A request for erasure of personal data (个人信息保护法 第四十七条). Data that labour law requires to keep is listed in advance and stays; the rest
 * is erased after the platform's approval. Not possible while the person is in place or has open requests.
 */
export function registerDataErasure(): void {
  registerPersonKind({
    kind: 'dataErasure',
    prefix: 'ZLSC',
    flow: [
      {
        key: 'platform',
        name: '平台',
        places: ['platform'],
        by: { kind: 'code', code: 'personnel.merge' },
        hours: 360,
        late: 'remind',
        locked: true,
      },
    ],
    link: () => '/personnelSystem',
    fields: () => [
      { label: '将删除', value: goes.join('；') },
      { label: '依法保留', value: '实名身份、进退场、考勤、工资、合同、教育培训及已认定的不良行为，保存到期后删除' },
    ],
    findings: async ({ db }, row) => {
      const why = await hindrance(db, row.workerId, row.id)
      return why ? [{ level: 'bad', text: why }] : [{ level: 'good', text: '本人不在任何项目在场，没有未办结的事项' }]
    },
    passed: async (ctx, row) => {
      const why = await hindrance(ctx.db, row.workerId, row.id)
      if (why) throw new AppError('refused', why)
      await eraseOptional(ctx, row.workerId)
    },
  })
}

const goes = [
  '现场人脸照片、证件头像与正反面照片',
  '手机号码、住址、紧急联系人',
  '健康、政治面貌、文化程度、婚姻等自愿填写的信息',
  '自填的从业经历',
]

async function lastDay(db: Context['db'], workerId: string): Promise<string | null> {
  const { rows } = await sql<{ at: Date | null }>`select max(exit_time) as at from project_worker where worker_id = ${workerId}`.execute(db)
  return rows[0]?.at ? formatDay(rows[0].at) : null
}

/** The reason why nothing can be erased now; null if it can. */
async function hindrance(db: Context['db'], workerId: string, but = ''): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select p.name from project_worker s join project p using (project_code)
    where s.worker_id = ${workerId} and s.exit_time is null limit 1`.execute(db)
  if (rows[0]) return `本人仍在“${rows[0].name}”在场，退场后才能申请删除`
  const open = await db
    .selectFrom('personRequest')
    .select('about')
    .where('workerId', '=', workerId)
    .where('state', '=', approvalStates.running)
    .where('id', '<>', but)
    .limit(1)
    .executeTakeFirst()
  return open ? `本人的申请“${open.about}”尚未办结，办结后才能申请删除` : null
}

export const erasureScope: HandlerOf<typeof previewErasure> = (_input, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const last = await lastDay(own.db, workerId)
    const until = (n: number) => (last ? `${addYears(last, n)}（退场满 ${n} 年）` : `退场满 ${n} 年`)
    return {
      hindered: await hindrance(own.db, workerId),
      goes,
      stays: [
        {
          what: '实名身份、进退场与考勤',
          until: `项目完工且工资结清后满 3 年，不早于 ${until(3)}`,
          law: '《保障农民工工资支付条例》第二十八条（用工管理台账）',
        },
        { what: '工资发放记录', until: until(3), law: '《保障农民工工资支付条例》第十五条（工资支付台账）' },
        { what: '劳动合同', until: until(2), law: '《劳动合同法》第五十条' },
        { what: '安全教育和培训档案', until: '随用工管理台账', law: '《安全生产法》第二十八条' },
        { what: '已认定的不良行为', until: '影响期满', law: '信用管理，影响期内保留' },
      ],
    }
  })

export const askErasure: HandlerOf<typeof eraseMyData> = async ({ body, query }, ctx) => {
  projectsFor(ctx, query.projectCode)
  await requireOwnPassword(ctx, body.password)
  const { id, code } = await ask(ctx, 'dataErasure', { reason: body.reason, files: [] }, async (own, workerId) => {
    const why = await hindrance(own.db, workerId)
    if (why) throw new AppError('refused', why)
    return { about: '删除依法无须保留的个人资料' }
  })
  return { id, code }
}
