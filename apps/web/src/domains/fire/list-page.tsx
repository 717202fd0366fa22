import { FundProjectionScreenOutlined, PlusOutlined } from '@ant-design/icons'
import { acceptFires, createFire, drawFires, type FireRow, fireList, fireTabs, listFire } from '@zhugong/contract/fire/calls'
import { fireDashboard } from '@zhugong/contract/fire/dashboard'
import { applyTypes, fireKinds, fireMoves, fireStates } from '@zhugong/contract/fire/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AssignDrawer } from './assign-drawer.tsx'
import { DrawDrawer } from './draw-drawer.tsx'
import { anyProject, Deadline, FireTag, paths } from './fire-words.tsx'

const tabs = [{ value: '', label: '全部' }, ...Object.entries(fireTabs).map(([value, label]) => ({ value, label }))]

/** What must be accepted or assigned today, and where is my case? */
export default function FireListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(fireList, { scope, defaultSort: 'dueDate', tabs: ['tab'] })
  const [assigning, setAssigning] = useState<FireRow>()
  const [drawing, setDrawing] = useState<readonly FireRow[]>()
  const accept = useAct(acceptFires, { success: (done) => `已受理 ${done.accepted} 件` })
  return (
    <ListShell
      strip={<Strip />}
      actions={
        <>
          <Can call={fireDashboard}>
            <Button icon={<FundProjectionScreenOutlined />} onClick={() => go(paths.wall)}>
              看板
            </Button>
          </Can>
          <Can call={createFire}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.detail, { mode: 'apply' })}>
              新建申请
            </Button>
          </Can>
        </>
      }
    >
      <DataTable
        list={list}
        columns={useColumns()}
        unit="件"
        search={{ key: 'projectName', placeholder: '项目' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => go(paths.detail, { id: row.id })}
        emptyHint="建设单位提交申请后，在这里受理、派组并跟踪到意见书"
        filterWords={{
          deadline: { title: '时限', words: { near: '临近时限', late: '超期' } },
          unassigned: { title: '派组', words: { true: '待派组' } },
          undrawn: { title: '备案', words: { true: '待抽取' } },
          firstPassed: { title: '一次合格', words: { true: '是', false: '否' } },
          firstTime: { title: '首次评定签发', words: {} },
        }}
        selection={{
          unit: '件',
          disabled: (row) => row.state !== fireStates.waiting && !isUndrawn(row),
          actions: (rows, clear) => (
            <>
              <Can call={acceptFires}>
                <Button
                  loading={accept.running}
                  disabled={!rows.every((row) => row.state === fireStates.waiting)}
                  onClick={async () => {
                    const cases = rows.map(({ id, version }) => ({ id, version }))
                    if (await accept.run({ query: anyProject, body: { cases } })) clear()
                  }}
                >
                  批量受理
                </Button>
              </Can>
              <Can call={drawFires}>
                <Button disabled={!rows.every(isUndrawn)} onClick={() => setDrawing(rows)}>
                  随机抽取
                </Button>
              </Can>
            </>
          ),
        }}
        actions={(row) => [
          { label: '查看', href: hrefOf(paths.detail, { id: row.id }) },
          row.state === fireStates.accepted &&
            !isUndrawn(row) && { label: '派组', needs: fireMoves.assign.needs, onClick: () => setAssigning(row) },
        ]}
      />
      {assigning && <AssignDrawer row={assigning} onClose={() => setAssigning(undefined)} />}
      {drawing && <DrawDrawer rows={drawing} onClose={() => setDrawing(undefined)} />}
    </ListShell>
  )
}
const isUndrawn = (row: FireRow) => row.state === fireStates.accepted && row.kind === fireKinds.filing && row.inRandom === null

function Strip() {
  const scope = useProjectScope()
  const { data } = useCall(listFire, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true, everyMs: 60_000 })
  const counts = data?.counts
  return (
    <FigureStrip
      loading={!data}
      items={[
        {
          label: '待受理',
          value: thousands(counts?.waiting),
          unit: '件',
          tone: counts?.waiting ? 'warning' : undefined,
          href: `${paths.list}?state=1`,
        },
        { label: '待派组', value: thousands(counts?.unassigned), unit: '件', href: `${paths.list}?unassigned=true` },
        { label: '评定中', value: thousands(counts?.running), unit: '件', href: `${paths.list}?state=4` },
        {
          label: '超期',
          value: thousands(counts?.late),
          unit: '件',
          tone: counts?.late ? 'danger' : undefined,
          href: `${paths.list}?deadline=late`,
        },
      ]}
    />
  )
}

function useColumns(): ColumnOf<typeof fireList>[] {
  const dicts = useDicts('fireProjectKind', 'fireAssessState', 'firePlace')
  return [
    { key: 'code', width: 168, locked: true, filter: 'text', sort: true, value: (r) => r.code && <span className="zg-num">{r.code}</span> },
    { key: 'projectName', width: 180, filter: 'text', value: (r) => r.projectName },
    { key: 'areaName', width: 96, filter: 'area-cascader', filterKey: 'areaCode', weak: true, value: (r) => r.areaName },
    { key: 'kind', width: 150, filter: 'multi', options: dicts.options('fireProjectKind'), value: (r) => r.kindName },
    {
      key: 'applyType',
      width: 84,
      weak: true,
      filter: 'single',
      options: Object.entries(applyTypes).map(([value, label]) => ({ value, label })),
      value: (r) => r.applyTypeName,
    },
    { key: 'applyCorp', width: 160, filter: 'text', weak: true, value: (r) => r.applyCorp },
    { key: 'builds', width: 76, align: 'right', weak: true, value: (r) => <span className="zg-num">{r.builds}</span> },
    {
      key: 'firePlaces',
      width: 150,
      filter: 'multi',
      options: dicts.options('firePlace'),
      weak: true,
      value: (r) => r.firePlaces.join('、'),
    },
    {
      key: 'acceptTime',
      width: 136,
      filter: 'datetime-range',
      sort: true,
      weak: true,
      value: (r) => r.acceptTime && <span className="zg-num">{r.acceptTime.slice(0, 16)}</span>,
    },
    { key: 'dueDate', width: 210, sort: true, keeps: true, value: (r) => <Deadline row={r} /> },
    { key: 'assessors', width: 130, filter: 'text', filterKey: 'assessor', value: (r) => r.assessors.join('、') },
    {
      key: 'subsDone',
      title: '进度',
      width: 96,
      align: 'right',
      value: (r) =>
        r.subsTotal !== null && (
          <span className="zg-num">
            {r.subsDone} / {r.subsTotal} 子项
          </span>
        ),
    },
    {
      key: 'finishDate',
      width: 104,
      filter: 'date-range',
      sort: true,
      weak: true,
      value: (r) => r.finishDate && <span className="zg-num">{r.finishDate}</span>,
    },
    {
      key: 'state',
      width: 132,
      keeps: true,
      filter: 'multi',
      options: dicts.options('fireAssessState'),
      value: (r) => <FireTag row={r} />,
    },
  ]
}
