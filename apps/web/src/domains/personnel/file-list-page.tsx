import { PlusOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { realNames } from '@zhugong/contract/personnel/codes'
import { grantWorkers } from '@zhugong/contract/personnel/flow'
import { importExcel } from '@zhugong/contract/personnel/import'
import { fileFigures, fileList } from '@zhugong/contract/personnel/people'
import type { FileRow } from '@zhugong/contract/personnel/people-rows'
import { realNameStates } from '@zhugong/contract/personnel/rules'
import { registerWorker, removeWorker, updateWorker } from '@zhugong/contract/personnel/workers'
import { Button, Popover } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { phone, ratioOf, thousands, time } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { GenderAge } from './words.tsx'
import './personnel.css'

const TwinsDrawer = laterDialog(() => import('./twins-drawer.tsx').then((file) => file.TwinsDrawer))
const GrantDrawer = laterDialog(() => import('./grant-drawer.tsx').then((file) => file.GrantDrawer))

/** People, one row each: completeness of the file and current projects. */
export default function FileListPage() {
  const scope = useProjectScope()
  const go = useGo()
  const dicts = useDicts('workerType')
  const list = useListPage(fileList, { scope, fixedQuery: { view: 'file' }, defaultSort: '-createTime', own: ['twins'] })
  const figures = useCall(fileFigures, {}, { quiet: true })
  const remove = useAct(removeWorker, { success: '档案已删除' })
  const merges = useGroupType() === groupTypes.platform
  const showsTwins = usePageQuery().has('twins')
  const [granting, setGranting] = useState<{ rows: readonly FileRow[]; clear: () => void }>()
  const f = figures.data

  const columns: ColumnOf<typeof fileList>[] = [
    {
      key: 'name',
      width: 80,
      locked: true,
      filter: 'text',
      value: (r) => <Link to={hrefOf('/personnelSystem/info/basic', { id: r.workerId })}>{r.name}</Link>,
    },
    {
      key: 'genderAge',
      sort: 'age',
      filterKey: 'gender',
      width: 104,
      filter: 'single',
      options: [
        { value: '1', label: '男' },
        { value: '2', label: '女' },
      ],
      value: (r) => <GenderAge gender={r.gender} age={r.age} />,
    },
    { key: 'age', width: 72, hidden: true, sort: true, filter: 'numeric-range', value: (r) => r.age },
    { key: 'idCardNumber', width: 152, filter: 'text', value: (r) => <span className="zg-num">{r.idCardNumber}</span> },
    { key: 'cellPhone', width: 112, filter: 'text', value: (r) => phone(r.cellPhone) },
    { key: 'birthPlaceCode', width: 88, filter: 'area-cascader', value: (r) => r.birthPlaceName },
    {
      key: 'workTypeCode',
      width: 96,
      filter: 'tree-cascader',
      tree: dicts.tree('workerType'),
      value: (r) => r.workTypeName,
    },
    {
      key: 'onSite',
      width: 150,
      filter: 'single',
      options: [
        { value: '1', label: '在场' },
        { value: '0', label: '不在场' },
      ],
      value: (r) => <Projects row={r} />,
    },
    {
      key: 'realNameState',
      width: 96,
      filter: 'multi',
      options: Object.entries(realNameStates).map(([value, label]) => ({ value, label })),
      value: (r) =>
        r.realNameState === realNames.matched ? (
          '一致'
        ) : (
          <Tag tone={r.realNameState === realNames.unchecked ? 'neutral' : 'danger'} icon={false}>
            {realNameStates[r.realNameState as keyof typeof realNameStates] ?? r.realNameState}
          </Tag>
        ),
    },
    {
      key: 'missing',
      width: 122,
      filter: 'single',
      options: [
        { value: '-9999', label: '已完整' },
        { value: 'any', label: '待完善' },
      ],
      value: (r) => <Completeness row={r} />,
    },
    {
      key: 'badCount',
      width: 64,
      align: 'right',
      filter: 'numeric-range',
      value: (r) => (r.badCount ? <span className="tone-danger">{r.badCount}</span> : '0'),
    },
    { key: 'workCorpName', width: 180, hidden: true, filter: 'text', value: (r) => r.workCorpName },
    { key: 'createTime', width: 152, hidden: true, sort: true, filter: 'date-range', value: (r) => time(r.createTime) },
  ]

  const drop = (row: FileRow) =>
    remove.afterRequesting(
      {
        thing: `删除 ${row.name} 的档案`,
        consequence: '只有从未进过场的档案可以删除；证件、证书和从业经历一并删除，不能恢复。',
        verb: '删除档案',
        keep: '保留',
        typeName: row.name,
        typeLabel: '输入姓名确认',
      },
      { params: { id: row.workerId } },
    )

  return (
    <ListShell
      remark="人员 / 一人一档，不分项目"
      actions={
        <>
          <Can call={registerWorker}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/personListEdit', { mode: 'file' })}>
              新建档案
            </Button>
          </Can>
          <Can call={importExcel}>
            <Button onClick={() => go('/personImport', { kind: 'base' })}>导入基础档案</Button>
          </Can>
        </>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '档案人数', value: thousands(f?.total), unit: '人' },
            {
              label: '实名一致率',
              value: ratioOf(f?.verified ?? 0, f?.total ?? 0),
              remark: f ? `未核验 ${thousands(f.total - f.verified)} 人` : undefined,
              href: '/personnelSystem?realNameState=0',
            },
            {
              label: '待完善档案',
              value: thousands(f?.incomplete),
              unit: '人',
              remark: '转正式前补齐',
              tone: f?.incomplete ? 'warning' : undefined,
              href: '/personnelSystem?missing=any',
            },
            {
              label: '疑似重复',
              value: thousands(f?.twins),
              unit: '组',
              remark: '同一手机号登记了多人',
              href: merges ? '/personnelSystem?twins=1' : undefined,
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'q', placeholder: '姓名、证件号、手机号' }}
        onRow={(r) => go('/personnelSystem/info/basic', { id: r.workerId })}
        actions={(r) => [
          { label: '编辑', href: hrefOf('/personListEdit', { id: r.workerId }), needs: updateWorker },
          { label: '证书', href: hrefOf('/personnelSystem/info/certificate', { id: r.workerId }) },
          { label: '从业经历', href: hrefOf('/personnelSystem/info/resume', { id: r.workerId }) },
          { label: '一人一档', href: hrefOf('/PersonDetails', { id: r.workerId }) },
          { label: '授权到项目', needs: grantWorkers, onClick: () => setGranting({ rows: [r], clear: () => undefined }) },
          r.projects.length === 0 && { label: '删除', danger: true, needs: removeWorker, onClick: () => drop(r) },
        ]}
        selection={{
          unit: '人',
          actions: (rows, clear) => (
            <Can call={grantWorkers}>
              <Button onClick={() => setGranting({ rows, clear })}>授权到项目</Button>
            </Can>
          ),
        }}
      />
      {merges && showsTwins && <TwinsDrawer onClose={() => go('/personnelSystem', {}, { replace: true })} />}
      {granting && (
        <GrantDrawer
          people={granting.rows}
          onClose={() => setGranting(undefined)}
          onDone={() => {
            granting.clear()
            list.refresh()
          }}
        />
      )}
    </ListShell>
  )
}

