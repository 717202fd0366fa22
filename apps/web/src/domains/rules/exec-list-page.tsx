import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { execReceivers, listExecLog, testExec } from '@zhugong/contract/notify/endpoints'
import { createExec, deleteExec, duplicateExec, listExecs, updateExec } from '@zhugong/contract/rules/endpoints'
import { execKinds } from '@zhugong/contract/rules/exec-model'
import { execList } from '@zhugong/contract/rules/lists'
import { Button, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ExecLog } from './exec-log.tsx'
import {
  channelWord,
  commandWord,
  hostOf,
  linkageOf,
  linkageWords,
  minutesWords,
  notifyOf,
  quietWords,
  rectifyWords,
  rungWords,
  targetWords,
  turnedExec,
} from './exec-words.ts'
import { LinkageNow } from './linkage-runs.tsx'
import { tellTest } from './tell-test.ts'
import './rules.css'

type Row = OutputFor<typeof listExecs>['list'][number]

/** Linkage actions need their own permission code. */
const changes = (row: Row) => (row.kind === 'linkage' ? withCode(updateExec, 'rules.linkage') : updateExec)

/** Execution actions: notices with escalation, and linkage of devices. */
export default function ExecListPage() {
  const scope = useProjectScope()
  const go = useGo()
  const mayEdit = useCan(updateExec)
  const list = useListPage(execList, { scope })
  const counts = useCall(listExecs, { query: { ...scope, size: 1 } }, { quiet: true })
  const log = useCall(listExecLog, { query: { ...scope, size: 1 } }, { quiet: true, everyMs: 60_000 })
  const [shown, setShown] = useState<{ exec?: { id: string; name: string }; state?: string }>()
  const copy = useAct(duplicateExec, { success: '已复制，副本处于停用状态' })
  const removal = useAct(deleteExec, { success: '已删除' })
  const change = useAct(updateExec, { success: '已更改' })
  const test = useAct(testExec, { success: false, onDone: tellTest })
  const nobody = useNobody(list.rows, scope.projectCode)

  const flip = async (row: Row) => {
    const yes =
      !row.enabled ||
      (await confirmDanger({
        thing: `停用动作 ${row.name}`,
        consequence: row.usedBy > 0 ? `引用它的 ${row.usedBy} 条规则仍会报警，但不再执行此动作。` : '停用后不再执行。',
        verb: '停用动作',
        keep: '继续使用',
      }))
    if (!yes) return
    const turned = turnedExec(row)
    if (turned) void change.run({ params: { id: row.id }, body: turned })
    else notify.error(`动作 ${row.name} 的内容已不符合现在的要求，请编辑后再启停`)
  }
  const remove = async (row: Row) => {
    const yes = await confirmDanger({
      thing: `删除动作 ${row.name}`,
      consequence: '已有的执行日志保留。',
      verb: '删除动作',
      keep: '不删除',
    })
    if (yes) void removal.run({ params: { id: row.id } })
  }
  const edit = (row: Row) => hrefOf('/reg2_createActionView', { id: row.id })
  const columns: ColumnOf<typeof execList>[] = [
    {
      key: 'name',
      width: 110,
      locked: true,
      wrap: true,
      value: (row) => (
        <span>
          {mayEdit ? <Link to={edit(row)}>{row.name}</Link> : row.name}
          {(scope.projectCode === '*' || row.projectName === null) && <div className="zg-2">{row.projectName ?? '通用'}</div>}
        </span>
      ),
    },
    {
      key: 'kind',
      width: 72,
      filter: 'multi',
      options: Object.entries(execKinds).map(([value, label]) => ({ value, label })),
      value: (row) => (
        <Tag tone={row.kind === 'linkage' ? 'maintenance' : 'running'} icon={false}>
          {row.kindName}
        </Tag>
      ),
    },
    {
      key: 'targets',
      width: 120,
      wrap: true,
      value: (row) => {
        const missing = nobody(row)
        return (
          <span>
            {targetOf(row)}
            {missing.map((one) => (
              <div key={one} className="tone-danger">
                {one === '值班人员' ? '值班：现在无人' : `${one}：无人`}
              </div>
            ))}
          </span>
        )
      },
    },
    { key: 'channels', width: 144, wrap: true, value: (row) => channelOf(row) },
    {
      key: 'ladder',
      width: 112,
      wrap: true,
      value: (row) => {
        const rungs = notifyOf(row.notify).escalation
        return rungs.length === 0 ? null : (
          <span>
            {rungs.map((rung) => (
              <div key={rung.afterMinutes}>{rungWords(rung)}</div>
            ))}
          </span>
        )
      },
    },
    {
      key: 'quietHours',
      width: 76,
      wrap: true,
      value: (row) => {
        const words = quietWords(notifyOf(row.notify).quietHours)
        return words ? <Tooltip title="一级告警不受静默限制，其余在静默结束后汇总发送">{words}</Tooltip> : null
      },
    },
    {
      key: 'usedBy',
      width: 56,
      align: 'right',
      value: (row) =>
        row.usedBy > 0 ? (
          <Link to={hrefOf('/reg2_regulationManage', { execId: row.id })}>{row.usedBy}</Link>
        ) : (
          <span className="tone-warning">未引用</span>
        ),
    },
    ...latelyColumns((row) => setShown({ exec: row, state: 'failed' })),
    {
      key: 'enabled',
      width: 80,
      filter: 'single',
      options: [
        { value: 'true', label: '已启用' },
        { value: 'false', label: '已停用' },
      ],
      value: (row) => <Tag tone={row.enabled ? 'fine' : 'neutral'}>{row.enabled ? '已启用' : '已停用'}</Tag>,
    },
    { key: 'version', width: 64, hidden: true, align: 'right', value: (row) => row.version },
    { key: 'updateTime', width: 152, hidden: true, value: (row) => time(row.updateTime) },
  ]
  const c = counts.data?.counts
  const sent = log.data?.counts
  return (
    <>
      <ListShell
        above={<LinkageNow projectCode={scope.projectCode} />}
        strip={
          <FigureStrip
            loading={!counts.data}
            items={[
              { label: '启用', value: c?.enabled, unit: '个', remark: counts.data ? `共 ${counts.data.total} 个` : undefined },
              {
                label: '近 24 小时发送',
                value: sent?.sent,
                unit: '条',
                remark: sent?.waiting ? `${sent.waiting} 条待发送` : undefined,
              },
              {
                label: '近 24 小时失败',
                value: sent?.failed,
                unit: '条',
                tone: sent?.failed ? 'danger' : undefined,
                remark: sent?.failed ? '可在日志中重发' : undefined,
              },
              {
                label: '未被引用',
                value: c?.unused,
                unit: '个',
                tone: c?.unused ? 'warning' : undefined,
                remark: c?.unused ? '没有规则会执行它' : undefined,
              },
            ]}
          />
        }
        actions={
          <>
            <Can call={createExec}>
              <Button type="primary" onClick={() => go('/reg2_createActionView')}>
                新建动作
              </Button>
            </Can>
            <Button onClick={() => setShown({ state: '' })}>执行日志</Button>
          </>
        }
      >
        <DataTable
          list={list}
          columns={columns}
          unit="个"
          search={{ key: 'name', placeholder: '动作名称' }}
          emptyHint="还没有执行动作：新建后在规则中引用，告警时就会通知到人"
          rowClass={(row) => (nobody(row).length > 0 && row.enabled ? 'rule-row-bad' : '')}
          actions={(row) => [
            { label: '编辑', href: edit(row), needs: changes(row) },
            { label: '日志', onClick: () => setShown({ exec: row }) },
            {
              label: '测试发送',
              needs: testExec,
              disabled: row.kind === 'linkage' && '联动请在编辑页模拟',
              onClick: () => test.run({ params: { id: row.id }, body: scope.projectCode === '*' ? {} : scope }),
            },
            {
              label: row.enabled ? '停用' : '启用',
              needs: changes(row),
              onClick: () => flip(row),
            },
            {
              label: '复制',
              needs: duplicateExec,
              onClick: () => copy.run({ params: { id: row.id }, body: scope.projectCode === '*' ? {} : scope }),
            },
            { label: '按此新建', needs: createExec, href: hrefOf('/reg2_createActionView', { copy: row.id }) },
            {
              label: '删除',
              danger: true,
              needs: deleteExec,
              disabled: row.usedBy > 0 && `有 ${row.usedBy} 条规则在使用`,
              onClick: () => remove(row),
            },
          ]}
        />
      </ListShell>
      <ExecLog exec={shown?.exec} state={shown?.state === undefined ? undefined : shown.state} onClose={() => setShown(undefined)} />
    </>
  )
}

