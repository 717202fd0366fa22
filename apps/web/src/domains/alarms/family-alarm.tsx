import { type AlarmAction, alarmMoves, isUrgeable, openMoves } from '@zhugong/contract/alarms/codes'
import { type AlarmRow, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { alarmList, findAlarms } from '@zhugong/contract/alarms/lists'
import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import { liveAlarm, liveAlarmMessage } from '@zhugong/contract/telemetry/topics'
import { Button, Checkbox, Segmented, Tooltip } from 'antd'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { refresh, useCall } from '#kit/call.ts'
import { useCan, useProjectRights } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { type FigureProps, FigureStrip, Notice } from '#kit/feedback.tsx'
import { day, shortTime, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import type { Option } from '#kit/list-state.ts'
import { useLive, useNow } from '#kit/live.ts'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { type AlarmColumn, commonColumns } from './alarm-columns.tsx'
import { AlarmDrawer } from './alarm-drawer.tsx'
import type { AlarmFile } from './alarm-file.ts'
import { stateOptions } from './alarm-words.tsx'
import { useEvery, useOpeningTab, useRowKeys, useSoon } from './desk-hooks.ts'
import { alarmNotice, useNoticeForm } from './notice-form.tsx'
import { alarmTabs, batchRefusal, bringsNews, eachAlarm, mergesIn, openOf } from './tabs.ts'
import { useAlarmAct } from './use-alarm-act.ts'

export type AlarmCounts = OutputFor<typeof findAlarms>['counts']

export interface FamilyAlarmProps {
  /** Fixed device family; undefined = all families. */
  family?: string
  /** Extra columns, after the state column. */
  columns: readonly AlarmColumn[]
  strip: (counts: AlarmCounts | undefined) => readonly FigureProps[]
  left?: (counts: AlarmCounts | undefined, family: string | undefined, choose: (family: string | undefined) => void) => ReactNode
  /** Options of the alarm kind filter. */
  kinds?: readonly Option[]
  /** Extra query of every request. */
  scope?: InputFor<typeof findAlarms>['query']
  toolbar?: ReactNode
  drawing?: (file: AlarmFile) => ReactNode
  ready?: boolean
}

const wideRereadMs = 15_000

const periods = [
  { value: 'all', label: '不限' },
  { value: '1', label: '今天' },
  { value: '7', label: '近 7 天' },
  { value: '30', label: '近 30 天' },
]

/** Alarm list of one family or a whole site, with row shortcuts, batch actions and the bar of new alarms. */
export function FamilyAlarm(props: FamilyAlarmProps) {
  const { family, ready = true } = props
  const projectCode = useProjectCode()
  const page = usePage()
  const query = usePageQuery()
  const go = useGo()
  const { tab, isSettled } = useOpeningTab(props, projectCode, query.get('tab'), ready)
  const period = query.get('period') ?? 'all'
  const merged = mergesIn(tab) && query.get('rows') !== eachAlarm
  const alarmId = query.get('alarmId') ?? undefined
  const [fresh, setFresh] = useState(0)
  const now = useNow(10_000)

  const since = period === 'all' ? undefined : time(Date.parse(`${day(Date.now())}T00:00:00+08:00`) - (Number(period) - 1) * 86_400_000)
  const scope = useMemo(
    () => ({
      projectCode,
      family: family || undefined,
      ...props.scope,
      ...alarmTabs[tab].scope,
      startTime: since || undefined,
      merged: merged || undefined,
    }),
    [projectCode, family, props.scope, tab, since, merged],
  )
  const read = useListPage(alarmList, { scope, own, enabled: ready && isSettled })
  const list = { ...read, loading: read.loading || !isSettled }
  // Same query as the list (cached): its answer also has the number of alarms behind the merged rows.
  const said = useCall(
    findAlarms,
    { query: read.query as InputFor<typeof findAlarms>['query'] },
    { quiet: true, keepPrevious: true, enabled: merged && ready && isSettled },
  )
  const counts = useCall(
    findAlarms,
    { query: { projectCode, size: 1, simulated: false, historical: false, family: family || undefined } },
    { quiet: true, keepPrevious: true, everyMs: page.active ? 60_000 : undefined },
  )
  const bare = list.total === 0 && !list.loading && (tab === 'todo' || tab === 'active')
  const newest = useCall(findAlarms, { query: { ...scope, size: 1 } }, { quiet: true, enabled: bare })
  const put = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams(page.search)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    }
    go(`${page.path}${next.size ? `?${next}` : ''}`, {}, { replace: true })
  }
  const open = (id: string | undefined) => put({ alarmId: id })

  useLive(projectCode === '*' ? undefined : liveAlarm.of({ projectCode }), (message) => {
    const parsed = liveAlarmMessage.safeParse(message)
    if (!parsed.success || (family && parsed.data.family !== family)) return
    if (bringsNews(parsed.data)) setFresh((n) => n + 1)
    else soon()
  })
  const showNew = () => {
    setFresh(0)
    refresh(listAlarms)
  }
  const soon = useSoon(showNew)
  // There is no live push over several sites: poll instead.
  useEvery(wideRereadMs, page.active && projectCode === '*', () => refresh(listAlarms))

  const act = useAlarmAct()
  const notice = useNoticeForm()
  const mayAck = useCan(alarmMoves.ack.needs)
  const mayMark = useCan(alarmMoves.false.needs)
  const rights = useProjectRights()
  const isOpen = (row: AlarmRow, action: AlarmAction) =>
    openMoves(rights, { projectCode: row.projectCode, corpCode: row.ownerCorp }).includes(action)
  const mayHandle = useCan(alarmMoves.handle.needs)
  const box = useRef<HTMLDivElement>(null)
  useRowKeys(box, page.active && alarmId === undefined, list.rows, open, (row) => {
    if (row.state === 'open' && mayAck && isOpen(row, 'ack')) void act([row], 'ack')
  })

  const columns: ColumnOf<typeof alarmList>[] = [
    ...[
      ...commonColumns({ path: page.path, open, kinds: props.kinds, isTodo: tab === 'todo', isWide: projectCode === '*', now }),
      ...props.columns,
    ].filter((one) => !one.when || list.rows.some(one.when)),
    { key: 'handlerName', width: 84, hidden: tab === 'todo', value: (row) => row.handlerName, filter: 'text' },
  ]
  const nothing = tab === 'todo' || tab === 'active'

  return (
    <div ref={box} className="zg-contents">
      <ListShell
        left={props.left?.(counts.data?.counts, list.filters.family, (key) => list.setFilter('family', key))}
        strip={<FigureStrip items={props.strip(counts.data?.counts)} loading={!counts.data} />}
        above={
          fresh > 0 && (
            <Notice
              tone="warning"
              actions={
                <button type="button" className="zg-bare zg-link" onClick={showNew}>
                  点击显示
                </button>
              }
            >
              {fresh} 条新告警
            </Notice>
          )
        }
        titleActions={<span className="zg-2 alarm-keys">J / K 上下，Enter 打开{mayAck ? '，A 接单' : ''}</span>}
        actions={
          <Segmented
            aria-label="视图"
            value={tab}
            options={Object.entries(alarmTabs).map(([value, { label }]) => ({
              value,
              label:
                value === 'todo' && counts.data
                  ? `${label} ${counts.data.counts.todo}`
                  : value === 'active' && counts.data
                    ? `${label} ${counts.data.counts.active}`
                    : value === 'handled' && counts.data
                      ? `${label} ${counts.data.counts.handled}`
                      : label,
            }))}
            onChange={(value) => put({ tab: value === 'todo' && !family ? undefined : String(value), page: undefined, state: undefined })}
          />
        }
      >
        <DataTable
          list={list}
          columns={columns}
          unit={merged ? `件${said.data ? `（${thousands(said.data.alarms)} 条告警）` : ''}` : '条'}
          toolbar={
            <>
              <Segmented
                aria-label="时间"
                value={period}
                options={periods}
                onChange={(value) => put({ period: value === 'all' ? undefined : String(value), page: undefined })}
              />
              {mergesIn(tab) && (
                <Checkbox
                  checked={merged}
                  title="同一事件的告警合为一行"
                  onChange={(event) => put({ rows: event.target.checked ? undefined : eachAlarm, page: undefined })}
                >
                  合并显示
                </Checkbox>
              )}
              {props.toolbar}
            </>
          }
          onRow={(row) => open(row.id)}
          rowClass={(row) => (row.id === alarmId ? 'ant-table-row-selected' : '')}
          actions={(row) => [
            row.state === 'open' &&
              isOpen(row, 'ack') && {
                label: row.beside?.length ? `接单 ${openOf(row, 'ack').length} 条` : '接单',
                needs: alarmMoves.ack.needs,
                onClick: () => act([row], 'ack'),
              },
            {
              label: mayHandle && isOpen(row, 'handle') && (row.state === 'open' || row.state === 'acknowledged') ? '处置' : '查看',
              onClick: () => open(row.id),
            },
            notice.may && { label: isUrgeable(row) ? '督办' : '通知', onClick: () => notice.send(alarmNotice(row)) },
          ]}
          selection={
            mayAck || mayMark
              ? {
                  unit: '条',
                  disabled: (row: AlarmRow) =>
                    !isOpen(row, 'ack') || row.maxLevel <= 2 || (row.state !== 'open' && row.state !== 'acknowledged'),
                  actions: (rows: readonly AlarmRow[], clear: () => void) => (
                    <AlarmBatch
                      rows={rows}
                      mayAck={mayAck}
                      mayMark={mayMark && rows.every((one) => isOpen(one, 'false'))}
                      act={(action) => void act(rows, action, clear)}
                    />
                  ),
                }
              : undefined
          }
          emptyHint={nothing ? nothingWords(alarmTabs[tab].label === '告警中', newest.data?.last ?? undefined) : '没有这一类告警'}
        />
      </ListShell>
      {notice.form}
      <AlarmDrawer id={alarmId} onClose={() => open(undefined)} drawing={props.drawing} />
    </div>
  )
}

