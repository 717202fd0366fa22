import { groupTypes } from '@zhugong/contract/access/group-types'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { getTrigger, listTriggers, ruleBase, updateTrigger } from '@zhugong/contract/rules/endpoints'
import { ruleBaseList } from '@zhugong/contract/rules/lists'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Switch } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { call, showFailure, useAct, useCall } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, RiskBadge, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { TriggerDrawer } from '../rules/public.tsx'
import { levelOptions } from './alarm-words.tsx'

type Row = OutputFor<typeof ruleBase>['list'][number]
const lowPrecision = 60
const confidences: Readonly<Record<string, string>> = { seen: '公开资料', recalled: '待核对', design: '产品设定' }

/** The limit in words on one line; if it was changed, the tooltip also shows the factory value. */
function Limit({ row }: { row: Row }) {
  const now = row.currentText ?? row.text
  const isChanged = !now.startsWith(row.text)
  return (
    <span title={isChanged ? `${now}；出厂：${row.text}` : now}>
      {!row.expressible && <Tag tone="warning">尚不能判定</Tag>}
      {isChanged && <Tag tone="running">已改</Tag>}
      {now}
    </span>
  )
}

/** Platform defaults of each kind of alarm: whether it is on, its limits, and whether sites may weaken it. */
export default function AlarmGlobalPage() {
  const go = useGo()
  const maySet = useCan(withCode(updateTrigger, 'alarm.setting'))
  const isPlatform = useGroupType() === groupTypes.platform
  const [story, setStory] = useState<{ id: string; name: string }>()
  const mayLock = useCan(withCode(updateTrigger, 'alarm.lock'))
  const list = useListPage(ruleBaseList)
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const everything = useCall(ruleBase, { query: { size: 1000 } }, { quiet: true, staleMs: 30_000 })
  const turn = useAct(updateTrigger, { success: '已更改', refreshes: [ruleBase, listTriggers] })
  const rows = everything.data?.list ?? []
  const nameOf = (key: string) => families.data?.list.find((f) => f.key === key)?.name ?? (families.data ? key : '…')

  const flip = async (row: Row) => {
    if (!row.triggerId) return
    const params = { id: row.triggerId }
    if (!row.enabled) return void turn.run({ params, body: { enabled: true } })
    const rule = await call(getTrigger, { params }).catch(showFailure)
    if (!rule || rule.template) return
    const open = rule.openAlarms
    const named = open.slice(0, 3).map((one) => one.deviceName)
    const yes = await confirmDanger({
      thing: `关闭 ${row.familyName} ${row.label}`,
      consequence: `所有项目不再报这种告警。${
        open.length ? `未恢复的 ${open.length} 条（${named.join('、')}${open.length > 3 ? '等' : ''}）随之解除，原因记为规则停用。` : ''
      }${row.level === 1 ? '这是一级告警，请确认有替代措施。' : ''}`,
      verb: open.length ? `关闭，解除 ${open.length} 条` : '关闭告警',
      keep: '保持开启',
    })
    if (!yes) return
    // Disabling a level 1 alarm requires a reason.
    const reason = rule.levels.some((l) => l.level === 1) ? await askReason(`关闭 ${row.familyName} ${row.label}`, '关闭原因') : ''
    if (reason !== undefined) void turn.run({ params, body: { enabled: false, reason: reason || undefined } })
  }
  const lock = (row: Row) => row.triggerId && void turn.run({ params: { id: row.triggerId }, body: { locked: !row.locked } })
  const columns: ColumnOf<typeof ruleBaseList>[] = [
    { key: 'label', width: 100, locked: true, value: (row) => row.label },
    { key: 'familyName', width: 104, hidden: true, value: (row) => row.familyName },
    {
      key: 'level',
      width: 84,
      filter: 'multi',
      options: levelOptions,
      value: (row) => <RiskBadge level={row.level} />,
    },
    { key: 'text', width: 236, value: (row) => <Limit row={row} /> },
    {
      key: 'source',
      width: 128,
      weak: true,
      value: (row) => {
        const words = [confidences[row.confidence] ?? row.confidence, row.source].filter(Boolean).join('：')
        return (
          <span className={row.confidence === 'recalled' ? 'tone-warning' : 'zg-2'} title={words}>
            {words}
          </span>
        )
      },
    },
    {
      key: 'enabled',
      width: 60,
      value: (row) => (
        <Switch
          size="small"
          checked={row.enabled}
          disabled={!maySet || !isPlatform || !row.triggerId}
          aria-label={`${row.label} 启用`}
          onChange={() => void flip(row)}
        />
      ),
    },
    {
      key: 'locked',
      width: mayLock ? 60 : 92,
      value: (row) =>
        mayLock ? (
          <Switch size="small" checked={row.locked} disabled={!row.triggerId} aria-label={`${row.label} 锁定`} onChange={() => lock(row)} />
        ) : (
          row.locked && <Tag tone="warning">只能更严</Tag>
        ),
    },
    {
      key: 'projectsOverriding',
      width: 76,
      align: 'right',
      value: (row) =>
        row.projectsOverriding > 0 ? (
          <Link to={hrefOf('/reg2_regulationManage', { family: row.family, alarmKey: row.alarmKey, scope: 'projects' })}>
            {row.projectsOverriding}
          </Link>
        ) : (
          0
        ),
    },
    { key: 'fired30d', width: 68, align: 'right', value: (row) => thousands(row.fired30d) },
    {
      key: 'precision',
      width: 64,
      align: 'right',
      value: (row) =>
        row.precision === null ? null : (
          <span className={row.precision < lowPrecision ? 'tone-danger' : ''}>{row.precision.toFixed(0)} %</span>
        ),
    },
  ]
  return (
    <ListShell
      remark="全平台的告警目录与出厂阈值"
      titleActions={
        <Button type="link" onClick={() => go('/alarm/records')}>
          查看告警
        </Button>
      }
      strip={
        <FigureStrip
          loading={!everything.data}
          items={[
            { label: '启用', value: rows.filter((r) => r.enabled).length, unit: '种', remark: `共 ${rows.length} 种` },
            { label: '锁定', value: rows.filter((r) => r.locked).length, unit: '种', remark: '项目只能更严' },
            { label: '被项目改动', value: rows.filter((r) => r.projectsOverriding > 0).length, unit: '种' },
            {
              label: `准确率低于 ${lowPrecision} %`,
              value: rows.filter((r) => r.precision !== null && r.precision < lowPrecision).length,
              unit: '种',
            },
          ]}
        />
      }
      left={
        <SidePanel
          title="设备类型"
          selected={list.filters.family}
          onSelect={(key) => list.setFilter('family', key)}
          all={{ title: '全部', count: rows.length }}
          nodes={[...Map.groupBy(rows, (r) => r.family)].map(([key, own]) => ({ key, title: nameOf(key), count: own.length }))}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="种"
        search={{ key: 'label', placeholder: '告警名称' }}
        actions={(row) => [
          row.triggerId !== null && {
            label: '调整',
            needs: withCode(updateTrigger, 'rules.edit'),
            disabled: !isPlatform && '平台规则由平台修改，请在项目告警中调整本项目的',
            href: hrefOf('/reg2_createRegView', { id: row.triggerId }),
          },
          row.triggerId !== null && {
            label: '版本',
            onClick: () => setStory({ id: row.triggerId ?? '', name: `${row.familyName} ${row.label}` }),
          },
        ]}
      />
      <TriggerDrawer rule={story} onClose={() => setStory(undefined)} />
    </ListShell>
  )
}
