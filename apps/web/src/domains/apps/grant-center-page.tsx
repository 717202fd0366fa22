import { PlusOutlined } from '@ant-design/icons'
import { grantSources, monthsAfter } from '@zhugong/contract/apps/codes'
import { batchApps, createGrant, type GrantGroup, grantFigures, grantLedger, remindGrants } from '@zhugong/contract/apps/grant-endpoints'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, FigureStrip, Notice } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { BatchAppsDrawer, ExtendDrawer } from './grant-batch-drawers.tsx'
import { GrantDrawer, GroupGrants } from './grant-drawers.tsx'
import { Ending, StateTag, stateOptions, typeOptions } from './parts.tsx'

type Open =
  | { what: 'new'; groupId?: string }
  | { what: 'extend'; groups: readonly GrantGroup[]; done: () => void }
  | { what: 'apps'; groups: readonly GrantGroup[]; done: () => void }

const sourceOptions = Object.entries(grantSources).map(([value, label]) => ({ value, label }))

/** Grants by group: apps, end dates, and who must renew. */
export default function GrantCenterPage() {
  const list = useListPage(grantLedger, { defaultSort: 'leftTime', defaultSize: 20 })
  const figures = useCall(grantFigures, {}, { quiet: true, keepPrevious: true })
  const [view, setView] = useState<'list' | 'months'>('list')
  const [open, setOpen] = useState<Open>()
  const isPlatform = useGroupType() === 0
  const remind = useRemind()
  const f = figures.data
  const link = (state: string) => hrefOf('/grantCenter', { state })
  const columns: ColumnOf<typeof grantLedger>[] = [
    { key: 'groupName', width: 240, locked: true, sort: true, filter: 'text', value: (g) => g.groupName },
    {
      key: 'groupType',
      width: 88,
      filter: 'single',
      options: typeOptions,
      value: (g) => typeOptions.find((o) => o.value === String(g.groupType))?.label,
    },
    { key: 'areaCode', width: 96, filter: 'area-cascader', value: (g) => g.areaName },
    { key: 'appCount', width: 84, align: 'right', sort: true, filter: 'numeric-range', value: (g) => g.appCount },
    { key: 'nearestDeadline', width: 120, sort: true, filter: 'date-range', value: (g) => g.nearestDeadline ?? '长期' },
    {
      key: 'leftTime',
      width: 190,
      sort: true,
      filter: 'numeric-range',
      value: (g) => <Ending deadline={g.nearestDeadline} leftTime={g.leftTime} />,
    },
    { key: 'state', width: 120, filter: 'multi', options: stateOptions, value: (g) => <StateTag state={g.state} /> },
    {
      key: 'source',
      width: 120,
      filter: 'multi',
      options: sourceOptions,
      value: (g) => g.sources.map((one) => grantSources[one]).join('、'),
    },
    { key: 'contact', width: 110, value: (g) => g.contact },
    { key: 'updateTime', width: 150, sort: true, weak: true, value: (g) => g.updateTime },
  ]
  return (
    <ListShell
      titleActions={
        <Segmented<'list' | 'months'>
          aria-label="显示方式"
          value={view}
          options={[
            { value: 'list', label: '按对象' },
            { value: 'months', label: '按到期月份' },
          ]}
          onChange={setView}
        />
      }
      actions={
        <Can call={{ ...createGrant, needs: 'grant.create' }}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
            新增授权
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            // A grant that ends soon is still valid, so count both states.
            { label: '有效授权', value: f && f.valid + f.ending, unit: '个对象', href: link('valid,ending') },
            { label: '30 日内到期', value: f?.ending, unit: '个', tone: f?.ending ? 'warning' : undefined, href: link('ending') },
            {
              label: '宽限中',
              value: f?.grace,
              unit: '个',
              remark: '15 天内只能查看',
              tone: f?.grace ? 'danger' : undefined,
              href: link('grace'),
            },
            {
              label: '已到期',
              value: f?.ended,
              unit: '个',
              remark: f?.pending ? `另有 ${f.pending} 个未生效` : undefined,
              href: link('ended'),
            },
          ]}
        />
      }
      above={
        <>
          {!isPlatform && <Notice tone="info">这里显示本机构及下级的授权，只供查看；下发请到“应用授权设置”。</Notice>}
          {view === 'months' && (
            <Months months={f?.months ?? []} onMonth={(from) => list.setFilter('nearestDeadline', `${from}-01,${lastOf(from)}`)} />
          )}
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="groupId"
        unit="个"
        search={{ key: 'groupName', placeholder: '机构或项目名称' }}
        emptyHint="没有符合条件的授权"
        expand={(g) => <GroupGrants groupId={g.groupId} />}
        {...(isPlatform
          ? {
              selection: {
                unit: '个',
                actions: (groups: readonly GrantGroup[], done: () => void) => (
                  <>
                    <Can call={remindGrants}>
                      <Button size="small" onClick={() => void remind(groups).then((did) => did && done())}>
                        提醒续期
                      </Button>
                    </Can>
                    <Can call={batchApps}>
                      <Button size="small" onClick={() => setOpen({ what: 'extend', groups, done })}>
                        批量延期
                      </Button>
                      <Button size="small" onClick={() => setOpen({ what: 'apps', groups, done })}>
                        批量加减应用
                      </Button>
                    </Can>
                  </>
                ),
              },
            }
          : {})}
        actions={(g) => [
          { label: '加应用', needs: 'grant.create', onClick: () => setOpen({ what: 'new', groupId: g.groupId }) },
          remindable(g) && isPlatform && { label: '提醒续期', needs: remindGrants, onClick: () => remind([g]) },
        ]}
      />
      {open?.what === 'new' && <GrantDrawer groupId={open.groupId} onClose={() => setOpen(undefined)} />}
      {open?.what === 'extend' && <ExtendDrawer groups={open.groups} onDone={open.done} onClose={() => setOpen(undefined)} />}
      {open?.what === 'apps' && <BatchAppsDrawer groups={open.groups} onDone={open.done} onClose={() => setOpen(undefined)} />}
    </ListShell>
  )
}