const latelyColumns = (showFailed: (row: Row) => void): ColumnOf<typeof execList>[] => [
  {
    key: 'lastRun',
    width: 88,
    value: (row) => (row.lastRun ? <span title={time(row.lastRun)}>{time(row.lastRun).slice(5, 16)}</span> : null),
  },
  {
    key: 'failed30d',
    width: 52,
    align: 'right',
    value: (row) =>
      row.failed30d ? (
        <button type="button" className="zg-bare tone-danger" title="近 30 天失败次数" onClick={() => showFailed(row)}>
          {thousands(row.failed30d)}
        </button>
      ) : (
        0
      ),
  },
]

function targetOf(row: Row): string {
  if (row.kind === 'notify') return targetWords(notifyOf(row.notify))
  if (row.kind === 'rectify') return '产权单位或总承包单位'
  if (row.kind === 'webhook') return hostOf(row.webhook?.url ?? '')
  const { selector } = linkageOf(row.linkage)
  return selector.kind === 'list' ? `指定 ${selector.deviceIds.length} 台设备` : selector.kind === 'bound' ? '绑定的设备' : '同区域的设备'
}

function channelOf(row: Row) {
  if (row.kind === 'linkage') {
    const part = linkageOf(row.linkage)
    return (
      <span>
        {commandWord(part.command)}
        <div className="zg-2">{linkageWords(part).split('，').slice(1).join('，')}</div>
      </span>
    )
  }
  if (row.kind === 'rectify' && row.rectify) return rectifyWords(row.rectify)
  if (row.kind === 'webhook') return row.webhook?.hasSecret ? '推送，已签名' : '推送，未设密钥'
  const part = notifyOf(row.notify)
  return (
    <span>
      {part.channels.map(channelWord).join('、')}
      {part.repeatMinutes ? <div className="zg-2">每 {minutesWords(part.repeatMinutes)}重复</div> : null}
    </span>
  )
}

