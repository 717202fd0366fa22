import { PlusOutlined } from '@ant-design/icons'
import { listApps } from '@zhugong/contract/apps/app-endpoints'
import { listAppApplies } from '@zhugong/contract/apps/apply-endpoints'
import { holderName } from '@zhugong/contract/apps/codes'
import { type BatchCell, batchApps, grantHolders, grantTargets } from '@zhugong/contract/apps/grant-endpoints'
import { Button, Checkbox, Tree } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Empty, ErrorPanel, FigureStrip, Known } from '#kit/feedback.tsx'
import { call, showFailure } from '#kit/http.ts'
import { DayInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Applies } from './apply-drawer.tsx'
import { Cells } from './grant-batch-drawers.tsx'
import { GrantActions, GrantFile } from './grant-drawers.tsx'
import { Ending, StateTag, stateOptions, typeOptions } from './parts.tsx'

/** Groups that use one app. The grant centre lists the same grants by group. */
export default function AppHoldersPage() {
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true, keepPrevious: true })
  const list = useListPage(grantHolders, { defaultSort: 'deadline', fixedQuery: { view: 'grants' } })
  const [file, setFile] = useState<string>()
  const [giving, setGiving] = useState(false)
  const [submitted, setSubmitted] = useState(false)
  const waiting = useCall(listAppApplies, { query: { projectCode: '*', size: 1 } }, { quiet: true }).data?.waiting
  const available = (apps.data?.list ?? []).filter((app) => !app.base)
  const app = available.find((one) => one.id === list.filters.appId)
  const columns: ColumnOf<typeof grantHolders>[] = [
    {
      key: 'groupName',
      width: 260,
      locked: true,
      sort: true,
      filter: 'text',
      value: (g) => (app ? g.groupName : `${g.groupName} · ${g.appName}`),
    },
    { key: 'groupType', width: 88, filter: 'single', options: typeOptions, value: (g) => holderName(g.groupType) },
    { key: 'areaCode', width: 96, filter: 'area-cascader', value: (g) => g.areaName },
    { key: 'deadline', width: 200, sort: true, filter: 'date-range', value: (g) => <Ending deadline={g.deadline} leftTime={g.leftTime} /> },
    { key: 'state', width: 120, filter: 'multi', options: stateOptions, value: (g) => <StateTag state={g.state} /> },
    {
      key: 'users',
      width: 130,
      align: 'right',
      sort: true,
      value: (g) => (g.everUsed ? `${g.users} 人` : <span className="tone-warning">从未使用</span>),
    },
    { key: 'grantBy', width: 160, value: (g) => g.grantBy },
  ]
  if (apps.error) return <ErrorPanel error={apps.error} retry={apps.refetch} />
  const ending = list.rows.filter((g) => g.state === 'ending' || g.state === 'grace').length
  return (
    <ListShell
      remark={app ? `${app.name}：${app.summary}` : '选一个应用，看谁在用'}
      left={
        <SidePanel
          title="应用"
          width={220}
          searchPlaceholder="应用名称"
          all={{ title: '全部应用' }}
          nodes={available.map((one) => ({ key: one.id, title: one.name, count: one.grantCount }))}
          selected={list.filters.appId}
          onSelect={(appId) => list.setFilter('appId', appId)}
        />
      }
      actions={
        <>
          <Button onClick={() => setSubmitted(true)}>开通申请{waiting ? `（${waiting}）` : ''}</Button>
          {app && (
            <Can call={{ ...batchApps, needs: 'grant.create' }}>
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setGiving(true)}>
                授权给…
              </Button>
            </Can>
          )}
        </>
      }
      strip={
        <FigureStrip
          loading={list.loading}
          items={[
            { label: '授权对象', value: list.total, unit: '个' },
            { label: '本页将到期与宽限', value: ending, unit: '个', tone: ending ? 'warning' : undefined },
            { label: '本页从未使用', value: list.rows.filter((g) => !g.everUsed).length, unit: '个', remark: '可勾选“从未使用”查看全部' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        search={{ key: 'groupName', placeholder: '机构或项目名称' }}
        emptyHint={app ? '还没有机构使用这个应用' : undefined}
        toolbar={
          <Checkbox
            checked={list.filters.unused === 'true'}
            onChange={(event) => list.setFilter('unused', event.target.checked ? 'true' : undefined)}
          >
            从未使用
          </Checkbox>
        }
        expand={(g) => (
          <div className="apps-bar">
            {g.start} 起，{g.contractNo ? `合同 ${g.contractNo}，` : ''}
            {g.children > 0 ? `下发 ${g.children} 条` : '没有下发'}
            <GrantActions grant={g} onOpen={() => setFile(g.id)} />
          </div>
        )}
        actions={(g) => [{ label: '期限与记录', onClick: () => setFile(g.id) }]}
      />
      {file && <GrantFile id={file} onClose={() => setFile(undefined)} />}
      {submitted && (
        <PageDrawer open size={960} title={app ? `${app.name} 的开通申请` : '开通申请'} onClose={() => setSubmitted(false)}>
          <Applies appId={app?.id} />
        </PageDrawer>
      )}
      {giving && app && <GiveDrawer appId={app.id} name={app.name} types={app.groupTypes} onClose={() => setGiving(false)} />}
    </ListShell>
  )
}

/** Grants one app to many groups: selected in a tree by type and area, previewed by a dry run, then applied. */
function GiveDrawer({ appId, name, types, onClose }: { appId: string; name: string; types: readonly number[]; onClose: () => void }) {
  const targets = useCall(grantTargets, { query: {} }, { quiet: true })
  const [chosen, setChosen] = useState<string[]>([])
  const [deadline, setDeadline] = useState<string>()
  const [cells, setCells] = useState<readonly BatchCell[]>()
  const act = useAct(batchApps, { success: '已授权', onDone: onClose })
  const body = { ids: chosen, apps: [appId], deadline: deadline ?? null }
  const fitting = (targets.data?.list ?? []).filter((one) => types.includes(one.type))
  const tree = [...Map.groupBy(fitting, (one) => one.type)].map(([type, ofType]) => ({
    key: `type ${type}`,
    title: `${holderName(type)}（${ofType.length}）`,
    children: [...Map.groupBy(ofType, (one) => one.areaName ?? '其他')].map(([area, list]) => ({
      key: `area ${type} ${area}`,
      title: `${area}（${list.length}）`,
      children: list.map((one) => ({ key: one.id, title: one.name, children: [] })),
    })),
  }))
  const look = () =>
    call(batchApps, { body: { ...body, dryRun: true } })
      .then((answer) => setCells(answer.cells))
      .catch(showFailure)
  return (
    <PageDrawer
      open
      size={860}
      title={`授权“${name}”`}
      onClose={onClose}
      footer={
        <div className="apps-right">
          <Button disabled={chosen.length === 0} onClick={() => void look()}>
            试算
          </Button>
          <Button type="primary" disabled={!cells} loading={act.running} onClick={() => void act.run({ body })}>
            授权
          </Button>
        </div>
      }
    >
      <div className="apps-bar">
        <span>已选 {chosen.length} 个对象，到期日</span>
        <div className="apps-field">
          <DayInput aria-label="到期日" placeholder="不填即长期" value={deadline} onChange={setDeadline} />
        </div>
      </div>
      {cells ? (
        <>
          <Cells cells={cells} />
          <Button type="link" onClick={() => setCells(undefined)}>
            重新选择
          </Button>
        </>
      ) : fitting.length === 0 ? (
        <Known of={targets}>
          <Empty small text="没有可授权的对象" />
        </Known>
      ) : (
        <Tree
          checkable
          selectable={false}
          treeData={tree}
          checkedKeys={chosen}
          onCheck={(keys) => setChosen((Array.isArray(keys) ? keys : keys.checked).map(String).filter((key) => !/^(type|area) /.test(key)))}
        />
      )}
    </PageDrawer>
  )
}
