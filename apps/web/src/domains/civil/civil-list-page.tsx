import { PlusOutlined } from '@ant-design/icons'
import {
  type CivilRow,
  civilList,
  compareCivilPoint,
  createCivilCheck,
  listCivilChecks,
  listCivilPoints,
} from '@zhugong/contract/civil/inspection'
import { areaCodes, areaName, awardFrom, awardTimes } from '@zhugong/contract/civil/score'
import { Button, Drawer, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Empty, FigureStrip, Known } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { Choice } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { Deadline, StateTag } from '../checks/public.tsx'
import { CandidateTag, marks, paths } from './civil-words.tsx'
import './civil.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'own', label: '我检查的' },
  { value: 'open', label: '未闭合' },
]

/** Does the site look as promised, and who stands for 文明工地? One row is one walk. */
export default function CivilListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(civilList, { scope, defaultSort: '-checkTime', tabs: ['tab'] })
  const { data } = useCall(listCivilChecks, { query: { ...scope, size: 1 } }, { quiet: true })
  const [comparing, setComparing] = useState(false)
  const counts = data?.counts
  const columns = useColumns()
  return (
    <ListShell
      actions={
        <>
          <Can call={createCivilCheck}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.edit)}>
              新建检查
            </Button>
          </Can>
          {oneProject && <Button onClick={() => setComparing(true)}>同点位对比</Button>}
        </>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '最近得分', value: marks(counts?.lastScore), unit: '分' },
            {
              label: '未闭合',
              value: thousands(counts?.open),
              unit: '次',
              tone: counts?.open ? 'warning' : undefined,
              href: `${paths.list}?tab=open`,
            },
            {
              label: '连续合格',
              value: counts?.inARow ?? '--',
              unit: '次',
              remark: oneProject ? `连续 ${awardTimes} 次 ${awardFrom} 分以上可参评` : '选择一个项目后显示',
            },
            {
              label: '逾期',
              value: thousands(counts?.overdue),
              unit: '次',
              tone: counts?.overdue ? 'danger' : undefined,
              href: `${paths.list}?overdue=true`,
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        search={{ key: 'code', placeholder: '编号' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        selection={{
          unit: '次',
          disabled: (row) => row.state === draft,
          actions: (rows, clear) => (
            <ZipButton
              feature="civiConsInspectionSheet"
              query={{ ids: rows.map((one) => one.id) }}
              count={rows.length}
              label="评优材料"
              onDone={clear}
            />
          ),
        }}
        onRow={(row) => go(...pageOf(row))}
        emptyHint="还没有文明施工检查：按固定点位走一遍，每点一张照片"
        filterWords={{ overdue: { title: '逾期', words: { true: '已逾期' } }, today: { title: '检查时间', words: { true: '今天' } } }}
        actions={(row) => [{ label: row.state === draft ? '继续检查' : '查看', href: hrefOf(...pageOf(row)) }]}
      />
      {comparing && <Compare projectCode={scope.projectCode} onClose={() => setComparing(false)} />}
    </ListShell>
  )
}

const draft = '0'
const pageOf = ({ id, state }: CivilRow): [string, { id: string }] => [state === draft ? paths.edit : paths.detail, { id }]

/** The same spot over the months. */
function Compare({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const points = useCall(listCivilPoints, { query: { projectCode } }, { quiet: true })
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? points.data?.points[0]?.id
  const read = useCall(compareCivilPoint, { params: { id: id ?? '' }, query: { projectCode } }, { quiet: true, enabled: id !== undefined })
  return (
    <Drawer open title="同点位对比" size={720} onClose={onClose}>
      <Choice
        aria-label="点位"
        clear={false}
        options={(points.data?.points ?? []).map((one) => ({ value: one.id, label: `${one.areaName} · ${one.name}` }))}
        value={id ?? null}
        onChange={setChosen}
      />
      {points.data && points.data.points.length === 0 && <Empty small text="本项目还没有点位" hint="新建检查时在平面图上设点" />}
      {id && (
        <Known of={read}>
          <ul className="civil-compare">
            {(read.data?.walks ?? []).map((one) => (
              <li key={one.checkId}>
                <p>
                  <Link to={hrefOf(paths.detail, { id: one.checkId })}>{one.day}</Link>{' '}
                  <span className={one.failItems.length > 0 ? 'tone-danger' : 'zg-2'}>
                    {one.skipped ? `未检查：${one.skipped}` : one.failItems.join('、') || '合格'}
                  </span>
                </p>
                <div className="zg-row zg-wrap zg-gap-6">
                  {one.photos.map((src) => (
                    <Thumb key={src} src={src} name={one.day} width={200} height={150} />
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </Known>
      )}
    </Drawer>
  )
}

function useColumns(): ColumnOf<typeof civilList>[] {
  const dicts = useDicts('civilCheckItem', 'checkResult', 'rectifyState')
  const oneProject = useProjectCode() !== '*'
  const all: ColumnOf<typeof civilList>[] = [
    { key: 'code', width: 190, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'checkTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkTime.slice(0, 16) },
    { key: 'checkers', width: 110, weak: true, value: (r) => r.checkers.join('、') },
    {
      key: 'score',
      width: 130,
      align: 'right',
      keeps: true,
      sort: true,
      filter: 'numeric-range',
      value: (r) => (
        <>
          <CandidateTag row={r} /> {marks(r.score)}
        </>
      ),
    },
    {
      key: 'areaNames',
      width: 140,
      filter: 'multi',
      filterKey: 'area',
      options: areaCodes.map((value) => ({ value, label: areaName(value) })),
      value: (r) => r.areaNames.join('、'),
    },
    {
      key: 'failItems',
      width: 220,
      keeps: true,
      filter: 'multi',
      filterKey: 'failItems',
      options: dicts.options('civilCheckItem'),
      value: (r) => r.failItems.join('、') || <span className="zg-2">无</span>,
    },
    {
      key: 'pictures',
      width: 176,
      keeps: true,
      value: (r) => (
        <span className="civil-strip">
          {r.pictures.slice(0, 4).map((src) => (
            <Thumb key={src} src={src} name={r.code ?? '照片'} width={36} height={27} />
          ))}
        </span>
      ),
    },
    { key: 'pointCount', width: 70, align: 'right', weak: true, value: (r) => r.pointCount },
    {
      key: 'problemCount',
      width: 84,
      align: 'right',
      sort: true,
      value: (r) => (r.problemCount === 0 ? null : `${r.passedCount} / ${r.problemCount}`),
    },
    { key: 'deadline', width: 168, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
    {
      key: 'conclusion',
      width: 150,
      filter: 'multi',
      options: dicts.options('checkResult').filter((one) => one.value !== stopWork),
      value: (r) => r.conclusionName,
    },
    { key: 'state', width: 144, keeps: true, filter: 'multi', options: dicts.options('rectifyState'), value: (r) => <StateTag row={r} /> },
  ]
  return oneProject ? all.filter((column) => column.key !== 'projectName') : all
}
/** 停工整改 in dictionary checkResult: no walk ends so. */
const stopWork = '4'