/** Name of the project; several are listed in a popover. */
function Projects({ row }: { row: FileRow }) {
  const [first, ...rest] = row.projects
  if (!first) return <span className="zg-2">不在场</span>
  const link = (p: FileRow['projects'][number]) => (
    <Link key={p.stayId} to={hrefOf('/personListDetails', { id: p.stayId, workerId: row.workerId })}>
      {p.projectName}
    </Link>
  )
  if (rest.length === 0) return link(first)
  return (
    <Popover title={`在 ${row.projects.length} 个项目在场`} content={<div className="zg-stack zg-gap-6">{row.projects.map(link)}</div>}>
      <button type="button" className="zg-bare zg-link">
        {row.projects.length} 个项目
      </button>
    </Popover>
  )
}

/** Completeness in ten segments; the tooltip names what is missing. */
function Completeness({ row }: { row: FileRow }) {
  const full = row.incomplete.length === 0
  return (
    <span title={full ? '档案完整' : `待完善：${row.incomplete.join('、')}`} className="zg-inline zg-gap-6 zg-middle">
      <span className="zg-inline zg-gap-1 per-filled" aria-hidden="true">
        {Array.from({ length: 10 }, (_, i) => (
          <i key={i} className={i < row.completeness ? (full ? 'full' : 'part') : undefined} />
        ))}
      </span>
      <span className="zg-num">{row.completeness * 10}%</span>
    </span>
  )
}
