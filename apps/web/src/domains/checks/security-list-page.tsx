import { AppstoreOutlined, BarsOutlined, CameraOutlined } from '@ant-design/icons'
import type { PatrolRow } from '@zhugong/contract/checks/patrol'
import { createSecurityCheck, listSecurityChecks, securityList } from '@zhugong/contract/checks/security-check'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { PhotoWall } from './photo-wall.tsx'
import { Deadline, LevelTag, paths, StateTag } from './security-words.tsx'
import './checks.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'own', label: '我检查的' },
  { value: 'open', label: '未闭合' },
]
const hoursOfDay = 24

/** Which hazards of the rounds are still open, and whose are they? One row is one round, also one without problems. */
export default function SecurityListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(securityList, { scope, defaultSort: '-overdueDays', tabs: ['tab'] })
  const { data } = useCall(listSecurityChecks, { query: { ...scope, size: 1 } }, { quiet: true })
  const [looks, setLooks] = useState<'table' | 'wall'>('table')
  const columns = useColumns()
  const counts = data?.counts
  const open = (row: PatrolRow) => go(...pageOf(row))
  const toolbar = (
    <>
      <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
      <Segmented
        options={[
          { value: 'table', icon: <BarsOutlined />, label: '列表' },
          { value: 'wall', icon: <AppstoreOutlined />, label: '照片墙' },
        ]}
        value={looks}
        onChange={(next) => setLooks(next as 'table' | 'wall')}
      />
    </>
  )
  return (
    <ListShell
      actions={
        <Can call={createSecurityCheck}>
          <Button type="primary" icon={<CameraOutlined />} onClick={() => go(paths.add)}>
            随手拍
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '未闭合', value: thousands(counts?.open), unit: '次', href: `${paths.list}?tab=open` },
            {
              label: '逾期',
              value: thousands(counts?.overdue),
              unit: '次',
              tone: counts?.overdue ? 'danger' : undefined,
              href: `${paths.list}?overdue=true`,
            },
            { label: '今日检查', value: thousands(counts?.today), unit: '次', href: `${paths.list}?today=true` },
            {
              label: '平均闭合时长',
              value: measure(counts?.meanCloseHours === null ? null : (counts?.meanCloseHours ?? 0) / hoursOfDay, 1),
              unit: '天',
              remark: '近 30 天闭合的整改',
            },
          ]}
        />
      }
    >
      {looks === 'wall' ? (
        <PhotoWall list={list} toolbar={toolbar} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          unit="次"
          search={{ key: 'problem', placeholder: '问题' }}
          toolbar={toolbar}
          onRow={open}
          emptyHint="还没有安全检查：发现隐患先点“随手拍”，没有问题也请提交，作为已检查的记录"
          filterWords={{
            overdue: { title: '逾期', words: { true: '已逾期' } },
            today: { title: '检查时间', words: { true: '今天' } },
          }}
          actions={(row) => [{ label: row.state === draft ? '继续填写' : '查看', href: hrefOf(...pageOf(row)) }]}
        />
      )}
    </ListShell>
  )
}

const draft = '0'
const pageOf = ({ id, state }: PatrolRow): [string, { id: string }] => [state === draft ? paths.add : paths.detail, { id }]

function useColumns(): ColumnOf<typeof securityList>[] {
  const dicts = useDicts('inspectType', 'hiddenDangerLevel', 'rectifyState')
  const projectCode = useProjectCode()
  const oneProject = projectCode !== '*'
  const places = usePlaceFilter(projectCode)
  const own = dicts.options('inspectType').filter((one) => ownTypes.includes(one.value))
  const all: ColumnOf<typeof securityList>[] = [
    { key: 'code', width: 190, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    {
      key: 'problem',
      width: 160,
      keeps: true,
      filter: 'text',
      value: (r) =>
        r.problem === null ? (
          <span className="zg-2">未发现问题</span>
        ) : (
          <span className="zg-row zg-middle zg-gap-6">
            {r.photo && (
              <span className="check-thumb">
                <Thumb src={r.photo} name={r.problem} width={36} height={27} />
              </span>
            )}
            {r.problem}
          </span>
        ),
    },
    { key: 'state', width: 144, keeps: true, filter: 'multi', options: dicts.options('rectifyState'), value: (r) => <StateTag row={r} /> },
    { key: 'part', width: 150, filter: 'text', value: (r) => r.part },
    {
      key: 'placeNames',
      width: 170,
      filter: places && 'tree-cascader',
      filterKey: 'place',
      tree: places,
      value: (r) => r.placeNames.join('、'),
    },
    { key: 'inspectType', width: 96, weak: true, filter: 'multi', options: own, value: (r) => r.inspectTypeName },
    { key: 'checkTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkTime.slice(0, 16) },
    {
      key: 'problemCount',
      width: 76,
      align: 'right',
      sort: true,
      value: (r) => (r.problemCount === 0 ? null : `${r.passedCount} / ${r.problemCount}`),
    },
    { key: 'dangerLevel', width: 124, filter: 'multi', options: dicts.options('hiddenDangerLevel'), value: (r) => <LevelTag row={r} /> },
    { key: 'corpNames', width: 170, filter: 'text', filterKey: 'corpName', value: (r) => r.corpNames.join('、') },
    { key: 'persons', width: 96, filter: 'text', filterKey: 'person', value: (r) => r.persons.join('、') },
    { key: 'checkers', width: 96, weak: true, value: (r) => r.checkers.join('、') },
    { key: 'deadline', width: 168, keeps: true, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
  ]
  return oneProject ? all.filter((column) => column.key !== 'projectName') : all
}
/** 企业自查, 项目自查, 监理检查: who can hold a patrol (dictionary inspectType). */
const ownTypes: readonly string[] = ['11', '12', '13']
