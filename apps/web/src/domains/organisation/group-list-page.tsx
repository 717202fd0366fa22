import { PlusOutlined, UserAddOutlined } from '@ant-design/icons'
import { turned } from '@zhugong/contract/kit/enable'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { switchCorporation } from '@zhugong/contract/organisation/corporations'
import {
  createGovernment,
  pickGovernments,
  removeGovernment,
  switchGovernment,
  updateGovernment,
} from '@zhugong/contract/organisation/governments'
import {
  appointAdministrator,
  endingDays,
  type GroupRow,
  groupFigures,
  groupKinds,
  groupList,
  openCompany,
} from '@zhugong/contract/organisation/groups'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { Card, FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { OpeningWizard } from '../onboarding/public.tsx'
import { AppointDrawer, GovernmentDrawer, GroupDrawer, OpenCompanyDrawer } from './group-drawers.tsx'
import './organisation.css'

const kinds = [
  { value: groupKinds.body, label: '监管机构' },
  { value: groupKinds.company, label: '企业' },
] as const
type Kind = (typeof kinds)[number]['value']

type Open = { what: 'government' | 'company' } | { what: 'show' | 'edit' | 'appoint'; row: GroupRow }

const pathOf = '/organizationList'

/** Governments and companies with accounts, their administrators and activity. */
export default function GroupListPage() {
  const go = useGo()
  const dicts = useDicts('govType', 'govLevel', 'corpKind')
  const list = useListPage(groupList, { defaultSort: '-createTime', tabs: ['type'] })
  const kind: Kind = list.filters.type === groupKinds.company ? groupKinds.company : groupKinds.body
  const isBody = kind === groupKinds.body
  const figures = useCall(groupFigures, { query: { type: kind } }, { quiet: true, keepPrevious: true })
  const bodies = useCall(pickGovernments, { query: {} }, { quiet: true })
  const [open, setOpen] = useState<Open>()
  const actions = useGroupActs()
  const f = figures.data
  const unit = isBody ? '个' : '家'
  const link = (filters: Record<string, string>) => hrefOf(pathOf, { ...(isBody ? {} : { type: kind }), ...filters })
  const today = day(Date.now())
  const columns: ColumnOf<typeof groupList>[] = [
    {
      key: 'name',
      width: 220,
      locked: true,
      sort: true,
      filter: 'text',
      value: (g) => (
        <button type="button" className="zg-bare zg-link" onClick={() => setOpen({ what: 'show', row: g })}>
          {g.name}
        </button>
      ),
    },
    { key: 'code', width: 168, sort: true, filter: 'text', value: (g) => g.code },
    {
      key: 'kind',
      width: 140,
      filter: 'multi',
      options: dicts.options(isBody ? 'govType' : 'corpKind'),
      value: (g) => g.kindName,
    },
    ...(isBody
      ? ([
          { key: 'level', width: 80, sort: true, filter: 'multi', options: dicts.options('govLevel'), value: (g) => g.levelName },
          {
            key: 'parentGovCode',
            width: 160,
            filter: 'single',
            options: (bodies.data?.list ?? []).map((g) => ({ value: g.code, label: g.name })),
            value: (g) => g.parentName,
          },
        ] satisfies ColumnOf<typeof groupList>[])
      : []),
    { key: 'areaCode', width: 96, filter: 'area-cascader', value: (g) => g.areaName },
    { key: 'projectCount', width: 84, align: 'right', sort: true, filter: 'numeric-range', value: (g) => thousands(g.projectCount) },
    { key: 'userCount', width: 84, align: 'right', sort: true, filter: 'numeric-range', value: (g) => thousands(g.userCount) },
    {
      key: 'adminName',
      width: 120,
      keeps: true,
      filter: 'checkbox-empty',
      options: [],
      value: (g) => g.adminName ?? <Tag tone="warning">未指定</Tag>,
    },
    { key: 'nearestDeadline', width: 104, sort: true, filter: 'date-range', value: (g) => g.nearestDeadline ?? '长期' },
    {
      key: 'lastLogin',
      width: 150,
      keeps: true,
      sort: true,
      filter: 'date-range',
      value: (g) => g.lastLogin ?? <span className="zg-2">从未登录</span>,
    },
    { key: 'enable', width: 80, keeps: true, filter: 'single', options: enableOptions, value: (g) => <EnableTag enable={g.enable} /> },
    { key: 'createTime', width: 150, hidden: true, sort: true, value: (g) => g.createTime },
  ]
  return (
    <ListShell
      titleActions={
        <Segmented<Kind>
          aria-label="机构类别"
          value={kind}
          options={[...kinds]}
          onChange={(next) =>
            list.setFilters({
              type: next === groupKinds.body ? undefined : next,
              kind: undefined,
              level: undefined,
              parentGovCode: undefined,
            })
          }
        />
      }
      left={
        <SidePanel
          title="区划"
          width={204}
          nodes={(f?.byArea ?? []).map((a) => ({ key: a.areaCode, title: a.areaName, count: a.groups }))}
          all={{ title: '全部', count: (f?.enabled ?? 0) + (f?.disabled ?? 0) }}
          selected={list.filters.areaCode}
          onSelect={(areaCode) => list.setFilter('areaCode', areaCode)}
        />
      }
      actions={
        isBody ? (
          <Can call={createGovernment}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'government' })}>
              新增监管机构
            </Button>
          </Can>
        ) : (
          <Can call={openCompany}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'company' })}>
              开通企业
            </Button>
            <Button onClick={() => go('/companyCreateForm')}>新建企业档案</Button>
            <OpeningWizard />
          </Can>
        )
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: isBody ? '启用机构' : '启用企业', value: f?.enabled, unit, href: link({ enable: '1' }) },
            {
              label: '未指定管理员',
              value: f?.withoutAdmin,
              unit,
              remark: '没有人能维护账号',
              tone: f?.withoutAdmin ? 'danger' : undefined,
              href: link({ adminName: emptyOption }),
            },
            {
              label: `${endingDays} 日内有账号到期`,
              value: f?.ending,
              unit,
              tone: f?.ending ? 'warning' : undefined,
              href: link({ nearestDeadline: `${today},${day(Date.now() + endingDays * 86_400_000)}` }),
            },
            { label: '停用', value: f?.disabled, unit, href: link({ enable: '0' }) },
          ]}
        />
      }
      above={
        f &&
        f.byArea.length > 1 && <AreaBars areas={f.byArea} isBody={isBody} onArea={(areaCode) => list.setFilter('areaCode', areaCode)} />
      }
    >
      <DataTable
        key={kind}
        list={list}
        columns={columns}
        unit={unit}
        search={{ key: 'name', placeholder: isBody ? '机构名称' : '企业名称' }}
        emptyHint={isBody ? undefined : '企业登记进企业库后在这里开通，即可拥有自己的账号'}
        actions={(g) => [
          { label: '指定管理员', needs: appointAdministrator, onClick: () => setOpen({ what: 'appoint', row: g }) },
          isBody
            ? { label: '修改', needs: updateGovernment, onClick: () => setOpen({ what: 'edit', row: g }) }
            : { label: '企业档案', onClick: () => go(hrefOf('/companySystem/info/basic', { corpCode: g.code })) },
          switchAction({
            enable: g.enable,
            needs: isBody ? switchGovernment : switchCorporation,
            question: {
              thing: `停用 ${g.name}`,
              consequence: `将退出 ${g.online} 个在线账号，${g.userCount} 个账号不能登录；其项目、门禁和设备照常上报和保存。`,
              verb: '停用',
              keep: '保持启用',
            },
            run: () => actions.turn(g),
          }),
          isBody && {
            label: '删除',
            danger: true,
            needs: removeGovernment,
            disabled: (g.projectCount > 0 || g.userCount > 0) && `还有 ${g.projectCount} 个项目、${g.userCount} 个账号，不能删除`,
            onClick: () => void actions.drop(g),
          },
        ]}
      />
      {open?.what === 'government' && <GovernmentDrawer govCode={undefined} onClose={() => setOpen(undefined)} />}
      {open?.what === 'company' && <OpenCompanyDrawer onClose={() => setOpen(undefined)} />}
      {open?.what === 'edit' && <GovernmentDrawer govCode={open.row.code} onClose={() => setOpen(undefined)} />}
      {open?.what === 'appoint' && <AppointDrawer row={open.row} onClose={() => setOpen(undefined)} />}
      {open?.what === 'show' && (
        <GroupDrawer
          row={open.row}
          onClose={() => setOpen(undefined)}
          actions={
            <Can call={appointAdministrator}>
              <Button icon={<UserAddOutlined />} onClick={() => setOpen({ what: 'appoint', row: open.row })}>
                指定管理员
              </Button>
            </Can>
          }
        />
      )}
    </ListShell>
  )
}