/** Roles of a row that nobody on this project holds now. */
function useNobody(rows: readonly Row[], projectCode: string): (row: Row) => string[] {
  const requested = useMemo(() => {
    const parts = rows.filter((row) => row.kind === 'notify').map((row) => notifyOf(row.notify))
    const roles = new Set(parts.flatMap((part) => [...part.roles, ...part.escalation.flatMap((rung) => rung.roles)]))
    return { roles: [...roles].sort().join(','), onDuty: parts.some((part) => part.onDuty) }
  }, [rows])
  const { data } = useCall(
    execReceivers,
    { query: { projectCode, roles: requested.roles || undefined, onDuty: requested.onDuty } },
    { enabled: projectCode !== '*' && (requested.roles !== '' || requested.onDuty), quiet: true, staleMs: 60_000 },
  )
  const empty = new Map((data?.list ?? []).filter((one) => one.empty).map((one) => [`${one.kind}:${one.name}`, one.name]))
  const noDuty = data?.list.some((one) => one.kind === 'duty' && one.empty) ?? false
  return (row) => {
    if (row.kind !== 'notify') return []
    const part = notifyOf(row.notify)
    return [...part.roles.filter((role) => empty.has(`role:${role}`)), ...(part.onDuty && noDuty ? ['值班人员'] : [])]
  }
}
