import { matchState } from '@zhugong/contract/equipment/codes'
import { externalList, listDockings, listExternalDevices, updateDocking } from '@zhugong/contract/equipment/docking-endpoints'
import { pickDevices } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Input, Radio } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { MatchTag, matchOptions } from './docking-words.tsx'
import { ModelChoice } from './library-parts.tsx'
import { ProjectChoice } from './project-choice.tsx'

type Row = OutputFor<typeof listExternalDevices>['list'][number]

/** Devices imported from other platforms, and where our copy differs. */
export default function ExternalPage() {
  const go = useGo()
  const list = useListPage(externalList, { everyMs: 30_000 })
  const counts = useCall(listExternalDevices, { query: { size: 1 } }, { quiet: true, everyMs: 30_000 })
  const dockings = useCall(listDockings, { query: { size: 200, sort: 'name' } }, { quiet: true })
  const [matching, setMatching] = useState<Row>()
  const act = useAct(updateDocking, { success: '已更改' })
  const batch = useAct(updateDocking, { success: false })
  const release = (row: Row) =>
    act.afterRequesting(
      {
        thing: `取消 ${row.externalName ?? row.externalId} 的匹配`,
        consequence: '平台设备与历史保留，不再收到它的新数据。',
        verb: '取消匹配',
        keep: '保留',
      },
      { params: { id: row.gatewayId }, body: { match: { externalId: row.externalId, release: true } } },
    )
  const takeSuggestions = async (rows: readonly Row[], clear: () => void) => {
    const fitting = rows.filter((row) => row.suggestion && row.deviceId === null)
    let done = 0
    for (const row of fitting)
      if (
        await batch.run({
          params: { id: row.gatewayId },
          body: { match: { externalId: row.externalId, deviceId: row.suggestion?.deviceId ?? '' } },
        })
      )
        done++
    notify.success(`已匹配 ${done} 台，${rows.length - done} 台没有合适的建议`)
    clear()
  }
  const columns: ColumnOf<typeof externalList>[] = [
    { key: 'externalId', width: 120, locked: true, sort: true, filter: 'text', value: (row) => row.externalId },
    { key: 'externalName', width: 140, sort: true, filter: 'text', value: (row) => row.externalName },
    {
      key: 'gatewayName',
      width: 140,
      filter: 'single',
      filterKey: 'gatewayId',
      options: (dockings.data?.list ?? []).map((one) => ({ value: one.id, label: one.name })),
      value: (row) => <Link to={hrefOf('/gatewayOther/details', { id: row.gatewayId })}>{row.gatewayName}</Link>,
    },
    { key: 'externalProject', width: 130, value: (row) => row.externalProject },
    { key: 'externalModel', width: 110, hidden: true, value: (row) => row.externalModel },
    {
      key: 'matchState',
      width: 110,
      sort: true,
      filter: 'multi',
      options: matchOptions,
      value: (row) => (
        <>
          <MatchTag state={row.matchState} />
          {row.conflictWith.length > 0 && (
            <span title={row.conflictWith.map((one) => `${one.gatewayName} ${one.externalId}`).join('；')}>
              {' '}
              <Tag tone="danger">冲突</Tag>
            </span>
          )}
        </>
      ),
    },
    {
      key: 'deviceName',
      width: 150,
      sort: true,
      filter: 'text',
      value: (row) =>
        row.deviceId ? (
          <Link to={hrefOf('/administrationDetails', { id: row.deviceId })}>{row.deviceName}</Link>
        ) : row.suggestion ? (
          <span className="zg-2">建议 {row.suggestion.name}</span>
        ) : undefined,
    },
    { key: 'projectName', width: 140, filter: 'text', value: (row) => row.projectName },
    { key: 'lastSync', width: 150, sort: true, filter: 'datetime-range', value: (row) => row.lastSync },
    {
      key: 'lag',
      width: 80,
      align: 'right',
      value: (row) =>
        row.lagMinutes === null ? undefined : <span className={row.lagMinutes > 60 ? 'tone-warning' : ''}>{row.lagMinutes} 分钟</span>,
    },
    {
      key: 'lastError',
      width: 170,
      filter: 'text',
      value: (row) => row.lastError && <span className="tone-danger">{row.lastError}</span>,
    },
  ]
  const c = counts.data?.counts
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '已匹配', value: c?.matched, unit: '台', tone: 'fine' },
            { label: '待匹配', value: c?.waiting, unit: '台', tone: c?.waiting ? 'warning' : undefined },
            { label: '已消失', value: c?.gone, unit: '台' },
            { label: '同步失败', value: c?.failed, unit: '台', tone: c?.failed ? 'danger' : undefined },
          ]}
        />
      }
      above={
        c !== undefined &&
        c.conflicts > 0 && (
          <Notice
            tone="danger"
            actions={
              <Button size="small" onClick={() => list.setFilter('conflict', list.filters.conflict ? undefined : 'true')}>
                {list.filters.conflict ? '看全部' : '只看冲突'}
              </Button>
            }
          >
            {c.conflicts} 条记录的序列号重复：同一台设备在对方有两个标识，请只匹配其中一个
          </Notice>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        search={{ key: 'externalName', placeholder: '对方名称' }}
        onRow={(row) => (row.deviceId ? go('/administrationDetails', { id: row.deviceId }) : setMatching(row))}
        actions={(row) => [
          row.deviceId === null &&
            row.matchState !== matchState.gone && { label: '匹配', needs: updateDocking, onClick: () => setMatching(row) },
          row.deviceId !== null && { label: '取消匹配', needs: updateDocking, danger: true, onClick: () => release(row) },
          {
            label: row.enabled ? '停用' : '启用',
            needs: updateDocking,
            danger: row.enabled,
            onClick: () =>
              act.run({ params: { id: row.gatewayId }, body: { match: { externalId: row.externalId, enabled: !row.enabled } } }),
          },
        ]}
        selection={{
          unit: '台',
          actions: (rows, clear) => (
            <Can call={updateDocking}>
              <Button loading={batch.running} onClick={() => void takeSuggestions(rows, clear)}>
                按建议匹配
              </Button>
            </Can>
          ),
        }}
        emptyHint="第三方平台第一次送来数据后，它的设备会出现在这里"
        emptyAction={<Button onClick={() => go('/gatewayOther')}>去第三方网关管理</Button>}
      />
      {matching && <MatchDialog key={matching.id} row={matching} onClose={() => setMatching(undefined)} />}
    </ListShell>
  )
}

function MatchDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const [how, setHow] = useState<'known' | 'new'>(row.suggestion ? 'known' : 'new')
  const [deviceId, setDeviceId] = useState<string | undefined>(row.suggestion?.deviceId)
  const [modelId, setModelId] = useState<string>()
  const [projectCode, setProjectCode] = useState<string>()
  const [name, setName] = useState(row.externalName ?? row.externalId)
  const devices = useCall(pickDevices, { query: { size: 999_999 } }, { enabled: how === 'known', quiet: true })
  const act = useAct(updateDocking, { success: '已匹配', onDone: onClose })
  const ready = how === 'known' ? Boolean(deviceId) : Boolean(modelId && projectCode && name.trim())
  const run = () =>
    act.run({
      params: { id: row.gatewayId },
      body: {
        match:
          how === 'known'
            ? { externalId: row.externalId, deviceId: deviceId ?? '' }
            : { externalId: row.externalId, create: { modelId: modelId ?? '', projectCode: projectCode ?? '', name: name.trim() } },
      },
    })
  return (
    <PageModal
      open
      title={`匹配 ${row.externalName ?? row.externalId}`}
      okText="匹配"
      okButtonProps={{ disabled: !ready, loading: act.running }}
      onOk={() => void run()}
      onCancel={onClose}
    >
      <p className="zg-2">
        {row.gatewayName}，对方项目 {row.externalProject ?? '--'}，型号 {row.externalModel ?? '--'}，序列号 {row.deviceSn ?? '--'}
      </p>
      {row.conflictWith.length > 0 && (
        <Notice tone="danger">
          序列号与 {row.conflictWith.map((one) => `${one.gatewayName} ${one.externalId}`).join('、')} 相同，只应匹配其中一个
        </Notice>
      )}
      <Radio.Group
        className="zg-apart"
        value={how}
        onChange={(event) => setHow(event.target.value as 'known' | 'new')}
        options={[
          { value: 'known', label: '已有设备' },
          { value: 'new', label: '新登记一台' },
        ]}
      />
      {how === 'known' ? (
        <Choice
          value={deviceId ?? null}
          loading={devices.isFetching}
          placeholder="平台设备（HTTP 接入）"
          onChange={setDeviceId}
          options={(devices.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.deviceSn}）` }))}
        />
      ) : (
        <div className="zg-stack">
          <label htmlFor="match-name">设备名称</label>
          <Input id="match-name" maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          <label htmlFor="match-model">型号</label>
          <ModelChoice id="match-model" value={modelId ?? null} onChange={setModelId} />
          <label htmlFor="match-project">项目</label>
          <ProjectChoice id="match-project" value={projectCode ?? null} onChange={setProjectCode} />
        </div>
      )}
    </PageModal>
  )
}
