import { PhoneOutlined, TeamOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import {
  deleteHelmetGroup,
  helmetHours,
  helmetList,
  helmetMotions,
  helmetStates,
  listHelmetGroups,
  listHelmets,
} from '@zhugong/contract/monitoring/helmet/helmets'
import { Button, Input } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { RecordPanel } from '../family-record.tsx'
import { type Called, HelmetCall, useMayCall } from './helmet-call.tsx'
import { HelmetGroup } from './helmet-group.tsx'
import { wearingWord } from './helmet-state.ts'

type Row = OutputFor<typeof listHelmets>['list'][number]
type Group = OutputFor<typeof listHelmetGroups>['list'][number]
const lowBattery = 20
const tones: Readonly<Record<string, 'fine' | 'warning' | 'danger' | 'neutral'>> = {
  '1': 'fine',
  '2': 'warning',
  '3': 'danger',
  '4': 'neutral',
}
const stateOptions = Object.entries(helmetStates).map(([value, label]) => ({ value, label }))
const own = ['group', 'helmet', 'name'] as const
const nameOf = (row: Row) => row.workerName ?? row.deviceName

/** Which helmets are worn and charged, and who has not taken one? */
export default function HelmetMonitorPage() {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const groupId = query.get('group') ?? undefined
  const [name, setName] = useState('')
  const put = (values: Record<string, string | undefined>) => go(page.path, { ...Object.fromEntries(query), ...values }, { replace: true })
  const scope = useMemo(() => ({ projectCode, category: '700' as const, groupId, name: name || undefined }), [projectCode, groupId, name])
  const list = useListPage(helmetList, { scope, own, defaultSize: 50, everyMs: 30_000 })
  const groups = useCall(listHelmetGroups, { query: { projectCode } }, { quiet: true })
  const all = useCall(listHelmets, { query: { projectCode, category: '700', size: 1 } }, { quiet: true, everyMs: 30_000 })
  const [editing, setEditing] = useState<Group | 'new'>()
  const [calling, setCalling] = useState<readonly Called[]>()
  const mayGroup = useCan('helmet.group')
  const mayCall = useMayCall()
  const removal = useAct(deleteHelmetGroup, { success: '已删除分组', onDone: () => put({ group: undefined }) })
  const chosen = list.rows.find((row) => row.deviceId === query.get('helmet'))
  const group = groups.data?.list.find((one) => one.id === groupId)
  const columns: ColumnOf<typeof helmetList>[] = [
    { key: 'deviceName', width: 112, locked: true, value: (r) => r.deviceName },
    {
      key: 'workerName',
      width: 112,
      value: (r) => (r.workerExited ? <Tag tone="danger">{`${r.workerName ?? ''} 已退场`}</Tag> : (r.workerName ?? '--')),
    },
    { key: 'teamName', width: 120, value: (r) => r.teamName },
    { key: 'groupName', width: 104, value: (r) => r.groupName },
    {
      key: 'status',
      width: 92,
      filter: 'multi',
      options: stateOptions,
      value: (r) => <Tag tone={tones[r.status] ?? 'neutral'}>{helmetStates[r.status] ?? r.status}</Tag>,
    },
    {
      key: 'wearing',
      width: 84,
      value: (r) => {
        const word = wearingWord(r)
        return word === '未佩戴' ? <span className="tone-warning">{word}</span> : word
      },
    },
    {
      key: 'batteryPercent',
      width: 92,
      align: 'right',
      value: (r) => <span className={(r.batteryPercent ?? 100) < lowBattery ? 'tone-danger' : ''}>{r.batteryPercent ?? '--'}</span>,
    },
    { key: 'heartState', width: 76, value: (r) => (r.heartState === '异常' ? <span className="tone-danger">异常</span> : r.heartState) },
    { key: 'signal', width: 72, align: 'right', weak: true, value: (r) => r.signal },
    { key: 'positioned', width: 84, value: (r) => (r.positioned === null ? null : r.positioned ? '已定位' : '未定位') },
    { key: 'lastTime', width: 120, value: (r) => <span title={time(r.lastTime)}>{age(r.lastTime)}</span> },
    { key: 'deviceSn', width: 140, hidden: true, value: (r) => r.deviceSn },
  ]
  const counts = all.data
  return (
    <ListShell
      left={
        <SidePanel
          title="分组"
          nodes={(groups.data?.list ?? []).map((one) => ({ key: one.id, title: one.name, count: one.count }))}
          selected={groupId}
          onSelect={(key) => put({ group: key })}
          all={{ title: '全部安全帽', count: counts?.total }}
          footer={
            mayGroup &&
            projectCode !== '*' && (
              <div className="fam-acts">
                <Button size="small" icon={<TeamOutlined />} onClick={() => setEditing('new')}>
                  新建分组
                </Button>
                {group && (
                  <>
                    <Button size="small" onClick={() => setEditing(group)}>
                      修改
                    </Button>
                    <Button
                      size="small"
                      danger
                      disabled={group.count > 0}
                      title={group.count > 0 ? '先把安全帽移出分组' : undefined}
                      onClick={() =>
                        void removal.afterRequesting(
                          { thing: `删除分组 ${group.name}`, consequence: '只删除分组，安全帽不受影响。', verb: '删除' },
                          { params: { id: group.id } },
                        )
                      }
                    >
                      删除
                    </Button>
                  </>
                )}
              </div>
            )
          }
        />
      }
      strip={
        <FigureStrip
          loading={!all.data}
          items={[
            { label: '在线', value: counts?.online, unit: '顶', remark: counts && `共 ${counts.total} 顶` },
            {
              label: '未佩戴',
              value: counts?.notWorn,
              unit: '顶',
              remark: `${helmetHours.from} 至 ${helmetHours.to} 时在线而没有戴`,
              tone: counts?.notWorn ? 'warning' : undefined,
            },
            {
              label: '低电量',
              value: counts?.lowBattery,
              unit: '顶',
              remark: `低于 ${lowBattery} %`,
              tone: counts?.lowBattery ? 'warning' : undefined,
            },
            {
              label: '未恢复报警',
              value: counts?.openAlarms,
              unit: '条',
              tone: counts?.openAlarms ? 'danger' : undefined,
              href: hrefOf('/helmet/alarm', { tab: 'active' }),
            },
          ]}
        />
      }
      actions={
        <Input.Search
          aria-label="姓名或安全帽"
          placeholder="姓名或安全帽"
          allowClear
          onSearch={(value) => setName(value.trim())}
          className="fam-device"
        />
      }
      right={
        chosen && (
          <RecordPanel title={nameOf(chosen)} remark={chosen.teamName ?? undefined} onClose={() => put({ helmet: undefined })}>
            <Pairs
              items={[
                { label: '安全帽', value: chosen.deviceName },
                { label: '状态', value: helmetStates[chosen.status] ?? chosen.status },
                { label: '报警', value: chosen.openLevel === null ? '无' : <RiskBadge level={chosen.openLevel} /> },
                { label: '电量', value: chosen.batteryPercent === null ? null : `${chosen.batteryPercent} %` },
                { label: '心率', value: chosen.heartRate === null ? chosen.heartState : `${chosen.heartRate} 次/分` },
                { label: '运动', value: chosen.motion === null ? null : (helmetMotions[chosen.motion] ?? chosen.motion) },
                { label: '最后上报', value: time(chosen.lastTime) },
              ]}
            />
            {chosen.workerExited && <p className="tone-danger">佩戴人已退场：请收回安全帽，或在设备档案改绑</p>}
            <div className="fam-acts">
              {mayCall && (
                <Button
                  icon={<PhoneOutlined />}
                  disabled={!chosen.online}
                  onClick={() => setCalling([{ deviceId: chosen.deviceId, name: nameOf(chosen) }])}
                >
                  呼叫
                </Button>
              )}
              <Button onClick={() => go('/helmet/location', { deviceId: chosen.deviceId })}>看位置</Button>
              <Button onClick={() => go('/administrationDetails', { id: chosen.deviceId })}>换绑佩戴人</Button>
            </div>
          </RecordPanel>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="deviceId"
        unit="顶"
        onRow={(row) => put({ helmet: row.deviceId })}
        rowClass={(row) => (row.deviceId === chosen?.deviceId ? 'ant-table-row-selected' : '')}
        emptyHint="登记安全帽并绑定佩戴人后，这里显示状态"
        selection={{
          unit: '人',
          actions: (rows) =>
            mayCall && (
              <Button onClick={() => setCalling(rows.map((row) => ({ deviceId: row.deviceId, name: nameOf(row) })))}>文字播报</Button>
            ),
        }}
        actions={(row) => [
          { label: '位置', href: hrefOf('/helmet/location', { deviceId: row.deviceId }), needs: 'helmet.location' },
          { label: '轨迹', href: hrefOf('/helmet/track', { deviceId: row.deviceId }), needs: 'helmet.track' },
          { label: '换绑佩戴人', href: hrefOf('/administrationDetails', { id: row.deviceId }), needs: 'device-admin.view' },
        ]}
      />
      {editing && (
        <HelmetGroup
          group={editing === 'new' ? undefined : editing}
          projectCode={projectCode}
          groups={groups.data?.list ?? []}
          onClose={() => setEditing(undefined)}
        />
      )}
      {calling && <HelmetCall people={calling} onClose={() => setCalling(undefined)} />}
    </ListShell>
  )
}
