import { suppressKinds } from '@zhugong/contract/alarms/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { type Decision, type FlowStart, type Item, registerKind, type WorkDocument } from '../workflow/public.ts'

/** 告警临时停用 as it is decided over: nobody silences alone what warns people. */
export const suppressKind = 'deviceSuppress'

/** Collision of level 1 and SOS protect lives while others work around the machine: never silent for longer than two hours. */
export const shortKeys: ReadonlySet<string> = new Set(['collisionAlarm', 'sos'])
const decideHours = 4

export function registerSuppressKind(): void {
  registerKind({
    kind: suppressKind,
    name: '设备检修屏蔽',
    noun: '此停用',
    prefix: 'GJTY',
    facts: {
      hours: { label: '停用小时数', type: 'number' },
      grave: { label: '含碰撞或 SOS 告警', type: 'flag' },
      reason: { label: '停用原因', type: 'code', options: suppressKinds },
    },
    flow: [
      {
        key: 'site',
        name: '项目',
        places: ['site'],
        by: { kind: 'code', code: 'alarm.setting' },
        hours: decideHours,
        late: 'raise',
        locked: true,
      },
      {
        key: 'company',
        name: '总承包单位',
        places: ['leader'],
        by: { kind: 'code', code: 'alarm.setting' },
        when: [{ fact: 'hours', op: '>', value: 72 }],
        hours: 24,
      },
    ],
    withdraw: 'running',
    reads: ['alarm.view', 'alarm.setting'],
    link: ({ projectCode }) => `/alarm/project?projectCode=${projectCode ?? ''}`,
    document: suppressDocument,
    findings: async ({ db, clock }, item) => {
      const row = await rowOf(db, item.objectId)
      if (!row) return []
      if (row.untilTime.getTime() <= clock.now()) return [{ level: 'bad', text: '停用时间已过，请驳回' }]
      return row.fromTime.getTime() < clock.now() ? [{ level: 'warn', text: '开始时间已到，同意后立即停用' }] : []
    },
    waiting: waitingSuppressions,
    decided: writeDecision,
  })
}

interface Raw {
  id: string
  projectCode: string
  deviceName: string
  family: string
  point: string
  alarmKeys: string[]
  kind: string
  reason: string
  personName: string
  fromTime: Date
  untilTime: Date
  createTime: Date
  createBy: string | null
  askedBy: string | null
  state: string
}

const select = sql`select s.id, s.project_code, d.name as device_name, d.family, s.point, s.alarm_keys, s.kind, s.reason, s.person_name, s.from_time, s.until_time,
  s.create_time, s.create_by, s.asked_by, s.state from device_suppress s join device d on d.id = s.device_id`

async function rowOf(db: Db | Tx, id: string): Promise<Raw | undefined> {
  return (await sql<Raw>`${select} where s.id = ${id}`.execute(db)).rows[0]
}

export const flowStart = (
  s: Pick<Raw, 'id' | 'projectCode' | 'deviceName' | 'alarmKeys' | 'kind' | 'fromTime' | 'untilTime'>,
  groupId: string,
  askedAt: Date,
): FlowStart => ({
  // A silence shorter than the usual time limit must be decided before it ends.
  due: s.untilTime.getTime() < askedAt.getTime() + decideHours * hourMs ? s.untilTime : undefined,
  kind: suppressKind,
  groupId,
  projectCode: s.projectCode,
  objectId: s.id,
  title: `告警临时停用 ${s.deviceName}`,
  facts: {
    hours: Math.ceil((s.untilTime.getTime() - s.fromTime.getTime()) / hourMs),
    grave: s.alarmKeys.some((key) => shortKeys.has(key)),
    reason: s.kind,
  },
})

async function suppressDocument({ db }: Pick<Context, 'db'>, id: string): Promise<WorkDocument | undefined> {
  const row = await rowOf(db, id)
  const family = row && familyOf(row.family)
  return (
    row && {
      fields: [
        { label: '测点', value: row.point || '整台设备' },
        { label: '告警', value: row.alarmKeys.map((key) => family?.alarm(key)?.label ?? key).join('、') },
        { label: '原因', value: suppressKinds[row.kind as keyof typeof suppressKinds] ?? row.kind },
        { label: '说明', value: row.reason },
        { label: '负责人', value: row.personName },
        { label: '开始', value: formatInstant(row.fromTime) },
        { label: '恢复', value: formatInstant(row.untilTime) },
      ],
    }
  )
}

async function waitingSuppressions(db: Db | Tx, objectId?: string): Promise<FlowStart[]> {
  const { rows } = await sql<Raw & { siteGroup: string; askedGroup: string }>`
    select x.*, t.id as site_group, coalesce((select s.asked_group from device_suppress s where s.id = x.id), t.id) as asked_group
    from (${select}) x join tenant t on t.type = 3 and t.code = x.project_code
    where x.state = ${approvalStates.running} and ${objectId === undefined ? sql`true` : sql`x.id = ${objectId}`}
      and not exists (select 1 from work_item i where i.kind = ${suppressKind} and i.object_id = x.id and i.state = '1')`.execute(db)
  return rows.map((s) => ({
    ...flowStart(s, s.siteGroup, s.createTime),
    since: s.createTime,
    applicant: { id: s.askedBy ?? '', name: s.createBy ?? '--', groupId: s.askedGroup },
  }))
}

/** Passed, it is silent from that moment on; the ingest hears of it as the row is written. */
async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at }: Decision): Promise<void> {
  if (state === approvalStates.running) return
  const row = await rowOf(ctx.db, item.objectId)
  if (!row) throw new AppError('refused', '停用申请不存在，不能办理')
  const passed = state === approvalStates.passed
  if (passed && row.untilTime <= at) throw new AppError('refused', '停用时间已过，请驳回')
  await sql`update device_suppress set state = ${state}, from_time = ${passed && row.fromTime < at ? at : row.fromTime}, opinion = ${opinion || null},
      decided_name = ${act === 'withdraw' ? null : `${ctx.group.name} ${ctx.user.name}`.trim()}, decide_time = ${at}, version = version + 1,
      update_by = ${ctx.user.name}, update_time = ${at} where id = ${item.objectId}`.execute(ctx.db)
}