const own = ['tab', 'period', 'alarmId', 'rows'] as const

type Last = OutputFor<typeof findAlarms>['last']

function nothingWords(isActive: boolean, last: Last | undefined): string {
  if (!last) return '当前没有待处理告警，也没有历史告警'
  const when = shortTime(last.time)
  const state = stateOptions.find((one) => one.value === last.state)?.label ?? last.state
  return `当前没有${isActive ? '未恢复的' : '待处理'}告警，最近一次 ${when} ${last.deviceName}（${state}）`
}

interface AlarmBatchProps {
  rows: readonly AlarmRow[]
  mayAck: boolean
  mayMark: boolean
  act: (action: 'ack' | 'false') => void
}

/** Batch actions on the selected alarms; a tooltip explains why a batch is refused. */
function AlarmBatch({ rows, mayAck, mayMark, act }: AlarmBatchProps) {
  const why = batchRefusal(rows)
  return (
    <>
      <Tooltip title={why}>
        <Button disabled={Boolean(why) || !mayAck || rows.some((one) => one.state !== 'open')} onClick={() => act('ack')}>
          接单 {rows.length} 条
        </Button>
      </Tooltip>
      <Tooltip title={why}>
        <Button disabled={Boolean(why) || !mayMark} onClick={() => act('false')}>
          标记误报 {rows.length} 条
        </Button>
      </Tooltip>
    </>
  )
}
