import { groupTypes } from '@zhugong/contract/access/group-types'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { changeRectify, listRectify, type RectifyOrigin, type RectifyRow, rectifyList } from '@zhugong/contract/rectify/calls'
import { majorLevel, rectifyMoves } from '@zhugong/contract/rectify/moves'
import { Button, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { call, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEach } from '#kit/each.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { Deadline, pageOfNotice, RectifyStateTag } from './rectify-words.tsx'

type Counts = OutputFor<typeof listRectify>['counts']
/** A figure of the strip: the list behind it has the same condition. */
export interface RectifyFigure {
  label: string
  count: keyof Counts
  query: string
  remark?: string
  tone?: 'danger' | 'warning'
}

interface RectifyTableProps {
  /** Path of the page, for the links of its figures. */
  path: string
  origin: RectifyOrigin
  figures: readonly RectifyFigure[]
  tabs: readonly { value: string; label: string }[]
  columns: readonly ColumnOf<typeof rectifyList>['key'][]
  actions?: ReactNode
  above?: ReactNode
  emptyHint: string
}

/** The list of notices of one side; the pages differ in columns, tabs and figures. */
export function RectifyTable({ path, origin, figures, tabs, columns, actions, above, emptyHint }: RectifyTableProps) {
  const go = useGo()
  const gov = useGroupType() === groupTypes.government
  const scope = { ...useProjectScope(), origin }
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(rectifyList, { scope, defaultSort: '-overdueDays', tabs: ['tab'] })
  const { data } = useCall(listRectify, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const all = useColumns()
  const mayUrge = useCan(rectifyMoves.urge.needs)
  const shown = all.filter((column) => columns.includes(column.key) && !(column.key === 'projectName' && oneProject))
  return (
    <ListShell
      actions={actions}
      strip={
        <FigureStrip
          loading={!counts}
          items={figures.map(({ label, count, query, remark, tone }) => ({
            label,
            value: thousands(counts?.[count]),
            unit: '份',
            remark,
            tone: counts?.[count] ? tone : undefined,
            href: `${path}?${query}`,
          }))}
        />
      }
      above={above}
    >
      <DataTable
        list={list}
        columns={shown}
        unit="份"
        search={{ key: 'code', placeholder: '通知编号' }}
        toolbar={
          <Segmented options={[...tabs]} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
        }
        onRow={(row) => go(...pageOfNotice(row, gov))}
        emptyHint={emptyHint}
        filterWords={{
          overdue: { title: '逾期', words: { true: '已逾期' } },
          late: { title: '逾期', words: { true: '逾期 7 天以上' } },
          dueToday: { title: '期限', words: { true: '今天到期' } },
        }}
        selection={{
          unit: '份',
          disabled: (row) => row.code === null,
          actions: (rows, clear) => (
            <>
              {mayUrge && <UrgeAll rows={rows.filter(canBeUrged)} onDone={clear} />}
              <ZipButton feature="rectifyNotice" query={{ ids: rows.map((row) => row.id) }} count={rows.length} onDone={clear} />
            </>
          ),
        }}
        actions={(row) => [{ label: '查看', href: hrefOf(...pageOfNotice(row, gov)) }]}
      />
    </ListShell>
  )
}

const canBeUrged = ({ state }: RectifyRow) => rectifyMoves.urge.from.some((one) => one === state)

/** Urges the responsible side of several notices; each at most once a day. */
function UrgeAll({ rows, onDone }: { rows: readonly RectifyRow[]; onDone: () => void }) {
  const each = useEach('份', onDone)
  const urge = ({ id, version }: RectifyRow) => call(changeRectify, { body: { id, version, action: 'urge' } })
  return (
    <Button loading={each.running} disabled={rows.length === 0} onClick={() => void each.run(rows, rectifyMoves.urge.label, urge)}>
      催办
    </Button>
  )
}

function useColumns(): ColumnOf<typeof rectifyList>[] {
  const places = usePlaceFilter(useProjectCode())
  const dicts = useDicts('rectifyNoticeType', 'rectifyCategory', 'hiddenDangerLevel', 'inspectType', 'rectifyState')
  return [
    { key: 'code', width: 296, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'summary', width: 220, filter: 'text', value: (r) => r.summary },
    {
      key: 'placeNames',
      width: 170,
      filter: places && 'tree-cascader',
      filterKey: 'place',
      tree: places,
      value: (r) => r.placeNames.join('、'),
    },
    {
      key: 'noticeType',
      width: 150,
      weak: true,
      filter: 'multi',
      options: dicts.options('rectifyNoticeType'),
      value: (r) => r.noticeTypeName,
    },
    { key: 'category', width: 100, weak: true, filter: 'multi', options: dicts.options('rectifyCategory'), value: (r) => r.categoryName },
    {
      key: 'level',
      width: 124,
      filter: 'multi',
      options: dicts.options('hiddenDangerLevel'),
      value: (r) => (r.level === majorLevel ? <Tag tone="danger">{r.levelName}</Tag> : r.levelName),
    },
    { key: 'sourceType', width: 120, weak: true, filter: 'multi', options: dicts.options('inspectType'), value: (r) => r.sourceTypeName },
    { key: 'problemCount', width: 76, align: 'right', value: (r) => `${r.passedCount} / ${r.problemCount}` },
    { key: 'corpName', width: 180, filter: 'text', value: (r) => r.corpName },
    { key: 'responsiblePerson', width: 88, filter: 'text', value: (r) => r.responsiblePerson },
    { key: 'issuerGroupName', width: 150, filter: 'text', value: (r) => r.issuerGroupName },
    { key: 'issuerName', width: 88, filter: 'text', value: (r) => r.issuerName },
    { key: 'checkDate', width: 104, weak: true, sort: true, filter: 'date-range', value: (r) => r.checkDate },
    {
      key: 'receiveTime',
      width: 112,
      value: (r) => (r.receiveTime ? `${day(r.receiveTime)}${r.deemed ? ' 视同送达' : ''}` : <span className="zg-2">未签收</span>),
    },
    { key: 'deadline', width: 168, keeps: true, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
    { key: 'returns', width: 76, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.returns },
    { key: 'extendCount', width: 76, align: 'right', hidden: true, value: (r) => r.extendCount },
    {
      key: 'state',
      width: 156,
      keeps: true,
      filter: 'multi',
      options: dicts.options('rectifyState'),
      value: (r) => <RectifyStateTag row={r} />,
    },
  ]
}
