import { PlusOutlined } from '@ant-design/icons'
import { type AppRow, appList, createApp, listApps, removeApp, updateApp } from '@zhugong/contract/apps/app-endpoints'
import { appTypeNames, appTypes, holderName } from '@zhugong/contract/apps/codes'
import { isOn } from '@zhugong/contract/kit/enable'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { switchAction } from '#kit/enable.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { useHistory } from '#kit/history.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell, PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AppDrawer, AppEditDrawer } from './app-drawers.tsx'
import { Applies } from './apply-drawer.tsx'
import { AppName, leftWords, StateTag, typeOptions } from './parts.tsx'

/** Apps of the group with their end dates, and other available apps. The platform also edits the catalogue here. */
export default function AppCentrePage() {
  const mayManage = useCan(updateApp)
  const [mode, setMode] = useState<'cards' | 'manage'>('cards')
  const toggle = mayManage && (
    <Segmented
      aria-label="方式"
      value={mode}
      options={[
        { value: 'cards', label: '应用' },
        { value: 'manage', label: '管理' },
      ]}
      onChange={(next) => setMode(next as typeof mode)}
    />
  )
  return mode === 'manage' ? <Catalogue toggle={toggle} /> : <Shop toggle={toggle} />
}

const isKept = (app: AppRow): boolean =>
  app.base || (app.mine !== null && (app.mine.state === 'valid' || app.mine.state === 'ending' || app.mine.state === 'grace'))

function Shop({ toggle }: { toggle: React.ReactNode }) {
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true, keepPrevious: true })
  const [word, setWord] = useState('')
  const [open, setOpen] = useState<string>()
  if (apps.error) return <ErrorPanel error={apps.error} retry={apps.refetch} />
  if (!apps.data) return <DetailSkeleton />
  const shown = apps.data.list.filter((app) => `${app.name}${app.summary}`.includes(word))
  const byCategory = [...Map.groupBy(shown, (app) => app.categoryName)]
  const existing = apps.data.list.filter(isKept)
  const ending = apps.data.list.filter((app) => app.mine?.state === 'ending' || app.mine?.state === 'grace')
  const others = apps.data.list.filter((app) => !isKept(app) && app.mine === null)
  return (
    <PageShell
      remark={others.length === 0 ? '已开通全部可用应用' : `还有 ${others.length} 个应用没有开通`}
      actions={
        <>
          <Input.Search allowClear maxLength={20} placeholder="应用名称" aria-label="应用名称" onSearch={setWord} />
          {toggle}
        </>
      }
    >
      <FigureStrip
        items={[
          { label: '已开通', value: existing.length, unit: '个' },
          {
            label: '即将到期与宽限',
            value: ending.length,
            unit: '个',
            tone: ending.length ? 'warning' : undefined,
            remark: ending
              .map((app) => app.name)
              .slice(0, 3)
              .join('、'),
          },
          { label: '可开通', value: others.length, unit: '个' },
        ]}
      />
      {byCategory.length === 0 && <Empty text="没有这样的应用" />}
      {byCategory.map(([category, list]) => (
        <Card key={category} title={category} remark={`${list.length} 个`} flush>
          <div className="apps-cards">
            {list.map((app) => (
              <AppCard key={app.id} app={app} current={apps.data.list} onOpen={() => setOpen(app.id)} />
            ))}
          </div>
        </Card>
      ))}
      <Applies />
      {open && <AppDrawer id={open} onClose={() => setOpen(undefined)} />}
    </PageShell>
  )
}

