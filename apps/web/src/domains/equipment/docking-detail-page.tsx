import { dockingType } from '@zhugong/contract/equipment/codes'
import {
  dockingRunList,
  getDocking,
  type listDockingRuns,
  listExternalDevices,
  switchDocking,
  updateDocking,
} from '@zhugong/contract/equipment/docking-endpoints'
import { turned } from '@zhugong/contract/kit/enable'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { saveBlob, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { EnableTag, SwitchButton } from '#kit/enable.tsx'
import { Card, Notice } from '#kit/feedback.tsx'
import { daysLeft, daysUntil } from '#kit/format.ts'
import { TimeInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Copyable } from './copyable.tsx'
import { DockingDevices, DockingState } from './docking-tabs.tsx'
import { dockingTypeName, ResultTag, runResultOptions } from './docking-words.tsx'
import { ChangeList, ChooseFirst, useTab } from './library-parts.tsx'
import { SectionNav } from './section-nav.tsx'
import './equipment.css'

type Run = OutputFor<typeof listDockingRuns>['list'][number]
const causes: Readonly<Record<string, string>> = { schedule: '定时', manual: '手动', push: '推送' }

/** Runs of one docking: rows received, and rows rejected with the reason. */
export default function DockingDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const [tab, setTab] = useTab('state')
  const {
    data: docking,
    error,
    isPending,
    refetch,
  } = useCall(getDocking, { params: { id } }, { enabled: id !== '', quiet: true, everyMs: 15_000 })
  const devices = useCall(listExternalDevices, { query: { gatewayId: id, size: 200 } }, { enabled: id !== '', quiet: true })
  const [key, setKey] = useState<string>()
  const [period, setPeriod] = useState<{ from?: string | undefined; to?: string | undefined }>()
  const turn = useAct(switchDocking, { success: '已更改' })
  const change = useAct(updateDocking, { success: false, onDone: (done) => setKey(done.pushSecret) })
  const sync = useAct(updateDocking, { success: '已开始同步', onDone: () => setPeriod(undefined) })
  if (!id) return <ChooseFirst hint="从第三方网关管理中选择一个" listPath="/gatewayOther" listName="第三方网关管理" />
  const renew = () =>
    change.afterRequesting(
      {
        thing: `更换 ${docking?.name} 的推送密钥`,
        consequence: '旧密钥立即失效，对方换上新密钥前推送会被拒绝。',
        verb: '更换密钥',
        keep: '保留旧密钥',
      },
      { params: { id }, body: { renewSecret: true } },
    )
  const switched = docking && {
    enable: docking.enable,
    needs: switchDocking,
    question: {
      thing: `停用 ${docking.name}`,
      consequence: '不再接收新数据，历史保留。',
      verb: '停用对接',
      keep: '继续使用',
    },
    run: () => turn.run({ body: { id, status: turned(docking.enable) } }),
  }
  const expires = daysUntil(docking?.tokenExpire)
  return (
    <DetailShell
      title={docking?.name}
      loading={isPending}
      error={error && !docking ? error : undefined}
      retry={refetch}
      tags={
        docking && (
          <>
            <ResultTag result={docking.lastResult} />
            <EnableTag enable={docking.enable} />
          </>
        )
      }
      facts={
        docking
          ? [
              { label: '厂商', value: docking.vendor },
              { label: '方式', value: dockingTypeName(docking.connType) },
              { label: '最近同步', value: docking.lastRun },
              { label: '已匹配', value: `${docking.matched} 台` },
              { label: '未匹配', value: `${docking.unmatched} 台`, tone: docking.unmatched ? 'warning' : undefined },
            ]
          : []
      }
      actions={
        <Can call={updateDocking}>
          {docking?.connType === dockingType.pull && (
            <Button loading={sync.running} onClick={() => void sync.run({ params: { id }, body: { sync: {} } })}>
              立即同步
            </Button>
          )}
          {docking?.connType === dockingType.push && <Button onClick={() => void renew()}>更换密钥</Button>}
          {switched && <SwitchButton {...switched} />}
          <Button type="primary" onClick={() => go('/gatewayOther/edit', { id })}>
            编辑
          </Button>
        </Can>
      }
    >
      {docking && (
        <div className="eq-body">
          <SectionNav
            current={tab}
            onSelect={setTab}
            items={[
              { key: 'state', title: '概况' },
              { key: 'runs', title: '同步记录' },
              { key: 'devices', title: '设备匹配', count: docking.matched + docking.unmatched },
              { key: 'mapping', title: '映射', count: docking.openModels.length + docking.openProjects.length || undefined },
              { key: 'changes', title: '变更记录', count: docking.changes.length },
            ]}
          />
          <div className="eq-main">
            {expires !== undefined && expires <= 14 && (
              <Notice
                tone={expires < 0 ? 'danger' : 'warning'}
                actions={
                  <Can call={updateDocking}>
                    <Button size="small" onClick={() => go('/gatewayOther/edit', { id })}>
                      更新凭证
                    </Button>
                  </Can>
                }
              >
                凭证{daysLeft(docking.tokenExpire)}，到期后拉取会失败
              </Notice>
            )}
            {tab === 'state' && <DockingState docking={docking} />}
            {tab === 'runs' && <Runs id={id} mayPull={docking.connType === dockingType.pull} onPeriod={() => setPeriod({})} />}
            {tab === 'devices' && <DockingDevices id={id} devices={devices.data} />}
            {tab === 'mapping' && (
              <Card title="映射">
                {docking.openModels.length + docking.openProjects.length > 0 && (
                  <Notice tone="warning">还没有对应的名称：{[...docking.openModels, ...docking.openProjects].join('、')}</Notice>
                )}
                <pre className="eq-pre">{JSON.stringify(docking.mapping, null, 2)}</pre>
              </Card>
            )}
            {tab === 'changes' && (
              <Card title="变更记录">
                <ChangeList changes={docking.changes} />
              </Card>
            )}
          </div>
        </div>
      )}
      <PageModal
        open={key !== undefined}
        title="新的推送密钥只显示这一次"
        okText="已保存"
        onOk={() => setKey(undefined)}
        onCancel={() => setKey(undefined)}
      >
        {key && <Copyable text={key} label="复制密钥" />}
      </PageModal>
      <PageModal
        open={period !== undefined}
        title="重跑一段时间"
        okText="开始"
        okButtonProps={{ loading: sync.running, disabled: !period?.from || !period.to }}
        onCancel={() => setPeriod(undefined)}
        onOk={() =>
          void sync.run({
            params: { id },
            body: { sync: { from: period?.from || undefined, to: period?.to || undefined } },
          })
        }
      >
        <div className="zg-stack">
          <label htmlFor="rerun-from">从</label>
          <TimeInput id="rerun-from" value={period?.from ?? null} onChange={(from) => setPeriod((now) => ({ ...now, from }))} />
          <label htmlFor="rerun-to">到</label>
          <TimeInput id="rerun-to" value={period?.to ?? null} onChange={(to) => setPeriod((now) => ({ ...now, to }))} />
          <p className="zg-2">以 startTime、endTime 传给对方；已有的数据不会重复存储，会计入重复条数。</p>
        </div>
      </PageModal>
    </DetailShell>
  )
}

