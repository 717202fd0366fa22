import { suppressKinds } from '@zhugong/contract/alarms/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { type Decision, type FlowStart, type Item, registerKind, type WorkDocument } from '../workflow/public.ts'

/** Approval kind of 告警临时停用: no person can suppress a warning alone. */
export const suppressKind = 'deviceSuppress'

/** Alarm kinds that protect lives (level 1 collision and SOS): suppressed for two hours at most. */
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
): FlowStart => ({
  // A suppression that ends before the time limit does must be decided before it ends.
  latest: s.untilTime,
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
    ...flowStart(s, s.siteGroup),
    since: s.createTime,
    applicant: { id: s.askedBy ?? '', name: s.createBy ?? '--', groupId: s.askedGroup },
  }))
}

/** After approval the alarm is suppressed from that moment; the new row notifies the ingest. */
async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at }: Decision): Promise<void> {
  if (state === approvalStates.running) return
  const row = await rowOf(ctx.db, item.objectId)
  if (!row) throw new AppError('refused', '停用申请不存在，不能办理')
  const passed = state === approvalStates.passed
  if (passed && row.untilTime <= at) throw new AppError('refused', '停用时间已过，请驳回')
  await changeRow(ctx, 'deviceSuppress', {
    key: { id: item.objectId },
    version: null,
    noun: '停用记录',
    by: ctx.user.name,
    values: {
      state,
      fromTime: passed && row.fromTime < at ? at : row.fromTime,
      opinion: opinion || null,
      decidedName: act === 'withdraw' ? null : `${ctx.group.name} ${ctx.user.name}`.trim(),
      decideTime: at,
    },
  })
}
