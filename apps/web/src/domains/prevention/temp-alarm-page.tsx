import { type TempAction, tempActions } from '@zhugong/contract/prevention/codes'
import { actOnTempAlarms, listTempAlarms, type TempAlarmRow, tempAlarmList } from '@zhugong/contract/prevention/endpoints'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { HandleDrawer } from './handle-drawer.tsx'
import { degrees, HiddenHealth, LevelTag, levelOptions, StateTag, stateOptions } from './words.tsx'
import './prevention.css'

/** People who need a second measurement or a doctor now. */
export default function TempAlarmPage() {
  const go = useGo()
  const projectCode = useProjectCode()
  const list = useListPage(tempAlarmList, { scope: useMemo(() => ({ projectCode }), [projectCode]) })
  const { data } = useCall(listTempAlarms, { query: { projectCode, size: 1 } }, { quiet: true, keepPrevious: true, everyMs: 60_000 })
  const [wanted, setWanted] = useState<{ row: TempAlarmRow; action: 'recheck' | 'handle' }>()
  const act = useAct(actOnTempAlarms, {
    success: false,
    onDone: ({ done, skipped }) => {
      if (skipped.length) notify.warning(`已办 ${done} 条，${skipped.length} 条未办：${skipped[0]?.reason ?? ''}`)
      else notify.success(`已办 ${done} 条`)
      refresh()
    },
  })
  const send = async (rows: readonly TempAlarmRow[], action: 'take' | 'mistake', clear?: () => void) => {
    const remark = action === 'mistake' ? await askReason(`${rows.length} 条记为误报`, '误报原因，如闸机偏高') : ''
    if (remark === undefined) return
    const items = rows.map(({ id, version }) => ({ id, version }))
    if (await act.run({ query: { projectCode }, body: { items, action, remark } })) clear?.()
  }
  const run = (row: TempAlarmRow, action: TempAction) =>
    action === 'recheck' || action === 'handle' ? setWanted({ row, action }) : send([row], action)
  const columns: ColumnOf<typeof tempAlarmList>[] = [
    { key: 'name', width: 88, filter: 'text', sort: true, locked: true, value: (r) => r.name },
    { key: 'projectName', width: 150, hidden: projectCode !== '*', value: (r) => r.projectName },
    { key: 'teamName', width: 110, value: (r) => r.teamName },
    { key: 'corpName', width: 150, weak: true, value: (r) => r.corpName },
    { key: 'temperature', width: 84, align: 'right', value: (r) => <b>{degrees(r.temperature)}</b> },
    {
      key: 'level',
      width: 88,
      filter: 'multi',
      options: levelOptions,
      sort: true,
      value: (r) => <LevelTag level={r.level} name={r.levelName} />,
    },
    { key: 'time', width: 152, filter: 'datetime-range', sort: true, value: (r) => time(r.time) },
    { key: 'channel', width: 110, filter: 'text', value: (r) => r.channel },
    { key: 'count', width: 64, align: 'right', value: (r) => r.count },
    {
      key: 'recheck',
      width: 88,
      align: 'right',
      value: (r) => (r.rechecked ? (r.recheck === null ? '已复测' : degrees(r.recheck)) : null),
    },
    {
      key: 'handleState',
      width: 96,
      filter: 'multi',
      options: stateOptions,
      sort: true,
      value: (r) => <StateTag state={r.handleState} name={r.handleStateName} />,
    },
    { key: 'handlerName', width: 84, value: (r) => r.handlerName },
    { key: 'outcome', width: 76, value: (r) => r.outcome },
    { key: 'handleTime', width: 152, hidden: true, value: (r) => time(r.handleTime) },
  ]
  const counts = data?.counts
  return (
    <ListShell
      remark="一人一日一条，当日再测并入；全部测温在人员体温监测"
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '未处理', value: thousands(counts?.open), unit: '条', tone: counts?.open ? 'danger' : undefined, remark: '含处理中' },
            { label: '今日', value: thousands(counts?.today), unit: '条' },
            { label: '复测正常率', value: counts?.recheckNormal?.toFixed(1) ?? '--', unit: '%', remark: '高则多为闸机偏差' },
            { label: '平均处理', value: counts?.meanMinutes ?? '--', unit: '分钟', remark: '近 30 天' },
          ]}
        />
      }
      above={data && !data.health ? <HiddenHealth /> : undefined}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        exportTitle="体温预警记录"
        search={{ key: 'name', placeholder: '姓名' }}
        onRow={(r) => go('/tempAlarmRecord/detail', { id: r.id })}
        emptyHint="没有高于预警体温的测温记录"
        actions={(r) => [
          { label: '查看', onClick: () => go('/tempAlarmRecord/detail', { id: r.id }) },
          ...r.actions.map((action) => ({ label: tempActions[action].name, needs: actOnTempAlarms, onClick: () => run(r, action) })),
        ]}
        selection={{
          unit: '条',
          disabled: (r) => !r.actions.includes('mistake'),
          actions: (rows, clear) => (
            <Can call={actOnTempAlarms}>
              <Button loading={act.running} onClick={() => void send(rows, 'take', clear)}>
                接单
              </Button>
              <Button loading={act.running} onClick={() => void send(rows, 'mistake', clear)}>
                记为误报
              </Button>
            </Can>
          ),
        }}
      />
      {wanted && <HandleDrawer row={wanted.row} action={wanted.action} onClose={() => setWanted(undefined)} />}
    </ListShell>
  )
}
