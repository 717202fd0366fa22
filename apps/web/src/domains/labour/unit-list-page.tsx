import { PlusOutlined } from '@ant-design/icons'
import type { UnitRow } from '@zhugong/contract/labour/model'
import { addUnit, removeUnit, setUnitTime, unitFigures, unitList, updateUnit } from '@zhugong/contract/labour/units'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { UnitTimeDrawer } from './unit-time-drawer.tsx'

const placeOptions = [
  { value: '1', label: '进场' },
  { value: '2', label: '退场' },
]

/** People and teams of another contractor's line are hidden, which must not read as zero. */
const notSeen = <span className="zg-2">不可见</span>

/** Companies of a project, one row per participation: people on site, contract, person in charge. */
export default function UnitListPage() {
  const scope = useProjectScope()
  const go = useGo()
  const dicts = useDicts('projectCorpType')
  const list = useListPage(unitList, { scope, defaultFilters: { stationed: '1' } })
  const figures = useCall(unitFigures, { query: scope }, { quiet: true })
  const f = figures.data
  const lacking = f?.parts?.filter((part) => !part.there) ?? []
  const remove = useAct(removeUnit, { success: '参建单位已移除' })
  const [timed, setTimed] = useState<{ unit: UnitRow; leaves: boolean }>()
  const seesFile = useCan('corporation.view')
  const many = scope.projectCode === '*'
  const columns: ColumnOf<typeof unitList>[] = [
    {
      key: 'corpName',
      width: 200,
      locked: true,
      sort: true,
      filter: 'text',
      value: (u) => (seesFile ? <Link to={hrefOf('/companySystem/info/basic', { corpCode: u.corpCode })}>{u.corpName}</Link> : u.corpName),
    },
    {
      key: 'corpType',
      width: 108,
      sort: true,
      filter: 'multi',
      options: dicts.options('projectCorpType'),
      value: (u) => u.corpTypeName,
    },
    { key: 'projectName', width: 176, hidden: !many, value: (u) => u.projectName },
    { key: 'parentCorpCode', width: 160, hidden: true, value: (u) => u.parentCorpName },
    {
      key: 'contractNo',
      width: 132,
      filter: 'checkbox-empty',
      value: (u) => u.contractNo ?? <span className="tone-warning">未填</span>,
    },
    {
      key: 'contractAmount',
      width: 132,
      align: 'right',
      hidden: true,
      value: (u) => (u.contractAmount === null ? null : thousands(u.contractAmount, 2)),
    },
    { key: 'pmName', width: 88, filter: 'text', value: (u) => u.pmName },
    { key: 'pmPhone', width: 124, hidden: true, value: (u) => u.pmPhone },
    { key: 'teamCount', width: 88, align: 'right', sort: true, value: (u) => u.teamCount ?? notSeen },
    {
      key: 'onSite',
      width: 88,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (u) =>
        u.onSite === null ? notSeen : <Link to={hrefOf('/personList', { stationed: '1', corpCode: u.corpCode })}>{u.onSite}</Link>,
    },
    { key: 'payType', width: 96, hidden: true, value: (u) => u.payTypeName },
    { key: 'entryTime', width: 104, sort: true, filter: 'date-range', value: (u) => day(u.entryTime) },
    { key: 'exitTime', width: 104, sort: true, hidden: true, filter: 'date-range', value: (u) => day(u.exitTime) },
    {
      key: 'stationed',
      width: 76,
      filter: 'single',
      options: placeOptions,
      value: (u) => (u.exitTime ? <Tag>已退场</Tag> : <Tag tone="fine">在场</Tag>),
    },
  ]
  const drop = (u: UnitRow) =>
    remove.afterRequesting(
      {
        thing: `移除 ${u.corpName}（${u.corpTypeName ?? ''}）`,
        consequence: '从未有班组和人员的参建单位可以移除，企业档案保留；有过人员的只能退场。',
        verb: '移除单位',
        keep: '保留',
      },
      { body: { id: u.id } },
    )
  return (
    <ListShell
      actions={
        <Can call={addUnit}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/unitListEdit')}>
            添加单位
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            {
              label: '在场单位',
              value: thousands(f?.present),
              unit: '家',
              remark: f && f.places > f.present ? `参建 ${thousands(f.places)} 处` : undefined,
            },
            { label: '在册人数', value: thousands(f?.onSite), unit: '人', href: '/personList?stationed=1' },
            { label: '分包合同缺失', value: thousands(f?.noContract), unit: '家', tone: f?.noContract ? 'danger' : undefined },
            ...(f?.parts
              ? [
                  {
                    label: '必备单位',
                    value: `${f.parts.length - lacking.length} / ${f.parts.length}`,
                    remark: lacking.length ? `缺 ${lacking.map((part) => part.name).join('、')}` : '建设、总包、监理齐全',
                    tone: lacking.length ? ('danger' as const) : undefined,
                  },
                ]
              : []),
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="家"
        search={{ key: 'corpName', placeholder: '单位名称' }}
        onRow={(u) => go('/unitListEditDetails', { id: u.id })}
        emptyHint="从“添加单位”开始：单位进场后才能有班组和人员"
        actions={(u) => [
          { label: '详情', href: hrefOf('/unitListEditDetails', { id: u.id }) },
          { label: '编辑', href: hrefOf('/unitListEdit', { id: u.id }), needs: updateUnit },
          { label: '扩展信息', href: hrefOf('/unitListEditExtend', { id: u.id }) },
          u.exitTime === null && {
            label: '改进场日期',
            needs: withCode(setUnitTime, 'labour.unit'),
            onClick: () => setTimed({ unit: u, leaves: false }),
          },
          u.exitTime === null && {
            label: '退场',
            danger: true,
            needs: withCode(setUnitTime, 'labour.unitExit'),
            onClick: () => setTimed({ unit: u, leaves: true }),
          },
          u.exitTime !== null && {
            label: '撤销退场',
            needs: withCode(setUnitTime, 'labour.unit'),
            onClick: () => setTimed({ unit: u, leaves: false }),
          },
          u.teamCount === 0 && u.onSite === 0 && { label: '移除', danger: true, needs: removeUnit, onClick: () => drop(u) },
        ]}
      />
      {timed && <UnitTimeDrawer {...timed} onClose={() => setTimed(undefined)} />}
    </ListShell>
  )
}