function AppCard({ app, current, onOpen }: { app: AppRow; current: readonly AppRow[]; onOpen: () => void }) {
  const missing = app.prerequisites.filter((one) => !current.some((other) => other.id === one.id && isKept(other)))
  return (
    <button type="button" className={`apps-card ${isKept(app) ? '' : 'off'}`} onClick={onOpen}>
      <AppName icon={app.icon} name={app.name}>
        {app.summary}
      </AppName>
      <span className="foot">
        {app.base ? (
          <Tag icon={false}>基础</Tag>
        ) : app.mine ? (
          <>
            <StateTag state={app.mine.state} />
            {app.mine.leftTime === null ? <span className="zg-2">长期</span> : <span className="zg-2">{leftWords(app.mine.leftTime)}</span>}
          </>
        ) : (
          <Tag icon={false}>{missing.length > 0 ? `需先开通 ${missing.map((one) => one.name).join('、')}` : '未开通'}</Tag>
        )}
        {app.appType === appTypes.external && <Tag icon={false}>外部</Tag>}
        {isKept(app) && <span className="apps-right zg-2">上周 {app.users} 人使用</span>}
      </span>
    </button>
  )
}

/** The catalogue, as the platform edits it. */
function Catalogue({ toggle }: { toggle: React.ReactNode }) {
  const go = useGo()
  const list = useListPage(appList, { defaultSort: 'sort', defaultSize: 100, inUrl: false })
  const [open, setOpen] = useState<'new' | AppRow>()
  const change = useAct(updateApp, { success: '已办理' })
  const remove = useAct(removeApp, { success: '应用已删除' })
  const history = useHistory()
  const columns: ColumnOf<typeof appList>[] = [
    {
      key: 'name',
      width: 220,
      locked: true,
      sort: true,
      filter: 'text',
      value: (app) => (
        <AppName icon={app.icon} name={app.name}>
          {app.summary}
        </AppName>
      ),
    },
    { key: 'code', width: 130, sort: true, filter: 'text', value: (app) => app.code },
    {
      key: 'appType',
      width: 100,
      filter: 'single',
      options: Object.entries(appTypeNames).map(([value, label]) => ({ value, label })),
      value: (app) => appTypeNames[app.appType],
    },
    { key: 'category', width: 110, value: (app) => app.categoryName },
    { key: 'groupTypes', width: 170, filter: 'multi', options: typeOptions, value: (app) => app.groupTypes.map(holderName).join('、') },
    { key: 'defaultDays', width: 90, align: 'right', value: (app) => app.defaultDays ?? '长期' },
    {
      key: 'grantCount',
      width: 84,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (app) => (app.base ? '全部' : app.grantCount),
    },
    {
      key: 'enable',
      width: 80,
      filter: 'single',
      options: [
        { value: '1', label: '上架' },
        { value: '0', label: '下架' },
      ],
      value: (app) => <Tag tone={isOn(app.enable) ? 'fine' : 'neutral'}>{isOn(app.enable) ? '上架' : '下架'}</Tag>,
    },
  ]
  return (
    <ListShell
      titleActions={toggle}
      actions={
        <Can call={createApp}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
            新增应用
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        name="apps-catalogue"
        unit="个"
        search={{ key: 'name', placeholder: '应用名称' }}
        actions={(app) => [
          { label: '修改', needs: updateApp, onClick: () => setOpen(app) },
          {
            ...switchAction({
              enable: app.enable,
              needs: updateApp,
              question: {
                thing: `下架 ${app.name}`,
                consequence: `不再授权给新的机构；现有 ${app.grantCount} 个授权不变，到期为止。`,
                verb: '下架',
                keep: '保持上架',
              },
              run: () => change.run({ params: { id: app.id }, body: { enable: isOn(app.enable) ? '0' : '1', version: app.version } }),
            }),
            label: isOn(app.enable) ? '下架' : '上架',
            disabled: app.base && '基础应用不能下架',
          },
          history.row({ kind: 'app', object: app.id, name: app.name }),
          { label: '谁在用', needs: 'grant.view', onClick: () => go(hrefOf('/applyAuthorization', { appId: app.id })) },
          {
            label: '删除',
            danger: true,
            needs: removeApp,
            disabled: app.builtIn && '平台自带应用不能删除，可以下架',
            onClick: () =>
              remove.afterRequesting(
                { thing: `删除应用 ${app.name}`, consequence: '从未授权的应用才能删除，删除后不能恢复。', verb: '删除应用', keep: '保留' },
                { params: { id: app.id } },
              ),
          },
        ]}
      />
      {history.drawer}
      {open && <AppEditDrawer app={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </ListShell>
  )
}