function useGroupActs() {
  const body = useAct(switchGovernment, { success: '已办理' })
  const company = useAct(switchCorporation, { success: '已办理' })
  const remove = useAct(removeGovernment, { success: '机构已删除' })
  const turn = (g: GroupRow) => {
    const status = turned(g.enable)
    return g.type === 1 ? body.run({ body: { govCode: g.code, status } }) : company.run({ body: { corpCode: g.code, status } })
  }
  const drop = (g: GroupRow) =>
    remove.afterRequesting(
      {
        thing: `删除 ${g.name}`,
        consequence: '机构没有项目、账号和下级机构，删除后不能恢复。',
        verb: '删除机构',
        keep: '保留',
        typeName: g.name,
        typeLabel: '输入机构名称确认',
      },
      { params: { govCode: g.code } },
    )
  return { turn, drop }
}

interface Area {
  areaCode: string
  areaName: string
  groups: number
  users: number
  projects: number
}

/** Bodies, accounts and projects by area, to find areas with many projects and few people in charge. */
function AreaBars({ areas, isBody, onArea }: { areas: readonly Area[]; isBody: boolean; onArea: (areaCode: string) => void }) {
  const option = useMemo<ChartOption>(() => {
    const bar = (name: string, color: string, value: (a: Area) => number) => ({
      type: 'bar',
      name,
      barMaxWidth: 18,
      itemStyle: { color },
      data: areas.map(value),
    })
    return {
      grid: { left: 8, right: 12, top: 30, bottom: 4, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'category', data: areas.map((a) => a.areaName) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        bar(isBody ? '机构' : '企业', colors.primary, (a) => a.groups),
        bar('账号', colors.primarySoft, (a) => a.users),
        bar('项目', colors.orange, (a) => a.projects),
      ],
    }
  }, [areas, isBody])
  return (
    <Card title="各区划" remark="项目多而账号少处，监管跟不上；点击筛选" flush>
      <Chart
        option={option}
        height={168}
        label={areas.map((a) => `${a.areaName} ${a.groups} 个，账号 ${a.users}，项目 ${a.projects}`).join('；')}
        onClick={({ dataIndex }) => onArea(areas[dataIndex]?.areaCode ?? '')}
      />
    </Card>
  )
}
