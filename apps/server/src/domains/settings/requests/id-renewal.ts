import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { forever, type getIdRenewal, type renewIdCard } from '@zhugong/contract/settings/my-requests'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { linkOf } from '../../files/public.ts'
import { renewIdPapers } from '../../personnel/public.ts'
import { newestItem } from '../../workflow/public.ts'
import { ask, registerPersonKind, rowOf } from './request.ts'

const kind = 'idRenewal'

/**
 * A new identity card: the labour officer of the person's site compares the data with the card, and approval updates the file. Pictures
 * are not part of the review document, which outlives the stay; a separate page shows them to groups that have the person in place.
 */
export function registerIdRenewal(): void {
  registerPersonKind({
    kind,
    prefix: 'ZJGX',
    flow: [
      {
        key: 'site',
        name: '项目劳务员',
        places: ['site'],
        by: { kind: 'code', code: 'personnel.edit' },
        hours: 72,
        late: 'raise',
        mayTransfer: false,
        locked: true,
      },
    ],
    reads: ['personnel.edit'],
    link: ({ objectId }) => `/person/idRenewal?id=${objectId}`,
    fields: (row) => [
      { label: '有效期', value: `${row.startDate} 至 ${row.expiryDate === forever ? '长期' : row.expiryDate}` },
      { label: '发证机关', value: row.grantOrg },
      { label: '证件照片', value: '在关联页面核对正反面' },
    ],
    passed: (ctx, row) =>
      renewIdPapers(ctx, row.workerId, {
        startDate: row.startDate ?? '',
        expiryDate: row.expiryDate ?? '',
        grantOrg: row.grantOrg ?? '',
        front: row.frontImage ?? '',
        back: row.backImage ?? '',
      }),
  })
}

export const askRenewal: HandlerOf<typeof renewIdCard> = async ({ body, query }, ctx) => {
  projectsFor(ctx, query.projectCode)
  const [front = '', back = ''] = [body.front[0], body.back[0]]
  if (front === back) throw new AppError('invalidInput', '正反面是同一张照片，请重新上传', { field: 'back' })
  const { id, code } = await ask(ctx, kind, { reason: '', files: [], pictures: [front, back] }, async (own, workerId) => {
    const worker = found(
      await own.db.selectFrom('worker').select(['startDate', 'expiryDate']).where('id', '=', workerId).executeTakeFirst(),
      '实名档案',
    )
    if (worker.expiryDate && body.expiryDate <= worker.expiryDate)
      throw new AppError('invalidInput', `不晚于现有有效期（${worker.expiryDate}）`, { field: 'expiryDate' })
    const stay = await own.db
      .selectFrom('projectWorker')
      .select(['id', 'projectCode', 'corpCode'])
      .where('workerId', '=', workerId)
      .where('exitTime', 'is', null)
      .orderBy('entryTime', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!stay) throw new AppError('refused', '目前没有在场项目，新证件由下次进场的项目核对原件后登记')
    return {
      projectCode: stay.projectCode,
      corpCode: stay.corpCode,
      ...pick(body, 'startDate', 'expiryDate', 'grantOrg'),
      frontImage: front,
      backImage: back,
      about: `证件有效期至 ${body.expiryDate === forever ? '长期' : body.expiryDate}`,
    }
  })
  return { id, code }
}

export const renewalDetail: HandlerOf<typeof getIdRenewal> = async ({ params, query }, ctx) => {
  projectsFor(ctx, query.projectCode)
  const row = await rowOf(ctx.db, params.id)
  if (!row || row.kind !== kind) throw found(undefined, '证件更新申请')
  // With the caller's rights: no file or pictures if the person has left or belongs to another company.
  const { rows } = await sql<{
    name: string
    idCardMask: string
    startDate: string | null
    expiryDate: string | null
    grantOrg: string | null
    projectName: string
    corpName: string | null
    held: boolean
  }>`
    select s.worker_name as name, s.id_card_mask, case when s.exit_time is null then w.start_date end as start_date,
      case when s.exit_time is null then w.expiry_date end as expiry_date, case when s.exit_time is null then w.grant_org end as grant_org,
      p.name as project_name, c.corp_name, s.exit_time is null as held
    from project_worker s join worker w on w.id = s.worker_id join project p on p.project_code = s.project_code
      left join corporation c on c.corp_code = s.corp_code
    where s.worker_id = ${row.workerId} and s.project_code = ${row.projectCode} order by s.exit_time is not null, s.entry_time desc limit 1`.execute(
    ctx.db,
  )
  const person = found(rows[0], '证件更新申请')
  const item = await newestItem(ctx, kind, row.id)
  const front = linkOf(ctx, row.frontImage)
  const back = linkOf(ctx, row.backImage)
  const shown = person.held && row.state === approvalStates.running && front && back ? { front, back } : null
  if (shown) ctx.note('核对证件更新', row.workerId)
  return {
    id: row.id,
    ...pick(person, 'name', 'idCardMask', 'projectName', 'corpName'),
    state: row.state,
    stateName: dictName('approvalState', row.state),
    createTime: formatInstant(row.createTime),
    itemId: item?.id ?? null,
    before: { startDate: person.startDate, expiryDate: person.expiryDate, grantOrg: person.grantOrg },
    after: { startDate: row.startDate ?? '', expiryDate: row.expiryDate ?? '', grantOrg: row.grantOrg ?? '' },
    pictures: shown,
  }
}
