import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { labourAlarmActions, labourAlarmStateNames, labourAlarmStates, labourAlarmTypes } from '@zhugong/contract/labour-alarms/codes'
import { actOnLabourAlarms, type LabourAlarmRow, type labourAlarmCounts, labourAlarmList } from '@zhugong/contract/labour-alarms/endpoints'
import { Button } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { refresh, useAct } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag, type Tone } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { notify } from '#kit/notify.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { remedyOf } from './words.ts'

const typeOptions = Object.entries(labourAlarmTypes).map(([value, label]) => ({ value, label }))
const stateOptions = Object.entries(labourAlarmStateNames).map(([value, label]) => ({ value, label }))
const tones: Readonly<Record<string, Tone>> = { '1': 'warning', '2': 'fine', '3': 'neutral', '4': 'neutral' }

export type Counts = OutputFor<typeof labourAlarmCounts>

export function Records({ projectCode, counts, switcher }: { projectCode: string; counts: Counts | undefined; switcher: React.ReactNode }) {
  const list = useListPage(labourAlarmList, {
    scope: useMemo(() => ({ projectCode }), [projectCode]),
    own: useMemo(() => ['tab'], []),
    inUrl: true,
  })
  const act = useAct(actOnLabourAlarms, {
    success: false,
    onDone: ({ done, skipped }) => {
      if (skipped.length) notify.warning(`已办 ${done} 条，${skipped.length} 条未办：${skipped[0]?.reason ?? ''}`)
      else notify.success(`已办 ${done} 条`)
      refresh()
    },
  })
  const mayMend = useCan(actOnLabourAlarms)
  const turn = async (rows: readonly LabourAlarmRow[], action: keyof typeof labourAlarmActions, clear?: () => void) => {
    const { name } = labourAlarmActions[action]
    const what = rows.length === 1 ? `${rows[0]?.name ?? ''} ${rows[0]?.typeName ?? ''}` : `${rows.length} 条预警`
    const remark = await askReason(`${name} ${what}`, action === 'handle' ? '怎样处理的' : '原因')
    if (!remark) return
    const done = await act.run({
      query: { projectCode },
      body: { items: rows.map(({ id, version }) => ({ id, version })), action, remark },
    })
    if (done) clear?.()
  }
  const columns: ColumnOf<typeof labourAlarmList>[] = [
    { key: 'type', width: 148, filter: 'multi', options: typeOptions, sort: true, locked: true, value: (r) => r.typeName },
    {
      key: 'name',
      width: 88,
      filter: 'text',
      sort: true,
      locked: true,
      value: (r) => <Link to={hrefOf('/personListDetails', { id: r.stayId, workerId: r.workerId })}>{r.name}</Link>,
    },
    { key: 'projectName', width: 150, hidden: projectCode !== '*', value: (r) => r.projectName },
    { key: 'teamName', width: 110, value: (r) => r.teamName },
    { key: 'corpName', width: 150, weak: true, value: (r) => r.corpName },
    { key: 'content', width: 260, filter: 'text', wrap: true, value: (r) => r.content },
    { key: 'time', width: 152, filter: 'datetime-range', sort: true, value: (r) => time(r.time) },
    {
      key: 'state',
      width: 104,
      filter: 'multi',
      options: stateOptions,
      sort: true,
      value: (r) => (
        <Tag tone={tones[r.state] ?? 'neutral'} icon={false}>
          {r.stateName}
        </Tag>
      ),
    },
    {
      key: 'waitedDays',
      width: 92,
      align: 'right',
      filter: 'numeric-range',
      sort: true,
      value: (r) => <span className={r.state === labourAlarmStates.open && r.waitedDays > 7 ? 'tone-danger' : ''}>{r.waitedDays}</span>,
    },
    { key: 'handlerName', width: 88, filter: 'text', value: (r) => r.handlerName },
    { key: 'handleRemark', width: 160, value: (r) => r.handleRemark },
    { key: 'lastTime', width: 152, hidden: true, value: (r) => time(r.lastTime) },
    { key: 'handleTime', width: 152, hidden: true, value: (r) => time(r.handleTime) },
  ]
  return (
    <ListShell
      remark="一人一类一条，情况仍在时累计，不重复提醒；人员退场自动结束"
      titleActions={switcher}
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '待处理',
              value: thousands(counts?.open),
              unit: '条',
              tone: counts?.open ? 'warning' : undefined,
              remark: counts ? `涉及 ${thousands(counts.people)} 人` : undefined,
              href: hrefOf('/alarmSet', { tab: 'records', state: '1' }),
            },
            { label: '等待超过 7 天', value: thousands(counts?.overdue), unit: '条', tone: counts?.overdue ? 'danger' : undefined },
            { label: '近 30 天已处理', value: thousands(counts?.handledIn30Days), unit: '条', remark: '含情况自行消除的' },
            {
              label: '已忽略',
              value: thousands(counts?.ignored),
              unit: '条',
              remark: '均注明原因',
              href: hrefOf('/alarmSet', { tab: 'records', state: '3' }),
            },
          ]}
        />
      }
      above={counts && counts.open > 0 ? <Kinds counts={counts} /> : undefined}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        exportTitle="劳务预警"
        search={{ key: 'name', placeholder: '姓名' }}
        emptyHint="没有预警：在场人员的证照、合同、教育与考勤都在要求之内"
        actions={(r) => [
          { label: mayMend ? '去处理' : '查看', href: remedyOf(r) },
          ...r.actions.map((action) => ({
            label: labourAlarmActions[action].name,
            needs: actOnLabourAlarms,
            onClick: () => turn([r], action),
          })),
        ]}
        selection={{
          unit: '条',
          disabled: (r) => r.state !== labourAlarmStates.open,
          actions: (rows, clear) => (
            <Can call={actOnLabourAlarms}>
              <Button loading={act.running} onClick={() => void turn(rows, 'handle', clear)}>
                处理
              </Button>
              <Button loading={act.running} onClick={() => void turn(rows, 'ignore', clear)}>
                忽略
              </Button>
            </Can>
          ),
        }}
      />
    </ListShell>
  )
}

/** Open alarms by kind; each bar filters the list. */
function Kinds({ counts }: { counts: Counts }) {
  const shown = counts.byType.filter((t) => t.open > 0).toSorted((a, b) => b.open - a.open)
  const most = Math.max(1, ...shown.map((t) => t.open))
  return (
    <ul className="la-kinds">
      {shown.map((t) => (
        <li key={t.type}>
          <Link to={hrefOf('/alarmSet', { tab: 'records', type: t.type, state: '1' })}>{t.typeName}</Link>
          <span aria-hidden="true">
            <Filled part={t.open} whole={most} />
          </span>
          <b>{t.open}</b>
        </li>
      ))}
    </ul>
  )
}