function Runs({ id, mayPull, onPeriod }: { id: string; mayPull: boolean; onPeriod: () => void }) {
  const list = useListPage(dockingRunList, { params: useMemo(() => ({ id }), [id]), inUrl: false, everyMs: 5_000, defaultSort: '-at' })
  const columns: ColumnOf<typeof dockingRunList>[] = [
    { key: 'at', width: 150, locked: true, sort: true, filter: 'datetime-range', value: (row) => row.at },
    { key: 'cause', width: 64, value: (row) => causes[row.cause] ?? row.cause },
    {
      key: 'result',
      width: 96,
      filter: 'multi',
      options: runResultOptions,
      value: (row) => <ResultTag result={row.result} />,
    },
    { key: 'rows', width: 64, align: 'right', sort: true, value: (row) => row.rows },
    { key: 'accepted', width: 64, align: 'right', value: (row) => row.accepted },
    { key: 'duplicated', width: 64, align: 'right', value: (row) => row.duplicated },
    {
      key: 'rejected',
      width: 64,
      align: 'right',
      sort: true,
      value: (row) => <span className={row.rejected ? 'tone-danger' : ''}>{row.rejected}</span>,
    },
    { key: 'ms', width: 84, align: 'right', sort: true, value: (row) => (row.ms === null ? undefined : `${row.ms} ms`) },
    { key: 'message', width: 200, value: (row) => row.message },
  ]
  const download = (row: Run) =>
    saveBlob({
      blob: new Blob([JSON.stringify(row.refused, null, 2)], { type: 'application/json' }),
      fileName: `拒绝明细_${row.at.replace(/[: ]/g, '')}.json`,
    })
  return (
    <div className="zg-table-box zg-table-box-high">
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        name="docking-runs"
        toolbar={
          mayPull && (
            <Can call={updateDocking}>
              <Button onClick={onPeriod}>重跑一段时间</Button>
            </Can>
          )
        }
        actions={(row) => [row.refused.length > 0 && { label: '下载拒绝明细', onClick: () => download(row) }]}
        expand={(row) =>
          row.refused.length === 0 ? (
            <span className="zg-2">没有拒绝的数据</span>
          ) : (
            <ul className="eq-refused">
              {row.refused.slice(0, 20).map((one) => (
                <li key={`${one.externalId}${one.item}`}>
                  <b>{one.externalId || '（无标识）'}</b> <span className="tone-danger">{one.reason}</span>{' '}
                  <code className="zg-2">{one.item.slice(0, 120)}</code>
                </li>
              ))}
            </ul>
          )
        }
        emptyHint="还没有同步"
      />
    </div>
  )
}
