import { dictName } from '@zhugong/contract/settings/dictionaries'
import * as contract from '@zhugong/contract/settings/my-requests'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { allOf, anyOf, condition, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { linksOf } from '../../files/public.ts'
import { actOn, itemOf } from '../../workflow/public.ts'
import { asOwner } from '../own-file.ts'
import { askAppeal } from './bad-appeal.ts'
import { askErasure, erasureScope } from './data-erasure.ts'
import { askRenewal, renewalDetail } from './id-renewal.ts'
import { askDispute } from './record-dispute.ts'
import type { PersonRequest } from './request.ts'
import { askWages } from './wage-complaint.ts'

export function personRequestRoutes(serve: Serve) {
  serve(contract.disputeRecord, askDispute)
  serve(contract.complainOfWages, askWages)
  serve(contract.appealBadRecord, askAppeal)
  serve(contract.renewIdCard, askRenewal)
  serve(contract.getIdRenewal, renewalDetail)
  serve(contract.eraseMyData, askErasure)
  serve(contract.previewErasure, erasureScope)
  serve(contract.listMyRequests, listMyRequests)
  serve(contract.withdrawMyRequest, withdrawMyRequest)
  serve(contract.listMyDays, listMyDays)
  serve(contract.listMyTrainings, listMyTrainings)
}

type Raw = PersonRequest & { projectName: string | null; code: string | null; node: string | null; deadline: Date | null }

const listMyRequests: HandlerOf<typeof contract.listMyRequests> = ({ query }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const where = allOf(condition(sql`x.worker_id = ${workerId}`), ...anyOf('x.kind', query.kind), ...anyOf('x.state', query.state))
    const { limit, offset } = pageSlice(query)
    const { rows } = await sql<Raw>`
      select x.*, p.name as project_name, i.code, i.node, i.deadline from person_request x left join project p using (project_code)
        left join lateral (select w.code, w.node, w.deadline from work_item w where w.kind = x.kind and w.object_id = x.id
          order by w.create_time desc limit 1) i on true
      where ${where} order by x.state <> ${approvalStates.running}, x.create_time desc, x.id desc limit ${limit} offset ${offset}`.execute(
      own.db,
    )
    const counted = await sql<{ n: number }>`select count(*)::int as n from person_request x where ${where}`.execute(own.db)
    return {
      list: rows.map((x) =>
        rowOf(rowSchemaOf(contract.listMyRequests), x, {
          kindName: contract.personRequests[x.kind],
          files: linksOf(own, x.files),
          badId: x.subject === 'bad' ? x.subjectId : null,
          stayId: x.subject === 'stay' || x.kind === 'wageComplaint' ? x.subjectId : null,
          stateName: dictName('approvalState', x.state),
          node: x.node || null,
          deadline: x.deadline && formatInstant(x.deadline),
          createTime: formatInstant(x.createTime),
          decideTime: x.decideTime && formatInstant(x.decideTime),
          mayWithdraw: x.state === approvalStates.running && x.userId === ctx.user.id,
        }),
      ),
      total: counted.rows[0]?.n ?? 0,
    }
  })

const withdrawMyRequest: HandlerOf<typeof contract.withdrawMyRequest> = ({ params }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const row = found(
      await own.db
        .selectFrom('personRequest')
        .select(['id', 'kind'])
        .where('id', '=', params.id)
        .where('workerId', '=', workerId)
        .executeTakeFirst(),
      '申请',
    )
    await actOn(own, (await itemOf(own, row.kind, row.id)).id, { result: 'withdraw' })
    ctx.note(`撤回${contract.personRequests[row.kind]}`, row.id)
    return undefined
  })

const listMyDays: HandlerOf<typeof contract.listMyDays> = ({ query }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const { rows } = await sql<{
      stayId: string
      workDay: string
      projectName: string
      firstIn: Date | null
      lastOut: Date | null
      workHours: number
      attendDay: number
    }>`
      select d.stay_id, d.work_day, p.name as project_name, d.first_in, d.last_out, d.work_hours, d.attend_day
      from attendance_day d join project p using (project_code)
      where d.worker_id = ${workerId} and d.work_day >= ${`${query.month}-01`}::date and d.work_day < ${`${query.month}-01`}::date + interval '1 month'
        and (d.record_count > 0 or d.expected)
      order by d.work_day desc, p.name`.execute(own.db)
    const clock = (v: Date | null) => v && formatInstant(v).slice(11, 16)
    const list = rows.map((d) => ({
      ...pick(d, 'stayId', 'workDay', 'projectName'),
      firstIn: clock(d.firstIn),
      lastOut: clock(d.lastOut),
      workHours: Number(d.workHours),
      attended: d.attendDay > 0,
    }))
    return { list, total: list.length }
  })

const listMyTrainings: HandlerOf<typeof contract.listMyTrainings> = ({ query }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const { limit, offset } = pageSlice(query)
    const rows = await own.db
      .selectFrom('workerTraining as t')
      .innerJoin('project as p', 'p.projectCode', 't.projectCode')
      .select(['t.id', 't.trainDate', 't.trainingType', 't.name', 'p.name as projectName', 't.hours', 't.score', 't.passed'])
      .where('t.workerId', '=', workerId)
      .orderBy('t.trainDate', 'desc')
      .orderBy('t.id')
      .limit(limit)
      .offset(offset)
      .execute()
    const counted = await sql<{ n: number }>`select count(*)::int as n from worker_training where worker_id = ${workerId}`.execute(own.db)
    return {
      list: rows.map(({ trainingType, hours, score, ...t }) => ({
        ...t,
        typeName: dictName('trainingType', trainingType),
        hours: Number(hours),
        score: score === null ? null : Number(score),
      })),
      total: counted.rows[0]?.n ?? 0,
    }
  })
