import { type AlarmAction, alarmMoves, openMoves } from '@zhugong/contract/alarms/codes'
import { type AlarmRow, actOnAlarm, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { alarmList, findAlarms } from '@zhugong/contract/alarms/lists'
import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import { liveAlarm, liveAlarmMessage } from '@zhugong/contract/telemetry/topics'
import { Button, Checkbox, Segmented, Tooltip } from 'antd'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { call, refresh, useCall } from '#kit/call.ts'
import { useCan, useStanding } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { type FigureProps, FigureStrip, Notice, RiskBadge } from '#kit/feedback.tsx'
import { day, thousands, time, timeOfDay } from '#kit/format.ts'
import { showFailure } from '#kit/http.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import type { Option } from '#kit/list-state.ts'
import { useLive, useNow } from '#kit/live.ts'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import type { AlarmFile } from './alarm-drawer.tsx'
import { AlarmDrawer } from './alarm-drawer.tsx'
import { ActiveTag, besideWords, lasted, levelOptions, MarkTags, StateTag, stateOptions } from './alarm-words.tsx'
import { useEvery, useOpeningTab, useRowKeys, useSoon } from './desk-hooks.ts'
import { alarmNotice, useNoticeForm } from './notice-form.tsx'
import { alarmTabs, batchRefusal, bringsNews, eachAlarm, mergesIn, openOf } from './tabs.ts'

/** Several meters at once: a row stands for all of them. */
const isOutage = (row: AlarmRow): boolean => row.beside?.some((one) => one.deviceName !== row.deviceName) ?? false

export type AlarmCounts = OutputFor<typeof findAlarms>['counts']

/** A column that stands only while one of the rows shown has something in it. */
export type AlarmColumn = ColumnOf<typeof alarmList> & { when?: (row: AlarmRow) => boolean }

export interface FamilyAlarmProps {
  /** Fixed family; none = all of the project. */
  family?: string
  /** Shown beside the common columns, after the state. */
  columns: readonly AlarmColumn[]
  strip: (counts: AlarmCounts | undefined) => readonly FigureProps[]
  left?: (counts: AlarmCounts | undefined, family: string | undefined, choose: (family: string | undefined) => void) => ReactNode
  /** Kinds of alarm to choose from. */
  kinds?: readonly Option[]
  /** Sent with every read. */
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

/** The list of alarms of one family or of a whole site, with its keys, its batch rules and what is new. */
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
  // The list's own answer, read once: how many alarms its happenings are.
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
    const told = liveAlarmMessage.safeParse(message)
    if (!told.success || (family && told.data.family !== family)) return
    if (bringsNews(told.data)) setFresh((n) => n + 1)
    else soon()
  })
  const showNew = () => {
    setFresh(0)
    refresh(listAlarms)
  }
  const soon = useSoon(showNew)
  // Over many sites nothing is told live: the list is asked instead, at the pace somebody reads it.
  useEvery(wideRereadMs, page.active && projectCode === '*', () => refresh(listAlarms))

  const acting = useRef(false)
  const act = async (leads: readonly AlarmRow[], action: 'ack' | 'false', clear?: () => void) => {
    if (acting.current) return
    // What stands for a happening answers for all of it.
    const rows = leads.flatMap((row) => openOf(row, action))
    const reason = action === 'false' ? await askReason(`标记 ${rows.length} 条告警为误报`, '误报原因') : undefined
    if (action === 'false' && !reason) return
    acting.current = true
    let done = 0
    try {
      for (const row of rows) {
        await call(actOnAlarm, {
          params: { id: row.id },
          query: { projectCode: row.projectCode },
          body: { action, version: row.version, reason: reason || undefined },
        })
        done++
      }
      notify.success(action === 'ack' ? `已接单 ${done} 条` : `已标记误报 ${done} 条`)
      clear?.()
    } catch (error) {
      showFailure(error)
      if (done > 0) notify.info(`已处理 ${done} 条，其余未变`)
    } finally {
      acting.current = false
      refresh(listAlarms)
    }
  }

  const notice = useNoticeForm()
  const mayAck = useCan(alarmMoves.ack.needs)
  const mayMark = useCan(alarmMoves.false.needs)
  const standing = useStanding()
  const isOpen = (row: AlarmRow, action: AlarmAction) =>
    openMoves(standing, { projectCode: row.projectCode, corpCode: row.ownerCorp }).includes(action)
  const mayHandle = useCan(alarmMoves.handle.needs)
  const box = useRef<HTMLDivElement>(null)
  useRowKeys(box, page.active && alarmId === undefined, list.rows, open, (row) => {
    if (row.state === 'open' && mayAck && isOpen(row, 'ack')) void act([row], 'ack')
  })

  const common: AlarmColumn[] = [
    {
      key: 'level',
      width: 78,
      value: (row) => <RiskBadge level={row.level} />,
      filter: 'multi',
      options: levelOptions,
      sort: true,
    },
    {
      key: 'alarmKey',
      width: 114,
      locked: true,
      value: (row) => (
        <span>
          <a
            href={hrefOf(page.path, { alarmId: row.id })}
            onClick={(event) => {
              event.preventDefault()
              open(row.id)
            }}
          >
            {row.alarmLabel}
          </a>{' '}
          <MarkTags row={row} />
          {row.beside && row.beside.length > 0 && (
            <Tooltip title={besideWords(row.beside, row.deviceName)}>
              <span className="zg-2">
                等 {row.beside.length + 1} {isOutage(row) ? '块表' : '条'}
              </span>
            </Tooltip>
          )}
        </span>
      ),
      filter: props.kinds ? 'multi' : undefined,
      options: props.kinds,
    },
    {
      key: 'deviceName',
      width: 112,
      value: (row) => `${row.deviceName}${row.point ? ` · ${row.point}` : ''}`,
      filter: 'text',
    },
    { key: 'active', width: 84, value: (row) => <ActiveTag row={row} /> },
    {
      key: 'state',
      width: 80,
      value: (row) => <StateTag state={row.state} />,
      ...(tab === 'todo' ? {} : { filter: 'multi' as const, options: stateOptions }),
    },
    {
      key: 'startTime',
      width: 112,
      // The year is the same for nearly all; the whole moment stands in the hint.
      value: (row) => <span title={time(row.startTime)}>{time(row.startTime).slice('2026-'.length)}</span>,
      sort: true,
    },
    { key: 'duration', width: 62, align: 'right', value: (row) => lasted(row, now) },
  ]
  // Over many sites the same names recur: whose crane it is stands beside its name.
  const project: AlarmColumn[] = projectCode === '*' ? [{ key: 'projectName', width: 140, value: (row) => row.projectName }] : []
  const columns: ColumnOf<typeof alarmList>[] = [
    ...common.flatMap((one) => (one.key === 'deviceName' ? [one, ...project] : [one])),
    ...props.columns.filter((one) => !one.when || list.rows.some(one.when)),
    {
      key: 'handlerName',
      width: 84,
      hidden: tab === 'todo',
      value: (row) => row.handlerName,
      filter: 'text',
    },
  ]
  const last = newest.data?.last
  const nothing = tab === 'todo' || tab === 'active'

  return (
    <div ref={box} className="zg-contents">
      <ListShell
        left={props.left?.(counts.data?.counts, list.filters.family, (key) => list.setFilter('family', key))}
        strip={<FigureStrip items={props.strip(counts.data?.counts)} loading={counts.isPending} />}
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
            notice.may && { label: '通知', onClick: () => notice.send(alarmNotice(row)) },
          ]}
          selection={
            mayAck || mayMark
              ? {
                  unit: '条',
                  disabled: (row: AlarmRow) =>
                    !isOpen(row, 'ack') || row.maxLevel <= 2 || (row.state !== 'open' && row.state !== 'acknowledged'),
                  actions: (rows: readonly AlarmRow[], clear: () => void) => {
                    const why = batchRefusal(rows)
                    return (
                      <>
                        <Tooltip title={why}>
                          <Button
                            disabled={Boolean(why) || !mayAck || rows.some((one) => one.state !== 'open')}
                            onClick={() => void act(rows, 'ack', clear)}
                          >
                            接单 {rows.length} 条
                          </Button>
                        </Tooltip>
                        <Tooltip title={why}>
                          <Button
                            disabled={Boolean(why) || !mayMark || !rows.every((one) => isOpen(one, 'false'))}
                            onClick={() => void act(rows, 'false', clear)}
                          >
                            标记误报 {rows.length} 条
                          </Button>
                        </Tooltip>
                      </>
                    )
                  },
                }
              : undefined
          }
          emptyHint={
            nothing
              ? last
                ? `当前没有${alarmTabs[tab].label === '告警中' ? '未恢复的' : '待处理'}告警，最近一次 ${day(last.time) === day(Date.now()) ? timeOfDay(last.time) : time(last.time)} ${last.deviceName}（${stateOptions.find((one) => one.value === last.state)?.label ?? last.state}）`
                : '当前没有待处理告警，也没有历史告警'
              : '没有这一类告警'
          }
        />
      </ListShell>
      {notice.form}
      <AlarmDrawer id={alarmId} onClose={() => open(undefined)} drawing={props.drawing} />
    </div>
  )
}

const own = ['tab', 'period', 'alarmId', 'rows'] as const