const remindable = (group: GrantGroup): boolean => group.state === 'ending' || group.state === 'grace' || group.state === 'ended'

/** Reminds the administrators of the groups about ending grants; reports who was not reminded and why. */
function useRemind() {
  const act = useAct(remindGrants, {
    success: ({ told, left }) =>
      `已提醒 ${told} 位管理员${left.length ? `；未提醒 ${left.length} 个：${left.map((one) => `${one.groupName}${one.why}`).join('，')}` : ''}`,
  })
  return (groups: readonly GrantGroup[]) =>
    act.afterRequesting(
      {
        thing: `提醒 ${groups.length === 1 ? groups[0]?.groupName : `${groups.length} 个对象`} 续期`,
        consequence: '其管理员会收到消息，列出将到期和已到期的应用；一天内不重复提醒。',
        verb: '发送提醒',
        keep: '不发送',
      },
      { body: { groupIds: groups.map((one) => one.groupId) } },
    )
}

const lastOf = (month: string): string => day(Date.parse(`${monthsAfter(`${month}-01`, 1)}T00:00:00+08:00`) - 86_400_000)

interface Month {
  month: string
  grants: number
  groups: string[]
}
/** Number of grants that end in each of the next twelve months. A click filters the list by month. */
function Months({ months, onMonth }: { months: readonly Month[]; onMonth: (month: string) => void }) {
  const now = day(Date.now())
  const coming = Array.from({ length: 12 }, (_, i) => monthsAfter(`${now.slice(0, 7)}-01`, i).slice(0, 7))
  return (
    <Card title="到期时间轴" remark="今后十二个月每月到期的授权，点击筛选" flush>
      <div className="apps-months">
        {coming.map((month) => {
          const one = months.find((m) => m.month === month)
          return (
            <div key={month} className={one ? 'some' : ''} title={one?.groups.join('、')}>
              <span>{month}</span>
              {one ? (
                <button type="button" className="zg-bare zg-link" onClick={() => onMonth(month)}>
                  <b>{one.grants}</b>
                </button>
              ) : (
                <b>0</b>
              )}
              <span>{one ? `${one.groups.length} 个对象` : ''}</span>
            </div>
          )
        })}
      </div>
    </Card>
  )
}
